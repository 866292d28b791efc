import { afterAll, beforeAll, expect, it } from "vitest";
import { createMetrics } from "../../telemetry/metrics.ts";
import { callInProcess, type InnerAnswer, type InnerCall } from "./in-process-call.ts";
import { createHttpServer, type HttpServer } from "../server.ts";
import { memoryLog, unitOperations } from "../testdata.ts";
import { testArea } from "../../../../test/support/http.ts";

let server: HttpServer;
const { log, lines } = memoryLog();
const actor = { ref: "user:default/ada", roles: [], provider: "test" };

beforeAll(async () => {
  server = await createHttpServer({
    server: {
      host: "none",
      port: 0,
      bodyLimitBytes: 100_000,
      shutdownGraceMs: 100,
      rateLimitPerMinute: 0,
      trustProxy: false,
    },
    areas: [testArea(unitOperations)],
    log,
    metrics: createMetrics({ processMetrics: false }),
    readiness: async () => ({ ready: true, checks: [] }),
    access: {
      authenticate: () => actor,
      authorize: () => undefined,
      hasRule: () => true,
      isPublic: () => false,
    },
  });
});
afterAll(() => server.close());

const call = (path: string, more: Partial<InnerCall> = {}): Promise<InnerAnswer> =>
  callInProcess(server, {
    method: "GET",
    path,
    headers: {},
    signal: new AbortController().signal,
    maxBytes: 10_000,
    ...more,
  });

it("goes the way of every request, without a network", async () => {
  const answer = await call("/api/test/v1/units/a%2Fb?limit=7", { headers: { "x-request-id": "inner-1" } });
  expect(answer).toMatchObject({ status: 200, headers: { "x-request-id": "inner-1" } });
  expect(JSON.parse(answer.body)).toEqual({ id: "a/b", limit: 7, env: [] });
  expect(lines.some((line) => JSON.stringify(line).includes("inner-1"))).toBe(true);
});

it("sends a body, and gets failures in the area's words", async () => {
  const post = { method: "POST", headers: { "content-type": "application/json" } };
  expect(await call("/api/test/v1/units", { ...post, body: '{"name":"ä"}' })).toMatchObject({
    status: 202,
    body: '"ä/3/false"',
  });
  expect((await call("/api/test/v1/units", { ...post, body: "{" })).status).toBe(400);
  expect((await call("/api/test/v1/none")).status).toBe(404);
});

it("rejects an answer that is too long, and a call that was given up", async () => {
  await expect(call("/api/test/v1/units/a", { maxBytes: 5 })).rejects.toThrow("longer than 5 bytes");
  await expect(call("/api/test/v1/units/a", { signal: AbortSignal.abort() })).rejects.toThrow();
});

it("takes many at a time", async () => {
  const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => call(`/api/test/v1/units/${n}`)));
  expect(answers.map(({ body }) => (JSON.parse(body) as { id: string }).id)).toEqual(
    Array.from({ length: 200 }, (_, n) => String(n)),
  );
});
