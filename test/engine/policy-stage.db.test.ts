/** Plans are checked against policies before any adapter is called. */
import { dump } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PolicyStage } from "../../src/coordinator/execution/tasks/plan-run.ts";
import type { Policies, PolicyRequest, PolicyVerdict } from "../../src/coordinator/ports.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { Failure } from "../../src/platform/errors/failure.ts";
import { eventually } from "../support/eventually.ts";
import { startEngine, type TestEngine } from "./engine.ts";
import { openLane, type Lane } from "./lane.ts";
import { endState } from "./ledger.ts";
import { part, request, type Part } from "./plan-fixtures.ts";
import { createPolicyStub, verdictOn } from "./policy-stub.ts";

let lane: Lane;
let units = 0;
beforeAll(async () => {
  lane = await openLane();
});
afterAll(() => lane.close());

const newUnit = (): string => `governed-${++units}`;
const pair = [part("a"), part("b", ["a"])];
const known = createPolicyStub();

type Outcome = "warning" | "error";

/** A start of the unit; `says` is what the policies say of its components, or of `unit` itself. */
function governed(unitId: string, says: Record<string, Outcome> = {}, parts: Part[] = pair) {
  const body = structuredClone(request(unitId, parts));
  const unit = body.descriptor as { policy?: Outcome; components: { id: string; specific: object }[] };
  if (says["unit"]) unit.policy = says["unit"];
  for (const { id, specific } of unit.components) if (says[id]) Object.assign(specific, { policy: says[id] });
  return body;
}

async function withEngine<T>(
  policies: PolicyStage | undefined,
  work: (engine: TestEngine) => Promise<T>,
): Promise<T> {
  const engine = await startEngine(lane.db.connection, policies ? { policies } : {});
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

/** Runs the start to its end; the plan's token. */
const run = (body: ReturnType<typeof governed>, policies?: PolicyStage): Promise<string> =>
  withEngine(policies, async (engine) => {
    const planId = await lane.start(body, { policies: known });
    await engine.drive(planId);
    await lane.read(planId);
    return planId;
  });

interface PolicyTask {
  id: string;
  status: string;
  result: string;
  found: { problems: string[]; warnings: string[]; solutions: string[] } | null;
}

async function policyTasks(planId: string): Promise<PolicyTask[]> {
  const { rows } = await sql<PolicyTask>`select task_id as id, status, result,
      info -> 'publicInfo' -> 'policies' as found
    from plan_tasks where plan_id = ${planId} and action = 'POLICY_VALIDATE_COMPONENT' order by position`.execute(
    lane.db.database.db,
  );
  return rows;
}

async function logOf(planId: string): Promise<{ severity: string; message: string }[]> {
  const { rows } = await sql<{ data: { severity: string; message: string } }>`select data from events
    where stream = ${`plan:${planId}`} and type = 'log' order by id`.execute(lane.db.database.db);
  return rows.map(({ data }) => data);
}

const stateOf = (planId: string) => endState(lane.db.database.db, planId);

const problem = 'Policy "Tidy names" (tidy-names, version 3) at /name: The name is not tidy.';

describe("a policy that is violated", () => {
  it.each([
    ["by a component", "b"],
    ["by the unit itself", "unit"],
  ])("stops the plan before any adapter is called, %s", async (_, where) => {
    const unitId = newUnit();
    const planId = await run(governed(unitId, { [where]: "error" }));
    const failed = where === "unit" ? `policy:${unitId}` : "policy:b";
    const tasks = await policyTasks(planId);
    expect(tasks.map(({ id, status }) => [id, status])).toEqual(
      [`policy:${unitId}`, "policy:a", "policy:b"].map((id) => [id, id === failed ? "FAILED" : "COMPLETED"]),
    );
    expect(tasks.find(({ id }) => id === failed)!.found).toMatchObject({
      problems: [problem],
      solutions: ["Choose a tidy name."],
    });
    expect(JSON.parse(tasks[0]!.result)).toHaveProperty("evaluationResults.length", 3);
    expect(lane.calls(planId)).toEqual([]);
    const { plan, components } = await stateOf(planId);
    expect(plan).toMatchObject({ status: "FAILED", operation: "FAILED" });
    expect(plan.failure).toContain("policies of ");
    expect(components).toEqual({});
    expect(await logOf(planId)).toContainEqual(
      expect.objectContaining({ severity: "ERROR", message: expect.stringContaining(problem) as string }),
    );
  });

  it("only warns in its time of grace", async () => {
    const planId = await run(governed(newUnit(), { a: "warning" }));
    expect(await stateOf(planId)).toMatchObject({ plan: { status: "COMPLETED" } });
    const [, ofA] = await policyTasks(planId);
    expect(ofA).toMatchObject({ status: "COMPLETED", result: problem, found: { warnings: [problem] } });
    expect(await logOf(planId)).toContainEqual(
      expect.objectContaining({ severity: "WARNING", message: expect.stringContaining(problem) as string }),
    );
  });

  it("can be mended by a resumed plan, which is evaluated as a whole", async () => {
    const isMended = { value: false };
    const stub = createPolicyStub(async (asked) => {
      const verdict = verdictOn(asked);
      if (!isMended.value) return verdict;
      return {
        ...verdict,
        results: verdict.results.map((each) => ({ ...each, outcome: "ok", blocking: false })),
      };
    });
    const planId = await run(governed(newUnit(), { b: "error" }), { ...stub, onUnavailable: "block" });
    isMended.value = true;
    const resumed = await lane.resume(planId, { policies: known });
    await withEngine({ ...stub, onUnavailable: "block" }, async (engine) => {
      await engine.drive(resumed);
      await lane.read(resumed);
    });
    expect((await policyTasks(resumed)).map(({ status }) => status)).toEqual([
      "COMPLETED",
      "COMPLETED",
      "COMPLETED",
    ]);
    expect(await stateOf(resumed)).toMatchObject({ plan: { status: "COMPLETED" } });
    expect(stub.asked).toHaveLength(2);
  });
});

describe("one evaluation of a plan", () => {
  it("has all its components, and what is deployed before it", async () => {
    const unitId = newUnit();
    const stub = createPolicyStub();
    const stage: PolicyStage = { ...stub, onUnavailable: "block" };
    await run(governed(unitId), stage);
    await run(governed(unitId, {}, [part("a", [], "2"), part("c", ["a"])]), stage);
    expect(stub.asked).toHaveLength(2);
    expect(stub.asked[0]).toMatchObject({ unitId, scope: "plan", previous: null, componentIds: ["a", "b"] });
    expect(stub.asked[1]).toMatchObject({
      componentIds: ["a", "c"],
      previous: { id: unitId, components: [{ id: "a", specific: { version: "1" } }, { id: "b" }] },
    });
  });

  it("is left out where nothing is deployed", async () => {
    const unitId = newUnit();
    await run(governed(unitId));
    const planId = await run(request(unitId, pair, { status: "NOT_DEPLOYED" }));
    expect(await policyTasks(planId)).toEqual([]);
    expect(await stateOf(planId)).toMatchObject({ plan: { status: "COMPLETED" } });
  });
});

const unavailable = new Failure({
  kind: "unavailable",
  code: "CGP_X",
  message: "Governance can't be reached.",
});

describe("governance that can't be reached", () => {
  it("is asked again", async () => {
    let failures = 1;
    const stub = createPolicyStub((asked) =>
      failures-- > 0 ? Promise.reject(unavailable) : Promise.resolve(verdictOn(asked)),
    );
    const planId = await run(governed(newUnit()), { ...stub, onUnavailable: "block" });
    expect(await stateOf(planId)).toMatchObject({ plan: { status: "COMPLETED" } });
    expect(stub.asked).toHaveLength(2);
  });

  const never = createPolicyStub(() => Promise.reject(unavailable));

  it("stops the plan after a while", async () => {
    const planId = await run(governed(newUnit()), { ...never, onUnavailable: "block" });
    const tasks = await policyTasks(planId);
    expect(tasks.map(({ status }) => status)).toEqual(["FAILED", "FAILED", "FAILED"]);
    expect(tasks[0]!.result).toBe("COORD_POLICIES_UNAVAILABLE: Governance can't be reached.");
    expect(lane.calls(planId)).toEqual([]);
  });

  it("is passed over with a warning where the operator says so", async () => {
    const planId = await run(governed(newUnit()), { ...never, onUnavailable: "warn" });
    expect(await stateOf(planId)).toMatchObject({ plan: { status: "COMPLETED" } });
    expect((await policyTasks(planId))[0]!.found!.warnings).toEqual([
      "COORD_POLICIES_UNAVAILABLE: Governance can't be reached.",
    ]);
  });
});

describe("a plan whose policies are being evaluated", () => {
  const hanging = () =>
    createPolicyStub(
      (_, signal) =>
        new Promise<PolicyVerdict>((_done, fail) => {
          signal.addEventListener("abort", () => fail(unavailable), { once: true });
        }),
    );

  it.each(["forced", "safe"] as const)("can be terminated: %s", async (mode) => {
    const stub = mode === "forced" ? hanging() : createPolicyStub();
    const held = Promise.withResolvers<void>();
    const slow = createPolicyStub(async (asked, signal) => {
      await held.promise;
      return stub.evaluate({ signal } as never, asked);
    });
    const used = mode === "forced" ? stub : slow;
    await withEngine({ ...used, onUnavailable: "block" }, async (engine) => {
      const planId = await lane.start(governed(newUnit()), { policies: known });
      await engine.drive(planId);
      await eventually("the evaluation", () => used.asked.length > 0);
      await lane.terminate(planId, mode);
      held.resolve();
      await lane.read(planId);
      expect(await stateOf(planId)).toMatchObject({ plan: { status: "TERMINATED" } });
      const ended = mode === "forced" ? "TERMINATED" : "COMPLETED";
      expect((await policyTasks(planId)).map(({ status }) => status)).toEqual([
        ended,
        "TERMINATED",
        "TERMINATED",
      ]);
      expect(lane.calls(planId)).toEqual([]);
    });
  });
});

it("a plan whose database goes away while its policies are being evaluated loses nothing but time", async () => {
  const planId = await lane.start(governed(newUnit()), { policies: known });
  await withEngine(undefined, async (engine) => {
    const { db } = engine.killable.database;
    const query = db.query.bind(db);
    let failures = 1;
    db.query = (text, values) =>
      text.includes('as "isDeployed"') && failures-- > 0
        ? Promise.reject(new Error("Connection terminated unexpectedly"))
        : query(text, values);
    await engine.drive(planId);
    await lane.read(planId);
    expect(failures).toBeLessThan(1);
  });
  expect((await policyTasks(planId)).map(({ result }) => result)).not.toContain(
    "The policies of the plan were not evaluated.",
  );
  expect(await stateOf(planId)).toMatchObject({ plan: { status: "COMPLETED" } });
});

describe("a preview", () => {
  const says = { unit: "warning", b: "error" } as const;

  it("has what the policies say of the unit and of what is wrong", async () => {
    const unitId = newUnit();
    const { policyResults, outcome } = await lane.preview(governed(unitId, says), { policies: known });
    expect(outcome).toBe("OK");
    expect(policyResults).toEqual([
      expect.objectContaining({ componentId: unitId, status: "COMPLETED" }),
      expect.objectContaining({
        componentId: "b",
        status: "FAILED",
        validationPhaseKind: "POLICY_COMPONENT_VALIDATION_PHASE",
        errors: expect.objectContaining({ errors: [problem], code: "COORD_POLICY_VIOLATED" }) as object,
      }),
    ]);
  });

  it("says nothing where nothing is deployed, or no policy applies", async () => {
    const unitId = newUnit();
    await run(governed(unitId));
    const going = request(unitId, pair, { status: "NOT_DEPLOYED" });
    expect(await lane.preview(going, { policies: known })).not.toHaveProperty("policyResults");
    const none = { ...known, fingerprint: () => Promise.resolve("") };
    expect(await lane.preview(governed(unitId, says), { policies: none })).not.toHaveProperty(
      "policyResults",
    );
  });

  it("pins the policies: a start under others is refused", async () => {
    const body = governed(newUnit());
    const { planHash } = await lane.preview(body, { policies: known });
    const others = { ...known, fingerprint: () => Promise.resolve("tidy-names:4") };
    await expect(lane.start({ ...body, planHash }, { policies: others })).rejects.toMatchObject({
      code: "COORD_PLAN_MOVED",
      problems: [expect.objectContaining({ message: "The policies that apply are others." })],
    });
    await expect(lane.start({ ...body, planHash })).rejects.toMatchObject({ code: "COORD_PLAN_MOVED" });
    expect(await lane.start({ ...body, planHash }, { policies: known })).toEqual(expect.any(String));
  });

  const away: Policies = {
    evaluate: () => Promise.reject(unavailable),
    fingerprint: () => Promise.reject(unavailable),
  };

  it("is refused while governance can't be reached, unless the operator lets plans go on", async () => {
    const body = governed(newUnit());
    const refusal = { code: "COORD_POLICIES_UNAVAILABLE", kind: "unavailable" };
    await expect(lane.preview(body, { policies: away })).rejects.toMatchObject(refusal);
    await expect(
      lane.preview(body, { policies: { ...away, fingerprint: () => Promise.resolve("tidy-names:3") } }),
    ).rejects.toMatchObject(refusal);
    const { policyResults } = await lane.preview(body, { policies: away, policiesOnUnavailable: "warn" });
    expect(policyResults).toEqual([
      expect.objectContaining({
        status: "COMPLETED",
        errors: expect.objectContaining({ code: "COORD_POLICIES_UNAVAILABLE" }) as object,
      }),
    ]);
    expect(await lane.start(body, { policies: away })).toEqual(expect.any(String));
  });
});

describe("a validation", () => {
  it("has a phase about policies for each component, beside those of the adapters", async () => {
    const unitId = newUnit();
    const { descriptor } = governed(unitId, { a: "warning", b: "error" });
    await withEngine(undefined, async (engine) => {
      const token = await lane.validate(dump(descriptor), { policies: known });
      await engine.drive(token);
      await lane.read(token);
      const { status, validationSummaryStatus: summary } = await lane.validation(token);
      expect(status).toBe("FAILED");
      expect(
        summary.results.map((each) => [each.validationPhaseKind, each.status, each.errors.errors]),
      ).toEqual([
        ["INTERNAL_VALIDATION_PHASE", "COMPLETED", []],
        ["POLICY_COMPONENT_VALIDATION_PHASE", "COMPLETED", []],
        ["POLICY_COMPONENT_VALIDATION_PHASE", "COMPLETED", [problem]],
        ["POLICY_COMPONENT_VALIDATION_PHASE", "FAILED", [problem]],
        ["COMPONENT_VALIDATION_PHASE", "COMPLETED", []],
        ["COMPONENT_VALIDATION_PHASE", "COMPLETED", []],
      ]);
      expect(summary.results[3]!.errors.moreInfo.solutions).toEqual(["Choose a tidy name."]);
    });
  });
});

/** Writes of the plan until its policy tasks have ended, and some after that. */
const maxWrites = 12;

describe("a worker that dies", () => {
  it("leaves a verdict that holds, or none", async () => {
    const forbidding = createPolicyStub(async (asked: PolicyRequest) =>
      verdictOn({ ...asked, descriptor: governed(asked.unitId, { b: "error" }).descriptor }),
    );
    const ends = new Set<string>();
    await withEngine({ ...forbidding, onUnavailable: "block" }, async () => {
      for (let number = 1; number <= maxWrites; number++) {
        const unitId = newUnit();
        const engine = await startEngine(lane.db.connection);
        engine.killable.arm({ number, side: "after" });
        const planId = await lane.start(governed(unitId), { policies: known });
        const reading = lane.read(planId);
        void engine.drive(planId);
        await reading;
        await engine.close();
        const statuses = (await policyTasks(planId)).map(({ status }) => status);
        const { plan } = await stateOf(planId);
        const asked = forbidding.asked.filter((each) => each.unitId === unitId).length;
        ends.add(plan.status);
        if (asked === 0) {
          expect(statuses, `write ${number}`).toEqual(["COMPLETED", "COMPLETED", "COMPLETED"]);
          expect(plan.status).toBe("COMPLETED");
        } else {
          expect(statuses, `write ${number}`).toEqual(["COMPLETED", "COMPLETED", "FAILED"]);
          expect(lane.calls(planId)).toEqual([]);
        }
      }
    });
    expect([...ends].sort()).toEqual(["COMPLETED", "FAILED"]);
  });
});
