/** Whose results count: those of callers for units of others, and pushed ones beside what is deployed, graces and exceptions. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startWholeServer, until, type Answer, type TestRole, type WholeServer } from "../support/server.ts";
import { storeDeployedUnit } from "./deployed-rows.ts";

let server: WholeServer;
beforeAll(async () => {
  server = await startWholeServer();
});
afterAll(() => server.close());

const post = (path: string, body: unknown, as?: TestRole): Promise<Answer> =>
  server.governance({ method: "POST", path, body, ...(as ? { as } : {}) });
const get = (path: string): Promise<Answer> => server.governance({ path });

let count = 0;
const described = { name: "Described", engine: "cel", spec: { assert: "has(resource.description)" } };
const passive = { timing: "runtime", trigger: "passive", strategy: "none" };

async function createPolicy(body: object = {}, status: object = { status: "enabled" }): Promise<string> {
  const id = `pushed-${++count}`;
  const made = await post("/policies", { ...described, id, ...body });
  expect(made.status, made.text).toBe(201);
  const changed = await post(`/policies/${id}/status`, { reason: "Agreed.", ...status });
  expect(changed.status, changed.text).toBe(200);
  return id;
}

async function disable(id: string): Promise<void> {
  expect((await post(`/policies/${id}/status`, { status: "disabled", reason: "Done." })).status).toBe(200);
}

/** A unit with two components. */
function newUnit() {
  const id = `urn:dmb:dp:fleet:pushed:${++count}`;
  return {
    id,
    name: "Pushed",
    kind: "dataproduct",
    domain: "fleet",
    components: [
      { id: `${id}:Port`, name: "Port", kind: "outputport" },
      { id: `${id}:load`, name: "Load", kind: "workload" },
    ],
  };
}

const at = (minute: number) => `2026-11-22T09:${String(minute).padStart(2, "0")}:00.000Z`;
const push = async (policyId: string, resourceId: string, more: object): Promise<boolean> => {
  const answer = await post("/results", { policyId, resourceId, environment: "development", ...more });
  expect(answer.status, answer.text).toBe(202);
  return answer.body.accepted;
};
const results = async (filter: string): Promise<any[]> => (await get(`/results?${filter}`)).body.data;

async function evaluate(id: string, descriptor: object, as: TestRole): Promise<Answer> {
  const body = { id, environment: "development", resourceType: "dataproduct", descriptor };
  const started = await post("/evaluate", body, as);
  expect(started.status, started.text).toBe(202);
  return until(
    () => get(`/evaluation-reports/${started.body.reportId}`),
    ({ body: report }) => report.status !== "pending",
  );
}

describe("an evaluation by a developer", () => {
  it("stores nothing about what is deployed, whatever unit it is sent in, but what is not", async () => {
    const policyId = await createPolicy();
    const unit = newUnit();
    await storeDeployedUnit(server.db.database, unit);
    const [port, load] = unit.components.map(({ id }) => id) as [string, string];
    const mine = {
      id: `${unit.id}:of-mine`,
      components: [
        { id: port.toUpperCase(), kind: "outputport", description: "Fine.", name: "x" },
        { id: `${unit.id}:own`, kind: "storage", components: [{ id: load, description: "Fine." }] },
        { id: unit.id, description: "Fine." },
      ],
    };
    const report = await evaluate(mine.id, mine, "developer");
    expect(report.body.summary).toEqual({ ok: 3, warning: 0, error: 2, failed: 0 });
    for (const id of [port, load, unit.id]) expect(await results(`resource=${id}`), id).toEqual([]);
    for (const id of [mine.id, `${unit.id}:own`])
      expect(await results(`resource=${id}`), id).toMatchObject([{ outcome: "error" }]);
    await evaluate(mine.id, mine, "operator");
    for (const id of [port, load, unit.id])
      expect(await results(`resource=${id}`), id).toMatchObject([{ outcome: "ok" }]);
    await disable(policyId);
  });
});

describe("a pushed result", () => {
  it("takes names, type and domain from what is deployed, not from the result before it", async () => {
    const policyId = await createPolicy(passive);
    const unit = newUnit();
    await storeDeployedUnit(server.db.database, unit);
    const port = unit.components[0]!;
    await push(policyId, port.id, { outcome: "ok", at: at(1) });
    const changed = {
      ...unit,
      domain: "harbour",
      components: [{ ...port, kind: "storage", name: "Renamed" }, unit.components[1]!],
    };
    await storeDeployedUnit(server.db.database, changed);
    await push(policyId, port.id, { outcome: "ok", at: at(2) });
    const shown = await results(`policy=${policyId}`);
    expect(shown.map(({ resource }) => [resource.displayName, resource.resourceType])).toEqual([
      ["Renamed", "storage"],
      ["Port", "outputport"],
    ]);
    const { rows } = await server.db.database.pool.query(
      `select domain from ${server.config.database.governance.schema}.results where policy_id = $1 order by at`,
      [policyId],
    );
    expect(rows).toEqual([{ domain: "fleet" }, { domain: "harbour" }]);
    await disable(policyId);
  });

  it("does not hide what the evaluation before the first deployment found", async () => {
    const active = await createPolicy({ resourceType: "workload" });
    const policyId = await createPolicy(passive);
    const unit = newUnit();
    const [port, load] = unit.components.map(({ id }) => id) as [string, string];
    await evaluate(unit.id, unit, "operator");
    await push(policyId, load, { outcome: "ok", at: new Date(Date.now() + 60_000).toISOString() });
    const { body } = await get(`/units/${unit.id}/compliance?environment=development`);
    expect(body.summary).toMatchObject({ isCompliant: false, ok: 1, error: 1 });
    expect(port).not.toBe(load);
    await disable(active);
    await disable(policyId);
  });

  it("of a policy in grace is a warning while the grace lasts", async () => {
    const grace = { status: "grace", graceUntil: "2999-01-01T00:00:00Z" };
    const policyId = await createPolicy(passive, grace);
    const unit = newUnit();
    await storeDeployedUnit(server.db.database, unit);
    expect(await push(policyId, unit.id, { outcome: "error", at: at(1) })).toBe(true);
    // The same result again, however it counts by now.
    await post(`/policies/${policyId}/status`, { status: "enabled", reason: "Agreed." });
    expect(await push(policyId, unit.id, { outcome: "error", at: at(1) })).toBe(true);
    await push(policyId, unit.id, { outcome: "error", at: at(2) });
    const shown = await results(`policy=${policyId}`);
    expect(
      shown.map((each) => [each.outcome, each.governanceEntityStatus, each.result.satisfiesPolicy]),
    ).toEqual([
      ["error", "enabled", false],
      ["warning", "grace", false],
    ]);
    await disable(policyId);
  });

  it.each([
    ["its id, in any case", (id: string) => ({ resourceIds: [id.toUpperCase()] })],
    ["an expression", () => ({ select: `resource.kind == "outputport"` })],
  ])("is a warning where an exception names %s", async (_, which) => {
    const policyId = await createPolicy(passive);
    const unit = newUnit();
    await storeDeployedUnit(server.db.database, unit);
    const [port, load] = unit.components.map(({ id }) => id) as [string, string];
    const asked = { policyId, reason: "Refit.", until: "2999-01-01T00:00:00Z", ...which(port) };
    const exception = await post("/exceptions", asked, "service");
    expect(exception.status, exception.text).toBe(201);
    await push(policyId, port, { outcome: "error", at: at(1) });
    const decision = { approve: true, reason: "Until June." };
    expect((await post(`/exceptions/${exception.body.id}/decision`, decision)).status).toBe(200);
    await push(policyId, port, { outcome: "error", at: at(2) });
    await push(policyId, load, { outcome: "error", at: at(3) });
    const shown = await results(`policy=${policyId}`);
    expect(shown.map(({ outcome, exceptionId }) => [outcome, exceptionId])).toEqual([
      ["error", undefined],
      ["warning", exception.body.id],
      ["error", undefined],
    ]);
    await disable(policyId);
  });

  it("that is an error is not the same as a warning of the same time, unless a grace or an exception made one of it", async () => {
    const policyId = await createPolicy(passive);
    const unit = newUnit();
    await storeDeployedUnit(server.db.database, unit);
    const said = { errors: [{ message: "Wrong." }], at: at(1) };
    expect(await push(policyId, unit.id, { outcome: "warning", ...said })).toBe(true);
    expect(await push(policyId, unit.id, { outcome: "error", ...said })).toBe(false);
    expect(await push(policyId, unit.id, { outcome: "warning", ...said })).toBe(true);
    const port = unit.components[0]!.id;
    expect(await push(policyId, port, { outcome: "error", ...said })).toBe(true);
    const asked = { policyId, reason: "Refit.", until: "2999-01-01T00:00:00Z", resourceIds: [unit.id, port] };
    const exception = await post("/exceptions", asked, "service");
    const decision = { approve: true, reason: "Until June." };
    expect((await post(`/exceptions/${exception.body.id}/decision`, decision)).status).toBe(200);
    // Both counted otherwise when they were sent first.
    expect(await push(policyId, unit.id, { outcome: "error", ...said })).toBe(false);
    expect(await push(policyId, port, { outcome: "error", ...said })).toBe(true);
    const later = { ...said, at: at(2) };
    expect(await push(policyId, port, { outcome: "error", ...later })).toBe(true);
    expect(await push(policyId, port, { outcome: "error", ...later })).toBe(true);
    expect(await push(policyId, port, { outcome: "warning", ...later })).toBe(false);
    expect((await results(`policy=${policyId}`)).map(({ outcome }) => outcome)).toEqual([
      "warning",
      "warning",
      "error",
    ]);
    await disable(policyId);
  });

  it("with the time of another one, to the millisecond, is accepted only where it says the same", async () => {
    const policyId = await createPolicy(passive);
    const unit = newUnit();
    await storeDeployedUnit(server.db.database, unit);
    const first = {
      outcome: "error",
      value: 3,
      errors: [{ path: "name", message: "Wrong." }],
      at: "2026-11-22T09:00:00.123456Z",
    };
    const answers = [];
    for (const more of [
      {},
      {},
      { at: "2026-11-22T09:00:00.123999Z" },
      { outcome: "ok" },
      { value: 4 },
      { errors: [] },
      { errors: [{ path: "name", message: "Other." }] },
    ])
      answers.push(await push(policyId, unit.id, { ...first, ...more }));
    expect(answers).toEqual([true, true, true, false, false, false, false]);
    expect(await results(`policy=${policyId}`)).toMatchObject([{ outcome: "error", result: { value: 3 } }]);
    await disable(policyId);
  });
});
