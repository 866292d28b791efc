import { Agent, request } from "undici";
import { describe, expect, it } from "vitest";
import { Type } from "typebox";
import { sendRaw, startTestServer, testArea, type RunningServer } from "../../../../test/support/http.ts";
import type { Logger } from "../../lib/logger.ts";
import { createMetrics } from "../../telemetry/metrics.ts";
import { route, type AreaApp } from "../operation.ts";
import { streamEvents, type StreamRecord } from "../responses/sse.ts";
import { ask, memoryLog } from "../testdata.ts";

/** A server that handles one request at a time, whose handlers answer when the test lets them. */
const startHeld = async (queuedRequests: number, log?: Logger) => {
  const held: { name: string; finish: () => void }[] = [];
  const hold = async (name: string): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held.push({ name, finish: resolve });
    await promise;
    return name;
  };
  const operations = (app: AreaApp): void => {
    const common = { summary: "Waits", rule: "work", response: { 200: Type.String() } };
    route(app, {
      ...common,
      id: "hold",
      method: "GET",
      path: "/held/{name}",
      handler: (_ctx, { params }) => hold(String(params["name"])),
    });
    route(app, {
      ...common,
      id: "send",
      method: "POST",
      path: "/sent",
      body: Type.Object({ name: Type.String() }),
      handler: (_ctx, { body }) => hold(String(Reflect.get(Object(body), "name"))),
    });
    route(app, {
      ...common,
      id: "end",
      method: "POST",
      path: "/held/{name}/end",
      urgent: true,
      handler: (_ctx, { params }) => hold(`end of ${String(params["name"])}`),
    });
    route(app, {
      ...common,
      id: "stream",
      method: "GET",
      path: "/stream",
      response: { 200: { description: "Events", contentType: "text/event-stream" } },
      handler: (ctx, { reply }) => streamEvents(reply, untilAborted(ctx.signal)),
    });
  };
  const server = await startTestServer([testArea(operations)], {
    server: { admission: { activeRequests: 1, queueMs: 60_000, queuedRequests } },
    isBehind: () => true,
    metrics: createMetrics({ processMetrics: false }),
    ...(log && { log }),
  });
  const begun = (): string[] => held.map(({ name }) => name);
  const until = (...names: string[]): Promise<unknown> => expect.poll(begun).toEqual(names);
  return { server, held, until, waitingIs: (count: number) => waitingIs(server, count) };
};

async function* untilAborted(signal: AbortSignal): AsyncGenerator<StreamRecord> {
  yield { data: "open" };
  await new Promise((done) => signal.addEventListener("abort", done));
}

const waitingIs = (server: RunningServer, count: number): Promise<unknown> =>
  expect
    .poll(async () => (await ask(`${server.url}/metrics`, "GET")).text)
    .toContain(`http_requests_waiting ${count}\n`);

const json = { "content-type": "application/json" };

describe("a server that has enough to do", () => {
  it("lets requests wait, refuses the rest in the area's words, and stays healthy", async () => {
    const { server, held, until, waitingIs: waiting } = await startHeld(1);
    await using _ = server;
    const first = ask(`${server.url}/api/test/held/a`, "GET");
    await until("a");
    const second = ask(`${server.url}/api/test/held/b`, "GET");
    await waiting(1);
    const third = await ask(`${server.url}/api/test/held/c`, "GET", { headers: { "x-request-id": "third" } });
    expect(third).toMatchObject({
      status: 503,
      headers: { "x-request-id": "third", "cache-control": "no-store" },
      body: { area: "test", code: "PLATFORM_OVERLOADED", method: "GET", url: "/api/test/held/c" },
    });
    expect(["1", "2", "3"]).toContain(third.headers["retry-after"]);
    const outside = await ask(`${server.url}/elsewhere`, "GET");
    expect(outside).toMatchObject({ status: 503, body: { error: { code: "PLATFORM_OVERLOADED" } } });
    expect(await ask(`${server.url}/api/test/held/c`, "HEAD")).toMatchObject({ status: 503, text: "" });
    // The console's page and its files are sent, or are not there, whatever else waits.
    const page = { headers: { accept: "text/html,*/*" } };
    expect(await ask(`${server.url}/units`, "GET", page)).not.toMatchObject({ status: 503 });
    expect(await ask(`${server.url}/assets/main.js`, "GET")).toMatchObject({ status: 404 });
    expect(await ask(`${server.url}/api/test/held/c`, "HEAD", page)).toMatchObject({ status: 503 });
    for (const path of ["/healthz", "/healthz?from=probe", "/readyz"]) {
      expect(await ask(server.url + path, "GET")).toMatchObject({ status: 200 });
    }
    const { text } = await ask(`${server.url}/metrics`, "GET");
    expect(text).toContain('http_requests_refused_total{reason="queue_full"} 4');
    expect(text).toContain("http_requests_active 1\n");
    expect(text).toContain('http_request_duration_seconds_count{operation="none",status="503"} 4');
    held[0]!.finish();
    expect(await first).toMatchObject({ status: 200, text: '"a"' });
    await until("a", "b");
    held[1]!.finish();
    expect(await second).toMatchObject({ status: 200, text: '"b"' });
    expect((await ask(`${server.url}/metrics`, "GET")).text).toContain(
      "http_request_queue_seconds_count 1\n",
    );
  });

  it("reads the body of a request that has waited", async () => {
    const { server, held, until, waitingIs: waiting } = await startHeld(5);
    await using _ = server;
    const first = ask(`${server.url}/api/test/held/a`, "GET");
    await until("a");
    const name = "n".repeat(300_000);
    const second = ask(`${server.url}/api/test/sent`, "POST", {
      headers: json,
      body: JSON.stringify({ name }),
    });
    await waiting(1);
    held[0]!.finish();
    await first;
    await until("a", name);
    held[1]!.finish();
    expect(await second).toMatchObject({ status: 200, text: JSON.stringify(name) });
  });

  it("keeps the connection of a refused caller, unless a large body would have to be read", async () => {
    const { server, held, until } = await startHeld(0);
    await using _ = server;
    const first = ask(`${server.url}/api/test/held/a`, "GET");
    await until("a");
    const small = JSON.stringify({ name: "n".repeat(1000) });
    const head = `POST /api/test/sent HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`;
    const post = `${head}content-length: ${small.length}\r\n\r\n${small}`;
    const answers = await sendRaw(
      server.port,
      `${post}${post}GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
    );
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 503", "HTTP/1.1 503", "HTTP/1.1 200"]);
    const large = await sendRaw(server.port, `${head}content-length: 10000000\r\n\r\n${small}`);
    expect(large).toMatch(/^HTTP\/1\.1 503 [\s\S]*connection: close/i);
    held[0]!.finish();
    await first;
  });

  it("forgets a caller that has gone while it waited", async () => {
    const { server, held, until, waitingIs: waiting } = await startHeld(5);
    await using _ = server;
    const first = ask(`${server.url}/api/test/held/a`, "GET");
    await until("a");
    const controller = new AbortController();
    const gone = request(`${server.url}/api/test/held/b`, { signal: controller.signal });
    await waiting(1);
    controller.abort();
    await expect(gone).rejects.toThrow(/abort/i);
    await waiting(0);
    held[0]!.finish();
    await first;
    const last = ask(`${server.url}/api/test/held/c`, "GET");
    await until("a", "c");
    held[1]!.finish();
    expect((await last).status).toBe(200);
  });

  it.each<[string, Record<string, string>, Record<string, string>]>([
    ["a token", { authorization: "Bearer ada" }, { authorization: "Bearer eve" }],
    ["a session", { cookie: "session=ada" }, { cookie: "session=eve" }],
    ["nothing, as a guest", {}, { authorization: "Bearer eve" }],
  ])("lets what ends work go first, of callers known by %s", async (_case, known, unknown) => {
    const { server, held, until, waitingIs: waiting } = await startHeld(5);
    await using _ = server;
    const calls = [ask(`${server.url}/api/test/held/a`, "GET", { headers: known })];
    await until("a");
    calls.push(ask(`${server.url}/api/test/held/b`, "GET"));
    await waiting(1);
    calls.push(ask(`${server.url}/api/test/held/x/end`, "POST", { headers: unknown }));
    await waiting(2);
    calls.push(ask(`${server.url}/api/test/held/a/end?now`, "POST", { headers: known }));
    await waiting(3);
    const order = ["a", "end of a", "b", "end of x"];
    for (let count = 1; count <= order.length; count += 1) {
      await until(...order.slice(0, count));
      held[count - 1]!.finish();
    }
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it("does not count event streams that are open", async () => {
    const { server, held, until } = await startHeld(0);
    await using _ = server;
    const agent = new Agent();
    const streams = await Promise.all(
      [1, 2, 3].map(() => request(`${server.url}/api/test/stream`, { dispatcher: agent })),
    );
    expect(streams.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    const other = ask(`${server.url}/api/test/held/a`, "GET");
    await until("a");
    held[0]!.finish();
    expect((await other).status).toBe(200);
    await agent.destroy();
  });

  it("tells its log of refusals together", async () => {
    const { log, lines } = memoryLog();
    const { server, held, until } = await startHeld(0, log);
    const first = ask(`${server.url}/api/test/held/a`, "GET");
    await until("a");
    for (const name of ["b", "c", "d"]) await ask(`${server.url}/api/test/held/${name}`, "GET");
    held[0]!.finish();
    await first;
    await server.close();
    const refusalLines = lines.filter(({ fields, message }) => "refused" in fields || message === "request");
    expect(refusalLines.map(({ level, fields }) => [level, fields["refused"] ?? fields["path"]])).toEqual(
      expect.arrayContaining([["info", "/api/test/held/a"]]),
    );
    const refused = refusalLines.flatMap(
      ({ fields }) => (fields["refused"] as { queue_full: number } | undefined)?.queue_full ?? [],
    );
    expect(refused.reduce((sum, count) => sum + count, 0)).toBe(3);
    expect(refusalLines.filter(({ message }) => message === "request")).toHaveLength(1);
  });
});

it("takes no public operation as urgent", async () => {
  const start = startTestServer(
    [
      testArea((app) =>
        route(app, {
          id: "end",
          method: "POST",
          path: "/end",
          summary: "Ends",
          rule: "open",
          urgent: true,
          response: { 200: Type.Null() },
          handler: () => null,
        }),
      ),
    ],
    {
      access: {
        authenticate: () => Promise.reject(new Error("not asked")),
        authorize: () => undefined,
        hasRule: () => true,
        isPublic: () => true,
      },
    },
  );
  await expect(start).rejects.toThrow("it is urgent and public");
});
