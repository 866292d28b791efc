/** Evaluations over HTTP, with the real engines: reports, trials, pushed results, compliance, and bad input. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startWholeServer, until, type Answer, type TestRole, type WholeServer } from "../support/server.ts";
import { storeDeployedUnit } from "./deployed-rows.ts";

let server: WholeServer;
beforeAll(async () => {
  server = await startWholeServer();
  await storeDeployedUnit(server.db.database, fleet);
});
afterAll(() => server.close());

const fleet = {
  id: "urn:dmb:dp:fleet:Positions:0",
  name: "Positions",
  kind: "dataproduct",
  description: "Positions of the fleet",
  dataProductOwner: "user:ada",
  components: [
    { id: "urn:dmb:cmp:fleet:Positions:0:latest", name: "Latest", kind: "outputport", description: "Now" },
    { id: "urn:dmb:cmp:fleet:Positions:0:load", name: "Load", kind: "workload" },
  ],
};
const [port, load] = [fleet.components[0]!.id, fleet.components[1]!.id];
const described = { name: "Described", engine: "cel", spec: { assert: "has(resource.description)" } };

const post = (path: string, body: unknown, as?: TestRole): Promise<Answer> =>
  server.governance({ method: "POST", path, body, ...(as ? { as } : {}) });
const get = (path: string): Promise<Answer> => server.governance({ path });

let count = 0;
async function createPolicy(body: object = {}, status: string | null = "enabled"): Promise<string> {
  const id = `policy-${++count}`;
  const made = await post("/policies", { ...described, id, ...body });
  expect(made.status, made.text).toBe(201);
  if (status !== null) {
    const changed = await post(`/policies/${id}/status`, { status, reason: "Agreed." });
    expect(changed.status, changed.text).toBe(200);
  }
  return id;
}

async function disable(id: string): Promise<void> {
  expect((await post(`/policies/${id}/status`, { status: "disabled", reason: "Done." })).status).toBe(200);
}

const completed = (reportId: string): Promise<Answer> =>
  until(
    () => get(`/evaluation-reports/${reportId}`),
    ({ body }) => body.status !== "pending",
  );

const topic = {
  id: "ext:topic:1",
  environment: "development",
  resourceType: "topic",
  descriptor: { name: "t" },
};

describe("an evaluation", () => {
  it("of a resource is a report that names the version of each policy", async () => {
    const policy = await createPolicy({ resourceType: "topic", advice: "Describe it." });
    const started = await post("/evaluate", topic);
    expect([started.status, Object.keys(started.body)]).toEqual([202, ["reportId"]]);
    const { body } = await completed(started.body.reportId);
    expect(body).toEqual({
      id: started.body.reportId,
      status: "completed",
      evaluationScope: "resource",
      environment: "development",
      summary: { ok: 0, warning: 0, error: 1, failed: 0 },
      createdAt: expect.any(String),
      endedAt: expect.any(String),
      evaluationResults: [
        {
          governanceEntityId: policy,
          governanceEntityVersion: 1,
          governanceEntityName: "Described",
          governanceEntityStatus: "enabled",
          governanceEntityType: "policy",
          outcome: "error",
          blocking: true,
          resource: {
            id: "ext:topic:1",
            displayName: "ext:topic:1",
            environment: "development",
            resourceType: "topic",
          },
          result: {
            isError: false,
            satisfiesPolicy: false,
            errors: [expect.objectContaining({ message: expect.any(String) })],
          },
          advice: "Describe it.",
          creationTime: expect.any(String),
        },
      ],
    });
    await disable(policy);
  });

  it("takes YAML, and says where it cannot be read", async () => {
    const sent = await post("/evaluate", { ...topic, descriptor: "name: t\ndescription: Text\n" });
    expect(sent.status).toBe(202);
    const broken = await post("/evaluate", { ...topic, descriptor: "name: [t" });
    expect(broken.body).toMatchObject({ code: "CGP_INVALID_DESCRIPTOR", inputErrorField: "/descriptor" });
    expect(broken.body.userMessage).toMatch(/line \d+, column \d+/);
  });

  it("of an expression that breaks is failed, and blocks where the policy says so", async () => {
    const spec = { assert: "resource.missing.field == 1" };
    const warns = await createPolicy({ resourceType: "topic", spec });
    const blocks = await createPolicy({ resourceType: "topic", spec, onError: "block" });
    const { body } = await completed((await post("/evaluate", topic)).body.reportId);
    expect(
      body.evaluationResults.map((each: any) => [
        each.governanceEntityId,
        each.outcome,
        each.blocking,
        each.result.isError,
      ]),
    ).toEqual([
      [warns, "failed", false, true],
      [blocks, "failed", true, true],
    ]);
    await disable(warns);
    await disable(blocks);
  });

  it.each([
    ["environment", { ...topic, environment: "moon" }, 400, "CGP_UNKNOWN_ENVIRONMENT"],
    ["descriptor", { ...topic, descriptor: "a scalar" }, 400, "CGP_INVALID_DESCRIPTOR"],
    ["bomb", { ...topic, descriptor: bomb() }, 400, "CGP_INVALID_DESCRIPTOR"],
    ["no id", { ...topic, id: undefined }, 400, "PLATFORM_INPUT"],
  ])("with a wrong %s is refused", async (_, body, status, code) => {
    const answer = await post("/evaluate", body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it("report that nobody started is 404", async () => {
    const answer = await get("/evaluation-reports/none");
    expect([answer.status, answer.body.code]).toEqual([404, "CGP_REPORT_NOT_FOUND"]);
  });
});

/** Aliases of aliases: ten million values in a few lines. */
function bomb(): string {
  const lines = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"];
  for (let n = 1; n < 7; n++)
    lines.push(
      `a${n}: &a${n} [${Array(10)
        .fill(`*a${n - 1}`)
        .join(", ")}]`,
    );
  return lines.join("\n");
}

describe("a test of a policy", () => {
  it("on a descriptor answers what it would say if it were enabled, and stores nothing", async () => {
    const { status, body } = await post(
      "/policies/test",
      { policy: described, descriptor: fleet, environment: "development" },
      "developer",
    );
    expect(status).toBe(200);
    expect(body.summary).toEqual({ ok: 2, warning: 0, error: 1, failed: 0 });
    expect(body.results[2]).toMatchObject({
      governanceEntityStatus: "draft",
      outcome: "error",
      resource: { id: load, resourceType: "workload" },
    });
    expect((await get(`/results/count?resource=${load}`)).body).toEqual({ count: 0 });
  });

  it("compares with the previous descriptor", async () => {
    const policy = {
      ...described,
      resourceType: "outputport",
      strategy: "previous_vs_current",
      spec: { assert: "original.description == current.description" },
    };
    const changed = { ...fleet, components: [{ ...fleet.components[0], description: "Other" }] };
    const body = { policy, descriptor: changed, previous: fleet, environment: "development" };
    expect((await post("/policies/test", body)).body.summary).toMatchObject({ error: 1, ok: 0 });
    expect((await post("/policies/test", { ...body, previous: changed })).body.summary).toMatchObject({
      ok: 1,
    });
  });

  it("on everything lists who would be hit", async () => {
    const started = await post("/policies/test", {
      policy: described,
      everything: true,
      environment: "development",
    });
    expect(started.status).toBe(202);
    const { body } = await completed(started.body.reportId);
    expect(body).toMatchObject({ evaluationScope: "everything", summary: { ok: 2, error: 1 } });
    expect(body.evaluationResults).toMatchObject([
      { resource: { id: load }, unit: { id: fleet.id, owner: "user:ada" }, outcome: "error" },
    ]);
  });

  it("of a stored one takes its id", async () => {
    const id = await createPolicy({}, null);
    const { body } = await post("/policies/test", {
      policyId: id,
      descriptor: fleet,
      environment: "development",
    });
    expect(body.results[0]).toMatchObject({ governanceEntityId: id, governanceEntityVersion: 1 });
  });

  it.each([
    ["nothing to try on", { policy: described }, 400, "CGP_INVALID_TRIAL"],
    ["both", { policy: described, descriptor: fleet, everything: true }, 400, "CGP_INVALID_TRIAL"],
    ["no policy", { descriptor: fleet }, 400, "CGP_INVALID_TRIAL"],
    ["an unknown policy", { policyId: "none", descriptor: fleet }, 404, "CGP_POLICY_NOT_FOUND"],
    [
      "an expression that does not compile",
      { policy: { ...described, spec: { assert: "resource. ==" } }, descriptor: fleet },
      400,
      "CGP_INVALID_POLICY",
    ],
    [
      "a schedule that is none",
      {
        policy: { ...described, timing: "runtime", schedule: "every day" },
        everything: true,
      },
      400,
      "CGP_INVALID_POLICY",
    ],
  ])("with %s is refused", async (_, body, status, code) => {
    const answer = await post("/policies/test", { environment: "development", ...body });
    expect([answer.status, answer.body.code], answer.text).toEqual([status, code]);
  });
});

describe("pushed results", () => {
  const passive = { timing: "runtime", trigger: "passive", strategy: "none" };
  const at = (minute: number) => `2026-11-22T09:${String(minute).padStart(2, "0")}:00.000Z`;

  it("are taken in unless an older one comes late; the same one twice is one", async () => {
    const policyId = await createPolicy({ ...passive, resourceType: "outputport" });
    const push = (minute: number, outcome: string) =>
      post("/results", {
        policyId,
        resourceId: port.toUpperCase(),
        environment: "development",
        outcome,
        at: at(minute),
      });
    const answers = [];
    for (const [minute, outcome] of [
      [10, "ok"],
      [20, "warning"],
      [15, "error"],
      [20, "warning"],
      [10, "ok"],
    ] as const) {
      const { status, body } = await push(minute, outcome);
      answers.push([status, body.accepted]);
    }
    expect(answers).toEqual([
      [202, true],
      [202, true],
      [202, false],
      [202, true],
      [202, false],
    ]);
    const { body } = await get(`/results?policy=${policyId}`);
    expect(body.data.map((each: any) => [each.creationTime, each.outcome, each.resource.id])).toEqual([
      [at(20), "warning", port],
      [at(10), "ok", port],
    ]);
    await disable(policyId);
  });

  it("of 20 at once the latest counts, and each is there once", async () => {
    const policyId = await createPolicy({ ...passive });
    const results = Array.from({ length: 20 }, (_, n) => ({
      policyId,
      resourceId: port,
      environment: "development",
      outcome: "ok",
      at: at(10 + (n % 10)),
    }));
    const answers = await Promise.all(results.map((each) => post("/results", each)));
    expect(answers.map(({ status }) => status)).toEqual(results.map(() => 202));
    const { body } = await get(`/results?policy=${policyId}&limit=1`);
    expect(body.data[0].creationTime).toBe(at(19));
    expect((await get(`/results/count?policy=${policyId}`)).body.count).toBeLessThanOrEqual(10);
    await disable(policyId);
  });

  it("that nobody can have found are refused", async () => {
    const policyId = await createPolicy({ ...passive });
    const active = await createPolicy({ resourceType: "nothing" });
    const good = { policyId, resourceId: port, environment: "development", outcome: "ok", at: at(1) };
    const cases = [
      [{ ...good, resourceId: "urn:nobody" }, 404, "CGP_RESOURCE_NOT_FOUND"],
      [{ ...good, environment: "production" }, 404, "CGP_RESOURCE_NOT_FOUND"],
      [{ ...good, policyId: "none" }, 404, "CGP_POLICY_NOT_FOUND"],
      [{ ...good, policyId: active }, 409, "CGP_POLICY_NOT_PASSIVE"],
      [{ ...good, at: "2999-01-01T00:00:00Z" }, 400, "CGP_INVALID_RESULT"],
      [{ ...good, at: "yesterday" }, 400, "PLATFORM_INPUT"],
      [{ ...good, outcome: "bad" }, 400, "PLATFORM_INPUT"],
    ] as const;
    for (const [body, status, code] of cases) {
      const answer = await post("/results", body);
      expect([answer.status, answer.body.code], answer.text).toEqual([status, code]);
    }
    expect((await post("/results", good, "developer")).status).toBe(403);
    await disable(policyId);
    await disable(active);
  });
});

describe("the list of results", () => {
  it("has pages, filters and a count", async () => {
    const policyId = await createPolicy({ timing: "runtime", trigger: "passive", strategy: "none" });
    for (let n = 0; n < 5; n++)
      await post("/results", {
        policyId,
        resourceId: n % 2 === 0 ? port : load,
        environment: "development",
        outcome: n === 4 ? "error" : "ok",
        at: `2026-11-22T0${n}:00:00.000Z`,
      });
    const seen: string[] = [];
    let cursor = "";
    do {
      const { body } = await get(`/results?policy=${policyId}&limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.data.map((each: any) => each.creationTime.slice(11, 13)));
      cursor = body.meta.pagination.next;
    } while (cursor);
    expect(seen).toEqual(["04", "03", "02", "01", "00"]);
    const filtered = await get(
      `/results?policy=${policyId}&resource=${load.toUpperCase()}&since=2026-11-22T02:00:00Z`,
    );
    expect(filtered.body.data.map((each: any) => each.creationTime.slice(11, 13))).toEqual(["03"]);
    expect((await get(`/results/count?policy=${policyId}&outcome=error,failed`)).body).toEqual({ count: 1 });
    const broken = await get("/results?cursor=abc");
    expect([broken.status, broken.body.code]).toEqual([400, "CGP_INVALID_CURSOR"]);
  });
});

describe("the compliance of a unit", () => {
  it("is about what is deployed, with the last evaluations", async () => {
    const unit = {
      ...fleet,
      id: "urn:dmb:dp:fleet:compliance:0",
      components: fleet.components.map((each) => ({
        ...each,
        id: each.id.replace("Positions", "compliance"),
      })),
    };
    const [own, gone] = unit.components.map(({ id }) => id);
    await storeDeployedUnit(server.db.database, unit);
    const policyId = await createPolicy({ timing: "runtime", trigger: "passive", strategy: "none" });
    const push = (resourceId: string | undefined, outcome: string, minute: number) =>
      post("/results", {
        policyId,
        resourceId,
        environment: "development",
        outcome,
        at: `2026-11-22T09:0${minute}:00.000Z`,
      });
    await push(own, "warning", 1);
    await push(own, "ok", 2);
    await push(gone, "error", 2);
    const read = () => get(`/units/${unit.id.toUpperCase()}/compliance?environment=development`);
    expect((await read()).body).toMatchObject({
      unitId: unit.id,
      summary: {
        isCompliant: false,
        ok: 1,
        warning: 0,
        error: 1,
        failed: 0,
        evaluatedAt: "2026-11-22T09:02:00.000Z",
      },
      history: [
        { at: "2026-11-22T09:02:00.000Z", source: "pushed", ok: 1, error: 1 },
        { at: "2026-11-22T09:01:00.000Z", source: "pushed", warning: 1 },
      ],
    });
    await storeDeployedUnit(server.db.database, unit, { deployed: [own!] });
    const { body } = await read();
    expect(body.policies.map((each: any) => each.resource.id)).toEqual([own]);
    expect(body.summary).toMatchObject({ isCompliant: true, error: 0 });
    await disable(policyId);
    expect((await read()).body.policies).toEqual([]);
  });

  it.each([
    ["a unit that nobody knows", "urn:none"],
    ["a component", port],
  ])("of %s is 404", async (_, id) => {
    const answer = await get(`/units/${id}/compliance?environment=development`);
    expect([answer.status, answer.body.code]).toEqual([404, "CGP_UNIT_NOT_FOUND"]);
  });
});
