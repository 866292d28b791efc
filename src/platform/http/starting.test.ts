import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { Type } from "typebox";
import { request } from "undici";
import { startTestServer, testActor, testArea } from "../../../test/support/http.ts";
import { Failure } from "../errors/failure.ts";
import { silentLogger } from "../lib/logger.ts";
import { createMetrics } from "../telemetry/metrics.ts";
import { route, type Area, type AreaApp } from "./operation.ts";
import { createHttpServer } from "./server.ts";
import { unitOperations } from "./testdata.ts";

describe("limits", () => {
  it("answers 429 in the area's body when a caller asks too often", async () => {
    await using own = await startTestServer([testArea(unitOperations)], {
      server: { rateLimitPerMinute: 3 },
    });
    const statuses: number[] = [];
    for (let index = 0; index < 5; index += 1) {
      const answer = await request(`${own.url}/api/test/v1/raw`);
      statuses.push(answer.statusCode);
      if (answer.statusCode === 429) {
        expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
        expect(await answer.body.json()).toMatchObject({ area: "test", code: "PLATFORM_RATE_LIMITED" });
      } else {
        await answer.body.dump();
      }
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect((await request(`${own.url}/healthz`)).statusCode).toBe(200);
  });

  it("counts refused credentials against the address", async () => {
    await using own = await startTestServer([testArea(unitOperations)], {
      server: { rateLimitPerMinute: 2 },
      access: {
        authenticate: () => {
          throw new Failure({ kind: "unauthenticated", code: "TEST_NOBODY", message: "No." });
        },
        authorize: () => undefined,
        hasRule: () => true,
        isPublic: () => false,
      },
    });
    const statuses: number[] = [];
    for (let index = 0; index < 4; index += 1) {
      statuses.push((await request(`${own.url}/api/test/v1/raw`)).statusCode);
    }
    expect(statuses).toEqual([401, 401, 429, 429]);
  });
});

describe("health", () => {
  it("says what is not ready and why", async () => {
    const checks = [{ name: "database", ok: false, reason: "not reachable" }];
    await using own = await startTestServer([], { readiness: async () => ({ ready: false, checks }) });
    const answer = await request(`${own.url}/readyz`);
    expect([answer.statusCode, await answer.body.json()]).toEqual([503, { status: "not ready", checks }]);
    expect((await request(`${own.url}/healthz`)).statusCode).toBe(200);
  });

  it("is not ready when the check itself fails", async () => {
    await using own = await startTestServer([], { readiness: () => Promise.reject(new Error("password=x")) });
    const answer = await request(`${own.url}/readyz`);
    expect(answer.statusCode).toBe(503);
    expect(await answer.body.text()).not.toContain("password");
  });
});

describe("starting", () => {
  const create = (areas: Area[], host = "127.0.0.1", port = 0) =>
    createHttpServer({
      server: {
        host,
        port,
        bodyLimitBytes: 1000,
        shutdownGraceMs: 100,
        rateLimitPerMinute: 0,
        trustProxy: false,
      },
      areas,
      log: silentLogger,
      metrics: createMetrics({ processMetrics: false }),
      access: {
        authenticate: () => testActor,
        authorize: () => undefined,
        hasRule: (rule) => rule === "read",
        isPublic: () => false,
      },
      readiness: async () => ({ ready: true, checks: [] }),
    });

  it("says what to do when the port is taken", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => taken.once("listening", resolve));
    const address = taken.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const own = await create([], "127.0.0.1", port);
    await expect(own.listen()).rejects.toMatchObject({
      code: "PLATFORM_LISTEN",
      message: `The address 127.0.0.1:${port} is in use by another process.`,
      solutions: [expect.stringContaining("server.port")],
    });
    await own.close();
    taken.close();
  });

  const operation = {
    id: "a",
    method: "GET",
    path: "/a/{x}",
    summary: "A",
    rule: "read",
    response: { 200: Type.Null() },
    handler: () => null,
  } as const;

  it.each<[string, (app: AreaApp) => void, RegExp]>([
    [
      "an unknown rule",
      (app) => route(app, { ...operation, rule: "other" }),
      /rule other is not in the policy table/,
    ],
    [
      "a repeated id",
      (app) => [operation, { ...operation, path: "/b" }].forEach((each) => route(app, each)),
      /another operation has this id/,
    ],
    [
      "params that differ from the path",
      (app) => route(app, { ...operation, params: Type.Object({ y: Type.String() }) }),
      /path names \{x\} and its params \{y\}/,
    ],
    [
      "a foreign base",
      (app) => route(app, { ...operation, base: "/api/elsewhere" }),
      /neither the prefix nor an alias/,
    ],
  ])("refuses %s", async (_, register, message) => {
    await expect(create([testArea(register)])).rejects.toThrow(message);
  });

  it("refuses an area whose bodies would contradict their status", async () => {
    const area = testArea(() => undefined, { toBody: () => ({ status: 400, body: {} }) });
    await expect(create([area])).rejects.toThrow(/statusOf/);
  });
});
