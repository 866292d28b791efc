import { getEventListeners } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createClient, type PlinthClient, type StreamEvent } from "./client.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that answers its connections in turn, the last handler all further ones. */
async function clientOf(...handlers: Handler[]): Promise<{ client: PlinthClient; heads: IncomingMessage[] }> {
  const heads: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    heads.push(request);
    handlers[Math.min(heads.length, handlers.length) - 1]?.(request, response);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { client: createClient({ url: `http://127.0.0.1:${port}/`, token: async () => "t1" }), heads };
}

const stream =
  (...texts: string[]): Handler =>
  (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const text of texts) response.write(text);
    response.end();
  };
const over: Handler = (_request, response) => void response.writeHead(204).end();

async function all(events: AsyncGenerator<StreamEvent>): Promise<StreamEvent[]> {
  const found: StreamEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}

it("keeps an event whose text has the line separators of Unicode, which end no line here", async () => {
  const { client } = await clientOf(stream("id: 1\ndata: a\u2028b\u2029c\u0085d\n\n"), over);
  expect(await all(client.follow("/e"))).toEqual([
    { id: "1", event: "message", data: "a\u2028b\u2029c\u0085d" },
  ]);
});

it("reads records in any pieces, and leaves out comments and what is cut off", async () => {
  const { client } = await clientOf(
    stream("id: 1\r\nevent: ta", 'sk\r\ndata: {"a":\ndata: 1}\r\n\r', "\n:\n\ndata:x\n\nid: 3\ndata: cut"),
    over,
  );
  expect(await all(client.follow("/events", { retryMs: 1 }))).toEqual([
    { id: "1", event: "task", data: '{"a":\n1}' },
    { id: "", event: "message", data: "x" },
  ]);
});

it("continues behind the last event after a break, with its token, and ends with 204", async () => {
  const broken: Handler = (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("id: 7\ndata: a\n\n", () => response.destroy());
  };
  const refused: Handler = (_request, response) => void response.writeHead(503).end("{}");
  const { client, heads } = await clientOf(broken, refused, stream("id: 8\ndata: b\n\n"), over);
  const events = await all(client.follow("/events", { retryMs: 1, lastEventId: "6" }));
  expect(events.map(({ data }) => data)).toEqual(["a", "b"]);
  expect(heads.map(({ headers }) => headers["last-event-id"])).toEqual(["6", "7", "7", "8"]);
  expect(heads.map(({ headers }) => headers.authorization)).toEqual(heads.map(() => "Bearer t1"));
});

it("follows a stream on that ended before its first event, as at a restart of the server while a plan waits", async () => {
  const { client, heads } = await clientOf(stream(":\n\n"), stream("id: 1\ndata: a\n\n"), over);
  const events = await all(client.follow("/events", { retryMs: 1 }));
  expect(events.map(({ data }) => data)).toEqual(["a"]);
  expect(heads.map(({ headers }) => headers["last-event-id"])).toEqual([undefined, undefined, "1"]);
});

it("takes the end of a stream whose events have no ids as its end", async () => {
  const { client, heads } = await clientOf(stream("data: a\n\n"));
  expect(await all(client.follow("/events"))).toHaveLength(1);
  expect(heads).toHaveLength(1);
});

it("counts a connection that was alive for long as no failed attempt", async () => {
  const quiet = stream(":\n\n", ": \n\n");
  const { client } = await clientOf(quiet, quiet, quiet, stream("id: 1\ndata: a\n\n"), over);
  const events = await all(client.follow("/events", { retryMs: 1, attempts: 2 }));
  expect(events.map(({ data }) => data)).toEqual(["a"]);
});

it("gives up a stream that ends at once, again and again", async () => {
  const { client, heads } = await clientOf(stream(":\n\n"));
  await expect(all(client.follow("/events", { retryMs: 1, attempts: 2 }))).rejects.toThrow("ended before");
  expect(heads).toHaveLength(2);
});

it("opens a silent stream anew, and gives up after its attempts", async () => {
  const silent: Handler = (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(":\n\n");
  };
  const { client, heads } = await clientOf(silent);
  const options = { retryMs: 1, idleMs: 50, attempts: 2, lastEventId: "1" };
  await expect(all(client.follow("/events", options))).rejects.toThrow("silent for 50 ms");
  expect(heads).toHaveLength(2);
});

it("leaves no listener on the caller's signal for the pauses between its attempts", async () => {
  const refused: Handler = (_request, response) => void response.writeHead(503).end("{}");
  const { client } = await clientOf(refused, refused, refused, stream("data: a\n\n"));
  const { signal } = new AbortController();
  expect(await all(client.follow("/events", { retryMs: 1, signal }))).toHaveLength(1);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

it("throws what the server refuses, and ends when it is told to", async () => {
  const { client } = await clientOf((_request, response) => {
    response.writeHead(404, { "content-type": "application/json" });
    response.end('{"code":"COORD_PLAN_NOT_FOUND","userMessage":"There is no such plan."}');
  });
  await expect(all(client.follow("/events"))).rejects.toMatchObject({
    status: 404,
    code: "COORD_PLAN_NOT_FOUND",
    message: "There is no such plan.",
  });
  const abort = new AbortController();
  const { client: other } = await clientOf((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("id: 1\ndata: a\n\n");
  });
  const events = other.follow("/events", { signal: abort.signal });
  await events.next();
  abort.abort(new Error("enough"));
  await expect(events.next()).rejects.toThrow("enough");
});

it("closes the connection when its reader stops", async () => {
  const closed = Promise.withResolvers<void>();
  const { client } = await clientOf((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.on("close", () => closed.resolve());
    response.write("id: 1\ndata: a\n\n");
  });
  for await (const { id } of client.follow("/events")) {
    expect(id).toBe("1");
    break;
  }
  await closed.promise;
});
