import type { ServerResponse } from "node:http";

/**
 * The replies of the mock. Not every reply is an HTTP response: malformed ones break off, stay silent or
 * drip.
 */
export type Reply =
  | { kind: "answer"; status: number; headers?: Record<string, string>; body: string | Buffer }
  | { kind: "never" }
  | { kind: "late"; afterMs: number; reply: Reply }
  | { kind: "drip"; everyMs: number; body: string }
  | { kind: "reset"; partial: string | null };

export const json = (status: number, value: unknown): Reply => ({
  kind: "answer",
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
});

export const plain = (status: number, body: string, type = "text/plain"): Reply => ({
  kind: "answer",
  status,
  headers: { "content-type": type },
  body,
});

/** Sends a reply; its timers end with the connection. */
export function send(response: ServerResponse, reply: Reply): void {
  if (reply.kind === "answer") {
    // Setting the length spares chunked encoding, a third of the cost of a small answer.
    const length = typeof reply.body === "string" ? Buffer.byteLength(reply.body) : reply.body.length;
    response.writeHead(reply.status, { ...reply.headers, "content-length": length });
    response.end(reply.body);
  } else if (reply.kind === "late") {
    const timer = setTimeout(() => send(response, reply.reply), reply.afterMs);
    response.once("close", () => clearTimeout(timer));
  } else if (reply.kind === "drip") {
    drip(response, reply);
  } else if (reply.kind === "reset") {
    const { socket } = response;
    if (reply.partial === null) socket?.resetAndDestroy();
    else {
      response.writeHead(200, { "content-type": "application/json", "content-length": "100000" });
      response.write(reply.partial, () => socket?.resetAndDestroy());
    }
  }
}

function drip(response: ServerResponse, reply: { everyMs: number; body: string }): void {
  response.writeHead(200, { "content-type": "application/json" });
  let at = 0;
  const timer = setInterval(() => {
    // Sends blanks after the body, which JSON allows: only a limit of the caller ends the response.
    response.write(at < reply.body.length ? reply.body.slice(at, ++at) : " ");
  }, reply.everyMs);
  response.once("close", () => clearInterval(timer));
}
