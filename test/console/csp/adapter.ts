/** The mock adapter with payloads in what it logs: everything is passed on, and the lines of a task are replaced. */
import { payloads } from "../support/payloads.ts";
import { startHttpPeer, type HttpPeer } from "../../support/http-peer.ts";

export const startLoggingAdapter = (mock: string): Promise<HttpPeer> =>
  startHttpPeer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { method = "GET", url = "/" } = request;
      const body = method === "GET" || method === "HEAD" ? undefined : new Uint8Array(Buffer.concat(parts));
      const headers = { ...(request.headers as Record<string, string>) };
      for (const name of ["host", "connection", "content-length", "transfer-encoding", "expect"])
        delete headers[name];
      fetch(mock + url, { method, headers, ...(body !== undefined && { body }) })
        .then(async (answer) => {
          const text = await answer.text();
          const type = answer.headers.get("content-type") ?? "application/json";
          response.writeHead(answer.status, { "content-type": type }).end(withLines(text));
        })
        .catch(() => response.destroy());
    });
  });

function withLines(text: string): string {
  if (!text.includes('"logs"')) return text;
  const answer = JSON.parse(text) as { logs?: unknown };
  const timestamp = new Date().toISOString();
  answer.logs = payloads.map((message) => ({
    timestamp,
    level: "INFO",
    message,
    phase: message.slice(0, 60),
  }));
  return JSON.stringify(answer);
}
