import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { connect } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { EventSource } from "eventsource";
import { Agent, request } from "undici";
import { describe, expect, it } from "vitest";
import { sendRaw, startTestServer, testArea } from "../../../../test/support/http.ts";
import type { RequestContext } from "../../lib/request-context.ts";
import { route, type Area } from "../operation.ts";
import { formatRecord, resumeAfter, streamEvents, type StreamRecord } from "./sse.ts";

const streamArea = (
  source: (ctx: RequestContext, after: string | undefined) => AsyncIterable<StreamRecord>,
  options: { heartbeatMs?: number; last?: () => StreamRecord[] } = {},
): Area =>
  testArea((app) =>
    route(app, {
      id: "stream",
      method: "GET",
      path: "/stream",
      summary: "Events",
      rule: "read",
      response: { 200: { description: "Events", contentType: "text/event-stream" } },
      handler: (ctx, { raw, reply }) => streamEvents(reply, source(ctx, resumeAfter(raw)), options),
    }),
  );

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
    }
    signal.addEventListener("abort", () => resolve());
  });

async function* silence({ signal }: RequestContext): AsyncGenerator<StreamRecord> {
  yield { id: 1, event: "log", data: { message: "hello" } };
  await untilAborted(signal);
}

async function* count(from: number): AsyncGenerator<StreamRecord> {
  for (let id = from; id < from + 3; id += 1) {
    yield { id, event: "log", data: { id } };
  }
}

describe("formatRecord", () => {
  it.each<[StreamRecord, string]>([
    [{ id: 7, event: "log", data: { a: 1 } }, 'id: 7\nevent: log\ndata: {"a":1}\n\n'],
    [{ data: "one\ntwo\r\nthree\rfour" }, "data: one\ndata: two\ndata: three\ndata: four\n\n"],
    [
      { id: "1\nevent: x", event: "a\r\ndata: y\0", data: "" },
      "id: 1 event: x\nevent: a  data: y \ndata: \n\n",
    ],
    [{ data: undefined }, "data: null\n\n"],
  ])("writes %j", (record, expected) => {
    expect(formatRecord(record)).toBe(expected);
  });
});

describe("streamEvents", () => {
  it("sends records with headers that no proxy buffers or caches, and ends with its source", async () => {
    await using server = await startTestServer([streamArea(() => count(1))]);
    const answer = await request(`${server.url}/api/test/stream`);
    expect(answer.headers).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
      "x-request-id": expect.any(String),
    });
    expect(await answer.body.text()).toBe(
      'id: 1\nevent: log\ndata: {"id":1}\n\nid: 2\nevent: log\ndata: {"id":2}\n\nid: 3\nevent: log\ndata: {"id":3}\n\n',
    );
    await expect.poll(server.openStreams).toBe(0);
  });

  it("goes on after the last id that the client names, by header before query", async () => {
    await using server = await startTestServer([
      streamArea((_ctx, after) => count(Number(after ?? "0") + 1)),
    ]);
    const first = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
      const answer = await request(server.url + path, { headers });
      return (await answer.body.text()).split("\n", 1)[0] ?? "";
    };
    expect(await first("/api/test/stream")).toBe("id: 1");
    expect(await first("/api/test/stream?after=5")).toBe("id: 6");
    expect(await first("/api/test/stream?after=5", { "last-event-id": "8" })).toBe("id: 9");
    expect(await first("/api/test/stream?after=")).toBe("id: 1");
  });

  it("serves the standard client, which resumes by itself", async () => {
    await using server = await startTestServer([
      streamArea((_ctx, after) => count(Number(after ?? "0") + 1)),
    ]);
    const seen: string[] = [];
    const client = new EventSource(`${server.url}/api/test/stream`, {
      fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, connection: "close" } }),
    });
    client.addEventListener("log", ({ lastEventId }) => seen.push(lastEventId));
    await expect.poll(() => seen).toEqual(["1", "2", "3", "4", "5", "6"]);
    client.close();
  });

  it("keeps an idle connection alive with comments", async () => {
    await using server = await startTestServer([streamArea(silence, { heartbeatMs: 50 })]);
    const answer = await request(`${server.url}/api/test/stream`);
    let text = "";
    for await (const chunk of answer.body) {
      text += String(chunk);
      if (text.includes("\n\n: \n\n")) {
        break;
      }
    }
    expect(text).toContain('data: {"message":"hello"}');
  });

  it("ends the source when the client leaves", async () => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    async function* watched(ctx: RequestContext): AsyncGenerator<StreamRecord> {
      try {
        yield* silence(ctx);
      } finally {
        end();
      }
    }
    await using server = await startTestServer([streamArea(watched)]);
    const answer = await request(`${server.url}/api/test/stream`);
    await expect.poll(server.openStreams).toBe(1);
    answer.body.destroy();
    await ended;
    await expect.poll(server.openStreams).toBe(0);
  });

  it("reads its source no faster than the client takes it", async () => {
    let produced = 0;
    async function* flood({ signal }: RequestContext): AsyncGenerator<StreamRecord> {
      while (!signal.aborted) {
        produced += 1;
        yield { data: "x".repeat(10_000) };
      }
    }
    await using server = await startTestServer([streamArea(flood)]);
    const answer = await request(`${server.url}/api/test/stream`, { highWaterMark: 1024 });
    await expect.poll(() => produced).toBeGreaterThan(10);
    let before = -1;
    await expect
      .poll(
        () => {
          const isStill = produced === before;
          before = produced;
          return isStill;
        },
        { interval: 100 },
      )
      .toBe(true);
    expect(produced).toBeLessThan(5000);
    answer.body.destroy();
  });

  it("ends quietly when the source fails", async () => {
    async function* broken(): AsyncGenerator<StreamRecord> {
      yield { id: 1, data: "one" };
      throw new Error("secret");
    }
    await using server = await startTestServer([streamArea(broken)]);
    const answer = await request(`${server.url}/api/test/stream`);
    expect(await answer.body.text()).toBe("id: 1\ndata: one\n\n");
  });

  it("answers HEAD without opening a stream", async () => {
    await using server = await startTestServer([streamArea(silence)]);
    const answer = await sendRaw(
      server.port,
      "HEAD /api/test/stream HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1.1 200 .*text\/event-stream.*\r\n\r\n$/s);
    expect(server.openStreams()).toBe(0);
  });

  /** Holds ten streams; the bearer token says who calls. */
  const startForMany = () =>
    startTestServer([streamArea(silence)], {
      server: { maxEventStreams: 10 },
      access: {
        authenticate: ({ authorization }) => ({ ref: String(authorization), roles: [], provider: "test" }),
        authorize: () => undefined,
        hasRule: () => true,
        isPublic: () => false,
      },
    });
  const openAs = (server: { url: string }, authorization: string) =>
    request(`${server.url}/api/test/stream`, { headers: { authorization } });

  it("holds no more clients than its limit", async () => {
    await using server = await startForMany();
    const callers = ["a", "b", "c", "d", "e"].flatMap((caller) => [caller, caller]);
    const open = await Promise.all(callers.map((caller) => openAs(server, caller)));
    expect(open.map(({ statusCode }) => statusCode)).toEqual(callers.map(() => 200));
    const refused = await openAs(server, "f");
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([503, "5"]);
    expect(await refused.body.json()).toMatchObject({ area: "test", code: "PLATFORM_TOO_MANY_STREAMS" });
    open[0]?.body.destroy();
    await expect.poll(server.openStreams).toBe(9);
    expect((await openAs(server, "f")).statusCode).toBe(200);
  });

  it("holds no more of one caller than a fifth of its limit", async () => {
    await using server = await startForMany();
    const open = await Promise.all(["a", "a"].map((caller) => openAs(server, caller)));
    const refused = await openAs(server, "a");
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "5"]);
    expect(await refused.body.json()).toMatchObject({
      area: "test",
      code: "PLATFORM_TOO_MANY_CALLER_STREAMS",
      message: "a has 2 event streams open at this process, and one caller may have no more.",
    });
    expect((await openAs(server, "b")).statusCode).toBe(200);
    open[0]?.body.destroy();
    await expect.poll(server.openStreams).toBe(2);
    expect((await openAs(server, "a")).statusCode).toBe(200);
    expect((await openAs(server, "a")).statusCode).toBe(429);
  });

  it("keeps no stream of a client that has left before it was opened", async () => {
    const reached = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    const area = testArea((app) =>
      route(app, {
        id: "late",
        method: "GET",
        path: "/late",
        summary: "Events",
        rule: "read",
        response: { 200: { description: "Events", contentType: "text/event-stream" } },
        async handler(ctx, { reply }) {
          const left = new Promise((resolve) => reply.raw.once("close", resolve));
          reached.resolve();
          await left;
          streamEvents(reply, silence(ctx));
          opened.resolve();
        },
      }),
    );
    await using server = await startTestServer([area]);
    const leave = new AbortController();
    const answer = request(`${server.url}/api/test/late`, { signal: leave.signal }).catch(() => undefined);
    await reached.promise;
    leave.abort();
    await Promise.all([answer, opened.promise]);
    expect(server.openStreams()).toBe(0);
  });

  it("holds a thousand idle clients in little memory", async () => {
    await using server = await startTestServer([streamArea(silence)]);
    const agent = new Agent({ connections: null, pipelining: 1 });
    const before = process.memoryUsage().heapUsed;
    await Promise.all(
      Array.from({ length: 1000 }, () => request(`${server.url}/api/test/stream`, { dispatcher: agent })),
    );
    expect(server.openStreams()).toBe(1000);
    // Both ends live in this process, so this is the client's share too.
    expect((process.memoryUsage().heapUsed - before) / 1000).toBeLessThan(100_000);
    await agent.destroy();
    await expect.poll(server.openStreams).toBe(0);
  });
});

describe("closing", () => {
  it("ends streams at once and lets running requests finish", async () => {
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const area = testArea(async (app) => {
      await streamArea(silence).register(app);
      route(app, {
        id: "slow",
        method: "GET",
        path: "/slow",
        summary: "Slow",
        rule: "read",
        response: { 200: { description: "Done", noBody: true } },
        handler: async () => {
          start();
          await released;
        },
      });
    });
    const server = await startTestServer([area], { server: { shutdownGraceMs: 10_000 } });
    const stream = await request(`${server.url}/api/test/stream`);
    const slow = request(`${server.url}/api/test/slow`);
    await started;
    const closing = server.close();
    await stream.body.text();
    // A connection that came at the moment of the closing is reset instead of refused.
    await expect(request(`${server.url}/healthz`, { dispatcher: new Agent() })).rejects.toThrow(
      /ECONNREFUSED|ECONNRESET|other side closed/,
    );
    release();
    expect((await slow).statusCode).toBe(200);
    await closing;
  });

  it("gives a stream that it ends the last records that it is to have", async () => {
    const last = (): StreamRecord[] => [{ data: "cut" }];
    const server = await startTestServer([streamArea(silence, { last })]);
    const stream = await request(`${server.url}/api/test/stream`);
    await server.close();
    expect(await stream.body.text()).toMatch(/^id: 1\nevent: log\ndata: .*\n\ndata: cut\n\n$/);
  });

  /** An area with one operation, which runs the handler. */
  const areaThat = (handler: (ctx: RequestContext) => Promise<void>): Area =>
    testArea((app) =>
      route(app, {
        id: "work",
        method: "GET",
        path: "/work",
        summary: "Work",
        rule: "read",
        response: { 200: { description: "Done", noBody: true } },
        handler,
      }),
    );

  it("answers 503 on connections that stay open", async () => {
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const area = areaThat(async () => {
      start();
      await released;
    });
    const server = await startTestServer([area], { server: { shutdownGraceMs: 300_000 } });
    const get = "GET /api/test/work HTTP/1.1\r\nhost: a\r\n\r\n";
    const socket = connect(server.port, "127.0.0.1");
    const answers = textOf(socket);
    socket.write(get);
    await started;
    const closing = server.close();
    const { promise: second, resolve: arrive } = Promise.withResolvers<unknown>();
    subscribe("http.server.request.start", arrive);
    try {
      socket.write(get);
      // The connection is idle, and closed, when the first request ends before the second one is there.
      await second;
      release();
      expect(await answers).toMatch(
        /^HTTP\/1\.1 200 .*HTTP\/1\.1 503 .*connection: close.*PLATFORM_SHUTTING_DOWN/is,
      );
    } finally {
      unsubscribe("http.server.request.start", arrive);
    }
    await closing;
  });

  it("cuts what outlasts the grace", async () => {
    const { promise: hung, resolve: hang } = Promise.withResolvers<RequestContext>();
    const area = areaThat((ctx) => {
      hang(ctx);
      return new Promise(() => undefined);
    });
    const server = await startTestServer([area], { server: { shutdownGraceMs: 800 } });
    const hanging = request(`${server.url}/api/test/work`);
    const ctx = await hung;
    const startedAt = performance.now();
    const closing = server.close();
    await expect(hanging).rejects.toThrow(/other side closed|ECONNRESET|terminated/);
    await closing;
    expect(performance.now() - startedAt).toBeGreaterThan(700);
    expect(ctx.signal.aborted).toBe(true);
  });

  it("may be asked twice", async () => {
    const server = await startTestServer([]);
    await Promise.all([server.close(), server.close()]);
  });
});
