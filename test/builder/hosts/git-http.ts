/** Serves the bare repositories of a folder to git programs, reading and writing, by git's own CGI program. */
import { spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";

export function serveGit(root: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? "/", "http://localhost");
  const child = spawn("git", ["-c", "http.receivepack=true", "http-backend"], {
    env: {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? "GET",
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      REMOTE_USER: "tester",
      REMOTE_ADDR: "127.0.0.1",
    },
  });
  request.pipe(child.stdin);
  child.stdin.on("error", () => {});
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => void chunks.push(chunk));
  child.on("close", () => {
    const output = Buffer.concat(chunks);
    const end = output.indexOf("\r\n\r\n");
    const lines = output.toString("latin1", 0, end).split("\r\n");
    const headers = lines.map((line) => line.split(": ", 2) as [string, string]);
    const status = headers.find(([name]) => name === "Status")?.[1].split(" ")[0] ?? "200";
    response.writeHead(Number(status), Object.fromEntries(headers.filter(([name]) => name !== "Status")));
    response.end(output.subarray(end + 4));
  });
}
