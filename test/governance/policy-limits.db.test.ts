/** What answers of policies may hold: the text of errors, components, credentials, and what counts for a unit. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { right, testEngines, testPolicy, wrong } from "../../src/governance/evaluations/testdata.ts";
import { createPolicies } from "../../src/governance/reports/plan-policies.ts";
import { openDatabase, type Database } from "../../src/platform/db/database.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { systemContext } from "../../src/platform/lib/request-context.ts";
import { startWholeServer, until, type Answer, type WholeServer } from "../support/server.ts";
import { storeDeployedUnit } from "./deployed-rows.ts";

let server: WholeServer;
/** Governance's own tables. */
let governed: Database;
beforeAll(async () => {
  server = await startWholeServer();
  governed = openDatabase({
    connection: { ...server.db.connection, schema: server.config.database.governance.schema },
    log: silentLogger,
    poolSize: 2,
  });
});
afterAll(async () => {
  await governed.close();
  await server.close();
});

const environment = "development";
const post = (path: string, body: unknown): Promise<Answer> =>
  server.governance({ method: "POST", path, body });
const get = (path: string): Promise<Answer> => server.governance({ path });

async function enable(id: string, body: object): Promise<void> {
  const made = await post("/policies", { id, name: id, engine: "cel", spec: { assert: "true" }, ...body });
  expect(made.status, made.text).toBe(201);
  const changed = await post(`/policies/${id}/status`, { status: "enabled", reason: "Agreed." });
  expect(changed.status, changed.text).toBe(200);
}

const unitOf = (count: number) => ({
  id: "urn:large",
  name: "Large",
  kind: "dataproduct",
  components: Array.from({ length: count }, (_, n) => ({ id: `urn:large:${n}`, kind: "topic" })),
});
const long = "x".repeat(2_000);
const talkative = {
  assert: `lists.range(100).map(i, {'path': '${long}', 'message': '${long}'})`,
};

describe("a policy that says very much of each component", () => {
  it("is answered with counts behind the first errors", async () => {
    const policy = { name: "Talks", engine: "cel", resourceType: "topic", spec: talkative };
    const answer = await post("/policies/test", { environment, policy, descriptor: unitOf(1_000) });
    expect(answer.status, answer.text.slice(0, 500)).toBe(200);
    expect(answer.body.summary).toMatchObject({ error: 1_000 });
    const errors = answer.body.results.map(({ result }: any) => result.errors);
    expect(errors[0]).toHaveLength(100);
    expect(errors.at(-1)).toEqual([{ message: "100 more errors are not shown." }]);
    expect(answer.text.length).toBeLessThan(10_000_000);
  });

  it("is refused with more than 10,000 of them", async () => {
    const policy = { name: "Holds", engine: "cel", spec: { assert: "true" } };
    const nested = { id: "urn:l", components: [{ id: "urn:l:a", components: unitOf(10_000).components }] };
    for (const [path, body] of [
      ["/policies/test", { environment, policy, descriptor: unitOf(10_001) }],
      ["/policies/test", { environment, policy, descriptor: nested }],
      ["/policies/test", { environment, policy, descriptor: unitOf(1), previous: nested }],
      ["/evaluate", { id: "urn:l", environment, resourceType: "dataproduct", descriptor: nested }],
    ] as const) {
      const answer = await post(path, body);
      expect([answer.status, answer.body.code], answer.text.slice(0, 500)).toEqual([
        400,
        "CGP_INVALID_DESCRIPTOR",
      ]);
      expect(answer.body.userMessage).toContain("10000 components");
    }
  });
});

it("a text in YAML whose aliases multiply it is refused", async () => {
  const aliases = Array.from({ length: 200 }, (_, n) => `a${n}: *text`).join("\n");
  const descriptor = `text: &text ${"x".repeat(200_000)}\n${aliases}\n`;
  const list = (alias: string): string => `[${Array.from({ length: 300 }, () => alias).join(", ")}]`;
  const keys = `map: &map {${"k".repeat(1_000)}: 1}\nlist: &list ${list("*map")}\nall: ${list("*list")}\n`;
  for (const text of [descriptor, keys]) {
    const answer = await post("/evaluate", {
      id: "urn:aliases",
      environment,
      resourceType: "storage",
      descriptor: text,
    });
    expect([answer.status, answer.body.code], answer.text.slice(0, 500)).toEqual([
      400,
      "CGP_INVALID_DESCRIPTOR",
    ]);
    expect(answer.body.userMessage).toContain("too large");
  }
});

it("a pushed result is stored without credentials", async () => {
  await enable("pushed", { timing: "runtime", trigger: "passive", strategy: "none" });
  await storeDeployedUnit(server.db.database, { id: "urn:pushed", components: [{ id: "urn:pushed:a" }] });
  const result = {
    policyId: "pushed",
    resourceId: "urn:pushed:a",
    environment,
    outcome: "error",
    errors: [{ path: "url", message: "connect postgres://u:s3cr3t@h/db failed" }],
    at: "2026-11-22T09:00:00.000Z",
  };
  // The second time it is the same as the one that is stored.
  for (const _ of [1, 2]) expect((await post("/results", result)).body).toEqual({ accepted: true });
  const { text, body } = await get("/results?policy=pushed");
  expect(body.data[0].result.errors).toMatchObject([
    { path: "url", message: expect.stringContaining("connect postgres://") },
  ]);
  expect(text).not.toContain("s3cr3t");
  const { rows } = await governed.pool.query("select errors from results where policy_id = 'pushed'");
  expect(JSON.stringify(rows)).not.toContain("s3cr3t");
});

describe("the compliance of a unit", () => {
  it("counts all results, and its list has the errors where it is cut", async () => {
    await enable("many", { resourceType: "nothing" });
    const components = Array.from({ length: 10_100 }, (_, n) => ({
      id: `urn:many:${String(n).padStart(5, "0")}`,
    }));
    await storeDeployedUnit(server.db.database, { id: "urn:many", components });
    await governed.pool.query(
      `insert into results (policy_id, policy_version, policy_kind, policy_name, policy_status, resource_key, resource_id,
         resource_name, resource_type, environment, unit_key, source, at, outcome, blocking, is_error, is_satisfied, errors)
       select 'many', 1, 'policy', 'many', 'enabled', c, c, c, 'storage', 'development', 'urn:many', 'report',
         '2026-11-22T09:00:00Z', case when place = 10100 then 'error' else 'ok' end, place = 10100, false, place < 10100, '[]'
       from unnest($1::text[]) with ordinality e(c, place)`,
      [components.map(({ id }) => id)],
    );
    const { body } = await get("/units/urn:many/compliance?environment=development");
    expect(body.summary).toEqual({
      isCompliant: false,
      ok: 10_099,
      warning: 0,
      error: 1,
      failed: 0,
      evaluatedAt: "2026-11-22T09:00:00.000Z",
    });
    expect(body.policies).toHaveLength(10_000);
    expect(body.policies.filter(({ outcome }: any) => outcome === "error")).toMatchObject([
      { resource: { id: "urn:many:10099" } },
    ]);
  });

  it("is not changed by the plan of another unit with the same component", async () => {
    await enable("shared", { resourceType: "nothing" });
    const [a, b] = ["a", "b"].map((name) => ({
      id: `urn:shared-${name}`,
      kind: "dataproduct",
      components: [{ id: "urn:shared-x", kind: "topic", ...(name === "a" ? { description: "Held." } : {}) }],
    }));
    if (a === undefined || b === undefined) throw new Error("unreachable");
    for (const unit of [a, b]) await storeDeployedUnit(server.db.database, unit);
    const described = testPolicy({ id: "shared", version: 1, resourceType: "topic" });
    const policies = createPolicies({
      database: governed,
      engines: testEngines({
        described: ({ resource }) =>
          "description" in (resource as object) ? right : wrong("no description"),
      }).engines,
      readExceptions: async () => [],
      readForDeployments: async () => [described],
      failureOf: () => undefined,
    });
    let minute = 0;
    const evaluate = async (unit: typeof a): Promise<void> => {
      const at = new Date(Date.UTC(2026, 10, 22, 9, ++minute));
      await policies.evaluate(
        systemContext(silentLogger, () => at),
        {
          unitId: unit.id,
          environment,
          descriptor: unit,
          previous: null,
          componentIds: ["urn:shared-x"],
          scope: "plan",
          withinMs: 30_000,
        },
      );
    };
    const compliance = async ({ id }: typeof a) =>
      (await get(`/units/${id}/compliance?environment=${environment}`)).body;
    await evaluate(a);
    const before = await compliance(a);
    expect(before.summary).toMatchObject({ isCompliant: true, ok: 1 });
    await evaluate(b);
    expect(await compliance(a)).toEqual(before);
    expect((await compliance(b)).summary).toMatchObject({ isCompliant: false, error: 1 });
  });
});

it("the report of a trial says very much of no more than the first components", async () => {
  await storeDeployedUnit(server.db.database, unitOf(300));
  const policy = { name: "Talks", engine: "cel", resourceType: "topic", spec: talkative };
  const started = await post("/policies/test", { environment, policy, everything: true });
  const report = await until(
    () => get(`/evaluation-reports/${started.body.reportId}`),
    ({ body }) => body.status !== "pending",
  );
  expect(report.body.status).toBe("completed");
  expect(report.text.length).toBeLessThan(10_000_000);
});
