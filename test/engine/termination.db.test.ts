import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import type { RequestedBehaviour } from "../../src/adapters/mock/behaviour.ts";
import type { TerminateMode } from "../../src/coordinator/execution/types.ts";
import type { PlanEnd } from "../../src/coordinator/execution/end-store.ts";
import { claimPlan, createPlanRows } from "../../src/coordinator/execution/store.ts";
import { newId } from "../../src/platform/lib/ids.ts";
import { startEngine, type EngineOptions, type TestEngine } from "./engine.ts";
import { holdAnswers, type HeldAnswers } from "./held-answers.ts";
import { openLane, type Lane } from "./lane.ts";
import { endState, expectFaithful, type EndState } from "./ledger.ts";
import { part, request } from "./plan-fixtures.ts";
import { eventually } from "../support/eventually.ts";

let lane: Lane;
const engines: TestEngine[] = [];
const held: HeldAnswers[] = [];
beforeAll(async () => {
  lane = await openLane();
});
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close(0)));
  await Promise.all(held.splice(0).map((each) => each.close()));
});
afterAll(() => lane.close());

let units = 0;
const chain = [part("a"), part("b", ["a"])];
const slow: RequestedBehaviour = { mode: "async", runningMs: 60_000 };

async function startChain(options: { operationTimeoutMs?: number } = {}): Promise<string> {
  return lane.start(request(`ending-${++units}`, chain), options);
}

/** A chain of which a's answers to calls of that path are held back. */
async function startHeld(path: string): Promise<{ planId: string; release: () => void }> {
  const answers = await holdAnswers(lane.adapter.url, path);
  held.push(answers);
  const body = request(`ending-${++units}`, chain);
  const { components } = body.descriptor as { components: { infrastructureTemplateId: string }[] };
  components[0]!.infrastructureTemplateId = await lane.register(answers.url);
  return { planId: await lane.start(body), release: () => answers.release() };
}

async function engineFor(planId: string, options: EngineOptions = {}): Promise<TestEngine> {
  const engine = await startEngine(lane.db.connection, options);
  engines.push(engine);
  await engine.drive(planId);
  return engine;
}

/** The adapter has seen so many calls of that kind for the plan. */
const called = (planId: string, operation: string, times = 1): Promise<boolean> =>
  eventually(`${times} calls of ${operation}`, () => callsOf(planId, operation) >= times);

function callsOf(planId: string, operation: string): number {
  const own = lane.calls(planId);
  if (operation !== "poll" && operation !== "terminate")
    return own.filter((call) => call.operation === operation).length;
  const tokens = new Set(own.map((call) => call.token));
  return lane.adapter.journal().filter((call) => call.operation === operation && tokens.has(call.token))
    .length;
}

async function ended(planId: string): Promise<EndState> {
  const seen = await lane.read(planId);
  const calls = lane.calls(planId);
  await expectFaithful(lane.db.database.db, planId, { seen, calls });
  return endState(lane.db.database.db, planId);
}

const tasksOf = ({ tasks }: EndState): string[] => Object.values(tasks);
const statusOf = ({ components }: EndState, key: string): string | undefined => components[key]?.status;

const terminated = { status: "TERMINATED", operation: "TERMINATED" };

describe("a termination", () => {
  it.each([
    ["COMPLETED", { status: "COMPLETED", operation: "SUCCEEDED", failure: null }],
    ["FAILED", { ...terminated, failure: "Terminated on request, when its last task had ended already." }],
  ] as const)("accepted while the driver was ending the plan as %s", async (status, shown) => {
    const planId = await startChain();
    const { database } = lane.db;
    const plan = await claimPlan(database, planId, { workerId: newId(), at: new Date() });
    if (!plan) throw new Error("the plan could not be claimed");
    await lane.terminate(planId, "safe");
    const end = { status, reason: null, at: new Date(), adoptDescriptor: true } as PlanEnd;
    expect(await createPlanRows(database).endPlan(plan, end)).toBe(true);
    const { plan: row, unit } = await endState(database.db, planId);
    expect(row).toEqual(shown);
    expect(unit).toMatchObject({ lastPlan: shown.status });
    expect((await lane.read(planId)).at(-1)?.data).toContain(`"status":"${shown.status}"`);
  });

  it("safe, while the last task runs, ends as the plan would have", async () => {
    lane.setComponentBehaviours({ b: slow });
    const planId = await startChain();
    await engineFor(planId);
    await called(planId, "provision", 2);
    await lane.terminate(planId, "safe");
    lane.adapter.finish();
    const state = await ended(planId);
    expect(state.plan).toEqual({ status: "COMPLETED", operation: "SUCCEEDED", failure: null });
    expect(statusOf(state, "b")).toBe("DEPLOYED");
  });

  it.each(["safe", "forced"] as const)("%s, before any worker has the plan, does nothing", async (mode) => {
    lane.setComponentBehaviours({});
    const planId = await startChain();
    await lane.terminate(planId, mode);
    await engineFor(planId);
    const state = await ended(planId);
    expect(state.plan).toMatchObject(terminated);
    expect(new Set(tasksOf(state))).toEqual(new Set(["TERMINATED"]));
    expect(state.components).toEqual({});
    expect(lane.calls(planId)).toEqual([]);
  });

  it("safe, in validation, lets it finish and provisions nothing", async () => {
    lane.setComponentBehaviours({});
    const { planId, release } = await startHeld("/v1/validate");
    await engineFor(planId, { limits: { callTimeoutMs: 60_000 } });
    await called(planId, "validate", 2);
    await lane.terminate(planId, "safe");
    release();
    const state = await ended(planId);
    expect(state.plan).toMatchObject(terminated);
    expect(tasksOf(state)).toEqual(["COMPLETED", "COMPLETED", "TERMINATED", "TERMINATED"]);
    expect(callsOf(planId, "provision")).toBe(0);
  });

  it("forced, in validation, cuts it and leaves the components alone", async () => {
    lane.setComponentBehaviours({ a: { operations: { validate: { delayMs: 60_000 } } } });
    const planId = await startChain();
    await engineFor(planId, { limits: { callTimeoutMs: 60_000 } });
    await called(planId, "validate", 2);
    await lane.terminate(planId, "forced");
    const state = await ended(planId);
    expect(state.tasks["validate:a"]).toBe("TERMINATED");
    expect(state.components).toEqual({});
  });

  it("safe, in a call, lets it finish and starts nothing more", async () => {
    lane.setComponentBehaviours({});
    const { planId, release } = await startHeld("/v1/provision");
    await engineFor(planId, { limits: { callTimeoutMs: 60_000 } });
    await called(planId, "provision");
    await lane.terminate(planId, "safe");
    release();
    const state = await ended(planId);
    expect(state.plan).toMatchObject(terminated);
    expect(tasksOf(state)).toEqual(["COMPLETED", "COMPLETED", "COMPLETED", "TERMINATED"]);
    expect([statusOf(state, "a"), statusOf(state, "b")]).toEqual(["DEPLOYED", undefined]);
  });

  it("forced, in a call, aborts it and calls the component corrupt", async () => {
    lane.setComponentBehaviours({ a: { operations: { provision: { delayMs: 60_000 } } } });
    const planId = await startChain();
    await engineFor(planId);
    await called(planId, "provision");
    await lane.terminate(planId, "forced");
    const state = await ended(planId);
    expect(tasksOf(state)).toEqual(["COMPLETED", "COMPLETED", "TERMINATED", "TERMINATED"]);
    expect([statusOf(state, "a"), statusOf(state, "b")]).toEqual(["CORRUPT", undefined]);
  });

  it("safe, while polling, awaits the task", async () => {
    lane.setComponentBehaviours({ a: slow });
    const planId = await startChain();
    await engineFor(planId);
    await called(planId, "poll");
    await lane.terminate(planId, "safe");
    lane.adapter.finish();
    const state = await ended(planId);
    expect(tasksOf(state)).toEqual(["COMPLETED", "COMPLETED", "COMPLETED", "TERMINATED"]);
    expect(statusOf(state, "b")).toBeUndefined();
    expect([callsOf(planId, "provision"), callsOf(planId, "terminate")]).toEqual([1, 0]);
  });

  it.each(["final", "accepted", "unsupported", "error"] as const)(
    "forced, while polling, deletes the token: answered %s",
    async (how) => {
      lane.setComponentBehaviours({ a: { ...slow, terminate: how } });
      const planId = await startChain();
      await engineFor(planId);
      await called(planId, "poll");
      await lane.terminate(planId, "forced");
      const state = await ended(planId);
      expect(state.plan).toMatchObject(terminated);
      expect(tasksOf(state)).toEqual(["COMPLETED", "COMPLETED", "TERMINATED", "TERMINATED"]);
      expect(statusOf(state, "a")).toBe("CORRUPT");
      expect(callsOf(planId, "terminate")).toBe(1);
    },
  );

  it("forced, ends after the grace time when the adapter never stops", async () => {
    lane.setComponentBehaviours({ a: { ...slow, terminate: "never" } });
    const planId = await startChain();
    await engineFor(planId, { limits: { terminateGraceMs: 300 } });
    await called(planId, "poll");
    const from = performance.now();
    await lane.terminate(planId, "forced");
    const state = await ended(planId);
    expect(performance.now() - from).toBeGreaterThanOrEqual(290);
    expect(state.plan).toMatchObject(terminated);
    expect(statusOf(state, "a")).toBe("CORRUPT");
  });

  it("forced, does not wait for a poll that hangs", async () => {
    lane.setComponentBehaviours({ a: { ...slow, odd: { poll: { name: "never", times: 1 } } } });
    const planId = await startChain();
    await engineFor(planId, { limits: { callTimeoutMs: 60_000 } });
    await called(planId, "poll");
    await lane.terminate(planId, "forced");
    await ended(planId);
    expect(callsOf(planId, "terminate")).toBe(1);
  });

  it("forced, during the pause between attempts, leaves an untouched component as it was", async () => {
    const patient = { limits: { retryDelayMs: 20_000, connectRetryMs: 60_000, taskTimeoutMs: 60_000 } };
    lane.setComponentBehaviours({});
    const closed = await lane.register("http://127.0.0.1:9");
    const body = request(`ending-${++units}`, [part("a")]);
    const component = (body.descriptor as { components: { infrastructureTemplateId: string }[] })
      .components[0]!;
    component.infrastructureTemplateId = closed;
    const planId = await lane.start(body);
    // The validation would not get through either.
    await sql`update plan_tasks set status = 'COMPLETED' where plan_id = ${planId} and stage = 0`.execute(
      lane.db.database.db,
    );
    const engine = await engineFor(planId, patient);
    await waiting(planId);
    // Known also to the worker that comes after this one.
    engine.kill();
    await engineFor(planId, patient);
    await waiting(planId, 2);
    await lane.terminate(planId, "forced");
    const seen = await lane.read(planId);
    expect(seen.length).toBeGreaterThan(0);
    const state = await endState(lane.db.database.db, planId);
    expect(state.tasks["provision:a"]).toBe("TERMINATED");
    expect(state.components).toEqual({});
  });
});

/** The task of the plan waits for its next attempt. */
const waiting = (planId: string, attempts = 1): Promise<boolean> =>
  eventually(`the pause after attempt ${attempts}`, async () => {
    const { rows } = await sql`select 1 from plan_tasks where plan_id = ${planId} and attempts = ${attempts}
      and waiting is not null`.execute(lane.db.database.db);
    return rows.length > 0;
  });

describe("terminations one after the other", () => {
  const modeOf = async (planId: string): Promise<string | null> => {
    const { rows } = await sql<{ mode: string | null }>`select terminate_mode as mode from execution_plans
      where id = ${planId}`.execute(lane.db.database.db);
    return rows[0]?.mode ?? null;
  };

  async function polling(): Promise<string> {
    lane.setComponentBehaviours({ a: slow });
    const planId = await startChain();
    await engineFor(planId);
    await called(planId, "poll");
    return planId;
  }

  it("forced upgrades safe, with the grace time from its own request", async () => {
    lane.setComponentBehaviours({ a: { ...slow, terminate: "accepted", terminatingPolls: 3 } });
    const planId = await startChain();
    const engine = await engineFor(planId, { limits: { terminateGraceMs: 30_000 } });
    await called(planId, "poll");
    await lane.terminate(planId, "safe");
    // Claimed again with the safe request on it, which is older than the grace time by then.
    await engine.close(0);
    await sql`update execution_plans set terminate_at = terminate_at - interval '1 minute'
      where id = ${planId}`.execute(lane.db.database.db);
    await engineFor(planId, { limits: { terminateGraceMs: 30_000 } });
    const polls = callsOf(planId, "poll");
    await called(planId, "poll", polls + 1);
    await lane.terminate(planId, "forced");
    const state = await ended(planId);
    expect(state.plan).toMatchObject(terminated);
    expect(lane.adapter.journal().at(-1)).toMatchObject({ operation: "poll" });
    const { rows } = await sql<{ result: string }>`select result from plan_tasks
      where plan_id = ${planId} and task_id = 'provision:a'`.execute(lane.db.database.db);
    expect(rows[0]?.result).not.toContain("did not stop");
  });

  it("safe does not weaken forced", async () => {
    lane.setComponentBehaviours({ a: { ...slow, terminate: "never" } });
    const planId = await startChain();
    const engine = await engineFor(planId, { limits: { terminateGraceMs: 60_000 } });
    await called(planId, "poll");
    await lane.terminate(planId, "forced");
    await called(planId, "terminate");
    await lane.terminate(planId, "safe");
    expect(await modeOf(planId)).toBe("forced");
    // The next worker finds that the grace time is over.
    await engine.close(0);
    await engineFor(planId, { limits: { terminateGraceMs: 1 } });
    expect((await ended(planId)).plan).toMatchObject(terminated);
  });

  it.each(["safe", "forced"] as const)("%s twice does no more than once", async (mode: TerminateMode) => {
    const planId = await polling();
    await lane.terminate(planId, mode);
    const first = lane.terminate(planId, mode).catch((error: unknown) => error);
    const second = lane.terminate(planId, mode).catch((error: unknown) => error);
    await Promise.all([first, second]);
    if (mode === "safe") await lane.terminate(planId, "forced");
    expect((await ended(planId)).plan).toMatchObject(terminated);
    expect(callsOf(planId, "terminate")).toBe(1);
  });

  it("is refused once the plan has ended", async () => {
    lane.setComponentBehaviours({});
    const planId = await startChain();
    await engineFor(planId);
    await ended(planId);
    await expect(lane.terminate(planId, "forced")).rejects.toMatchObject({ code: "COORD_PLAN_FINISHED" });
    await expect(lane.terminate("none", "safe")).rejects.toMatchObject({ code: "COORD_PLAN_NOT_FOUND" });
  });

  it("goes on with the next worker when the first dies over it", async () => {
    lane.setComponentBehaviours({ a: { ...slow, terminate: "never" } });
    const planId = await startChain();
    const engine = await engineFor(planId, { limits: { terminateGraceMs: 60_000 } });
    await called(planId, "poll");
    await lane.terminate(planId, "forced");
    await called(planId, "terminate");
    engine.kill();
    // Long enough that its first call has time to arrive.
    await engineFor(planId, { limits: { terminateGraceMs: 1_500 } });
    const state = await ended(planId);
    expect(state.plan).toMatchObject(terminated);
    expect(callsOf(planId, "terminate")).toBe(2);
    expect(statusOf(state, "a")).toBe("CORRUPT");
  });
});

describe("a time limit", () => {
  it("of the operation fails what runs and skips the rest", async () => {
    lane.setComponentBehaviours({ a: slow });
    const planId = await startChain({ operationTimeoutMs: 5_000 });
    await engineFor(planId);
    const state = await ended(planId);
    expect(state.plan).toMatchObject({ status: "FAILED", operation: "FAILED" });
    expect(state.plan.failure).toMatch(/^The time limit of the operation ran out/);
    expect(tasksOf(state)).toEqual(["COMPLETED", "COMPLETED", "FAILED", "SKIPPED"]);
    expect([statusOf(state, "a"), statusOf(state, "b")]).toEqual(["CORRUPT", undefined]);
  });

  it("of the operation ends a safe termination that waits, which still shows as such", async () => {
    lane.setComponentBehaviours({ a: slow });
    const planId = await startChain({ operationTimeoutMs: 5_000 });
    await engineFor(planId);
    await called(planId, "poll");
    await lane.terminate(planId, "safe");
    const state = await ended(planId);
    expect(state.plan).toMatchObject(terminated);
    expect(statusOf(state, "a")).toBe("CORRUPT");
  });

  it("of the task fails it", async () => {
    lane.setComponentBehaviours({ a: slow });
    const planId = await startChain();
    // The validations have the same limit.
    await engineFor(planId, { limits: { taskTimeoutMs: 1_500 } });
    const state = await ended(planId);
    expect(tasksOf(state)).toEqual(["COMPLETED", "COMPLETED", "FAILED", "SKIPPED"]);
    expect(statusOf(state, "a")).toBe("CORRUPT");
  });

  it("of the call repeats it within its attempts, and then the adapter may have acted", async () => {
    lane.setComponentBehaviours({ a: { odd: { start: { name: "never", times: 10 } } } });
    const planId = await startChain();
    // The validations have the same limit.
    await engineFor(planId, { limits: { callTimeoutMs: 1_000, callAttempts: 2 } });
    const state = await ended(planId);
    expect(callsOf(planId, "provision")).toBe(2);
    expect(state.tasks["provision:a"]).toBe("FAILED");
    expect(statusOf(state, "a")).toBe("CORRUPT");
  });
});
