/** An adapter in a process of its own that answers each start with a token and is done some milliseconds later. */
import { spawn } from "node:child_process";
import { once } from "node:events";

export interface AsynchronousAdapter {
  url: string;
  /** Polls of each token so far. */
  polls(): Promise<number[]>;
  close(): void;
}

export async function asynchronousAdapter(takesMs: number): Promise<AsynchronousAdapter> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, String(takesMs)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const url = line.toString().trim();
  return {
    url,
    polls: async () => (await (await fetch(`${url}/polls`)).json()) as number[],
    close: () => child.kill(),
  };
}

const program = `
import { createServer } from "node:http";
const takesMs = Number(process.argv[1]);
const begun = new Map();
const polls = new Map();
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    const answer = (status, body) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    if (request.method === "POST") {
      const token = "t" + begun.size;
      begun.set(token, performance.now());
      polls.set(token, 0);
      return answer(202, token);
    }
    if (request.url === "/polls") return answer(200, [...polls.values()]);
    const token = request.url.split("/")[3];
    polls.set(token, polls.get(token) + 1);
    const isDone = performance.now() - begun.get(token) >= takesMs;
    answer(200, { status: isDone ? "COMPLETED" : "RUNNING", result: "" });
  });
});
server.keepAliveTimeout = 60000;
server.listen(0, "127.0.0.1", () => console.log("http://127.0.0.1:" + server.address().port));
`;
