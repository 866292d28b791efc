import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Type } from "typebox";
import { request } from "undici";
import { startTestServer, testActor, testArea, type RunningServer } from "../../../test/support/http.ts";
import type { RequestContext } from "../lib/request-context.ts";
import { route } from "./operation.ts";
import {
  ask as askUrl,
  memoryLog,
  startUnits,
  unitOperations,
  type Answer,
  type Question,
} from "./testdata.ts";

let server: RunningServer;
const { log, lines } = memoryLog();

beforeAll(async () => {
  server = await startUnits(log);
});

afterAll(() => server.close());

const ask = (
  method: "GET" | "POST" | "DELETE" | "HEAD",
  path: string,
  question?: Question,
): Promise<Answer> => askUrl(server.url + path, method, question);

const json = { "content-type": "application/json" };

describe("an operation", () => {
  it("gets parameters by their names, defaults filled in, and answers what its schema names", async () => {
    const answer = await ask("GET", "/api/test/v1/units/urn:dmb:dp:a%2Fb:x:1?env=dev,prod&env=qa&unknown=1");
    expect(answer).toMatchObject({
      status: 200,
      body: { id: "urn:dmb:dp:a/b:x:1", limit: 5, env: ["dev", "prod", "qa"] },
    });
    expect(answer.text).not.toContain("secret");
  });

  it("answers a string as JSON, nothing, and prepared text", async () => {
    const created = await ask("POST", "/api/test/v1/units?dry=true", { headers: json, body: '{"name":"a"}' });
    expect(created).toMatchObject({ status: 202, text: '"a/3/true"' });
    expect(await ask("POST", "/api/test/v1/units/a/stop")).toMatchObject({ status: 202, text: "" });
    expect(await ask("GET", "/api/test/v1/raw")).toMatchObject({ status: 200, text: "[1,2]" });
  });

  it("answers HEAD as GET without a body", async () => {
    const answer = await ask("HEAD", "/api/test/v1/raw");
    expect(answer).toMatchObject({ status: 200, text: "", headers: { "content-length": "5" } });
  });

  it("answers below an alias of its area", async () => {
    expect(await ask("GET", "/api/scaffolder/v2/tasks/7")).toMatchObject({ status: 200, text: '"7"' });
    expect(await ask("GET", "/api/scaffolder/v2/nothing")).toMatchObject({
      status: 404,
      body: { detail: /found/ },
    });
  });

  it("takes JSON under other JSON types and with a byte order mark", async () => {
    const headers = { "content-type": "application/merge-patch+json; charset=utf-8" };
    const answer = await ask("POST", "/api/test/v1/units", { headers, body: '\uFEFF{"name":"a"}' });
    expect(answer.status).toBe(202);
  });

  it.each([
    ['application/json; charset="iso-8859-1"', 415],
    ["application/json; charset=UTF-16", 415],
    ["text/plain; charset=latin1", 415],
    ['application/json; charset="UTF-8"', 202],
  ])("takes a body in UTF-8 only: %s", async (type, status) => {
    const headers = { "content-type": type };
    const answer = await ask("POST", "/api/test/v1/units", { headers, body: '{"name":"a"}' });
    expect(answer.status).toBe(status);
    if (status === 202) return;
    expect(answer.body).toMatchObject({ area: "test", code: "PLATFORM_CHARSET" });
    // A caller without permission learns nothing, and a request without a body is not checked for one.
    const bad = { ...headers, authorization: "Bearer bad" };
    expect((await ask("POST", "/api/test/v1/units", { headers: bad, body: "{}" })).status).toBe(401);
    expect((await ask("POST", "/api/test/v1/units/a/stop", { headers })).status).toBe(202);
  });

  it("tells browsers of HTTPS only when it is set, on every answer", async () => {
    const { headers: unset } = await ask("GET", "/api/test/v1/raw");
    expect(unset["strict-transport-security"]).toBeUndefined();
    const hsts = { maxAgeSeconds: 600, includeSubDomains: true };
    await using own = await startTestServer([testArea(unitOperations)], { server: { hsts } });
    for (const path of ["/api/test/v1/raw", "/api/test/nothing", "/healthz", "/metrics"]) {
      const { headers } = await askUrl(own.url + path, "GET");
      expect(headers["strict-transport-security"]).toBe("max-age=600; includeSubDomains");
    }
    const short = { maxAgeSeconds: 0, includeSubDomains: false };
    await using ending = await startTestServer([], { server: { hsts: short } });
    const { headers } = await askUrl(`${ending.url}/healthz`, "GET");
    expect(headers["strict-transport-security"]).toBe("max-age=0");
  });

  it("carries protective headers and no trace of the framework", async () => {
    const { headers } = await ask("GET", "/api/test/v1/raw");
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "cache-control": "no-store",
    });
    expect(headers["x-powered-by"] ?? headers["server"]).toBeUndefined();
  });
});

describe("failures", () => {
  it("come out in the area's body", async () => {
    expect(await ask("GET", "/api/test/v1/failures/missing")).toMatchObject({
      status: 404,
      body: { area: "test", code: "TEST_MISSING", method: "GET", url: "/api/test/v1/failures/missing" },
    });
    expect(await ask("GET", "/api/test/v1/failures/busy")).toMatchObject({
      status: 503,
      headers: { "retry-after": "7" },
    });
  });

  it.each(["defect", "answer"])("leak nothing when it is our own: %s", async (kind) => {
    const answer = await ask("GET", `/api/test/v1/failures/${kind}`, {
      headers: { "x-request-id": `own-${kind}` },
    });
    expect(answer).toMatchObject({ status: 500, body: { code: "PLATFORM_INTERNAL" } });
    expect(answer.text).not.toMatch(/password|secret|select|Error/);
    const logged = lines.find(
      ({ fields, level }) => level === "error" && fields["requestId"] === `own-${kind}` && "error" in fields,
    );
    expect(logged).toBeDefined();
  });

  it("of unknown paths come from the area below its prefix and from the platform elsewhere", async () => {
    expect(await ask("GET", "/api/test/nothing")).toMatchObject({ status: 404, body: { area: "test" } });
    expect(await ask("POST", "/api/test", { headers: json, body: "{" })).toMatchObject({
      status: 404,
      body: { area: "test" },
    });
    expect(await ask("GET", "/api/tests")).toMatchObject({
      status: 404,
      body: { error: { code: "PLATFORM_NOT_FOUND" } },
    });
    expect(await ask("DELETE", "/healthz")).toMatchObject({ status: 405, body: { error: {} } });
  });

  it("of access carry their headers and come before the input is looked at", async () => {
    const bad = { ...json, authorization: "Bearer bad" };
    const refused = await ask("POST", "/api/test/v1/units?dry=x", { headers: bad, body: "{" });
    expect(refused).toMatchObject({
      status: 401,
      headers: { "www-authenticate": "Bearer" },
      body: { code: "TEST_NOBODY" },
    });
    const asReader = { ...json, authorization: "Bearer reader" };
    expect(await ask("POST", "/api/test/v1/units", { headers: asReader, body: "{" })).toMatchObject({
      status: 403,
    });
    expect(await ask("GET", "/api/test/v1/raw", { headers: asReader })).toMatchObject({ status: 200 });
  });
});

describe("each request", () => {
  it("keeps a sane request id and gets one otherwise", async () => {
    const sane = await ask("GET", "/api/test/nothing", { headers: { "x-request-id": "abc-1" } });
    expect(sane.headers["x-request-id"]).toBe("abc-1");
    const odd = await ask("GET", "/api/test/nothing", { headers: { "x-request-id": "a b{}" } });
    expect(odd.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("leaves one line, without the query", async () => {
    await ask("GET", "/api/test/v1/units/line?token=hidden", { headers: { "x-request-id": "line-1" } });
    await expect
      .poll(() => lines.filter(({ fields }) => fields["requestId"] === "line-1"))
      .toEqual([
        {
          level: "info",
          message: "request",
          fields: {
            requestId: "line-1",
            clientAddress: "127.0.0.1",
            method: "GET",
            path: "/api/test/v1/units/line",
            operation: "getUnit",
            status: 200,
            ms: expect.any(Number),
            actor: testActor.ref,
          },
        },
      ]);
  });

  it("leaves no line with a text that lets its reader act", async () => {
    const secret = `cap_${"s".repeat(43)}.${"t".repeat(43)}`;
    const paths = [`/api/test/v1/units/${secret}`, `/api/test/nothing/${secret}/more`, `/${secret}`];
    for (const path of paths) await ask("GET", path, { headers: { "x-request-id": secret } });
    await ask("DELETE", paths[0]!);
    await expect
      .poll(() =>
        lines.flatMap(({ fields }) => (String(fields["path"]).includes("cap_") ? fields["path"] : [])),
      )
      .toEqual([
        "/api/test/v1/units/cap_***",
        "/api/test/nothing/cap_***/more",
        "/cap_***",
        "/api/test/v1/units/cap_***",
      ]);
    expect(JSON.stringify(lines)).not.toContain("sssss");
  });

  it("is counted by operation and status", async () => {
    await ask("GET", "/api/test/v1/failures/missing");
    const { text } = await ask("GET", "/metrics");
    expect(text).toMatch(/http_request_duration_seconds_count\{operation="fail",status="404"\} \d+/);
    expect(text).toContain("http_event_streams 0");
  });
});

describe("the context", () => {
  const seen: RequestContext[] = [];
  const contextArea = testArea<{ db: string }>(
    (app) =>
      route(app, {
        id: "look",
        method: "GET",
        path: "/look",
        summary: "Looks",
        rule: "read",
        response: { 200: Type.String() },
        handler: (ctx) => {
          seen.push({ ...ctx });
          return ctx.db;
        },
      }),
    { extra: { db: "database" } },
  );

  it("continues the caller's trace and carries what the area adds", async () => {
    await using own = await startTestServer([contextArea]);
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const answer = await request(`${own.url}/api/test/look`, {
      headers: { traceparent, "x-request-id": "r1" },
    });
    expect(await answer.body.text()).toBe('"database"');
    const [ctx] = seen;
    expect(ctx?.traceparent).toMatch(
      /^00-0af7651916cd43dd8448eb211c80319c-(?!b7ad6b7169203331)[0-9a-f]{16}-01$/,
    );
    expect(ctx).toMatchObject({ actor: testActor, requestId: "r1" });
    expect(ctx?.signal.aborted).toBe(false);
  });

  it("starts a trace where there is none, or a broken one", async () => {
    await using own = await startTestServer([contextArea]);
    await request(`${own.url}/api/test/look`, { headers: { traceparent: "00-x" } });
    expect(seen.at(-1)?.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  });

  it("tells a handler that its client is gone", async () => {
    const { promise: started, resolve: start } = Promise.withResolvers<RequestContext>();
    const waiting = testArea((app) =>
      route(app, {
        id: "wait",
        method: "GET",
        path: "/wait",
        summary: "Waits",
        rule: "read",
        response: { 200: Type.Null() },
        handler: async (ctx) => {
          start(ctx);
          const { promise, resolve } = Promise.withResolvers<null>();
          ctx.signal.addEventListener("abort", () => resolve(null));
          return promise;
        },
      }),
    );
    await using own = await startTestServer([waiting]);
    const controller = new AbortController();
    const asked = request(`${own.url}/api/test/wait`, { signal: controller.signal });
    const ctx = await started;
    expect(ctx.signal.aborted).toBe(false);
    controller.abort();
    await expect(asked).rejects.toThrow(/abort/i);
    await expect.poll(() => ctx.signal.aborted).toBe(true);
  });
});
