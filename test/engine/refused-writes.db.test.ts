/** Plans whose writes the database refuses: they say so, are tried again more and more seldom, and end at last. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/platform/lib/ids.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { claimPlan, findAbandoned, readPlanRow, releasePlan } from "../../src/coordinator/execution/store.ts";
import { planStream } from "../../src/coordinator/execution/plan-events.ts";
import type { TerminateMode, Waiting } from "../../src/coordinator/execution/types.ts";
import { requestTermination } from "../../src/coordinator/plans/termination-store.ts";
import { readPlan, readTasks } from "../../src/coordinator/plans/store.ts";
import { planWaiting, waitingContextOf } from "../../src/coordinator/plans/waiting.ts";
import { listOperations } from "../../src/coordinator/plans/operation-store.ts";
import { maxAttempts } from "../../src/platform/run-engine/last-error.ts";
import { eventually } from "../support/eventually.ts";
import { startEngine, type TestEngine } from "./engine.ts";
import { openLane, type Lane } from "./lane.ts";
import { endState } from "./ledger.ts";
import { part, request } from "./plan-fixtures.ts";

let lane: Lane;
let engine: TestEngine;
let units = 0;

beforeAll(async () => {
  lane = await openLane();
  engine = await startEngine(lane.db.connection, { retryForMs: 100 });
  await sql`create function take_too_long() returns trigger language plpgsql
    as $$ begin raise exception 'canceled' using errcode = 'query_canceled'; end $$`.execute(
    lane.db.database.db,
  );
  await sql`create function refuse() returns trigger language plpgsql
    as $$ begin raise exception 'the secret is 1234'; end $$`.execute(lane.db.database.db);
});
afterEach(() => allow());
afterAll(async () => {
  await engine.close();
  await lane.close();
});

const tables = ["unit_components", "units", "plan_tasks", "operations", "events"] as const;
type Table = Exclude<(typeof tables)[number], "events">;

const refuseWritesOf = (table: Table): Promise<unknown> =>
  sql`create trigger refuse before ${table === "operations" ? sql`update` : sql`insert or update`}
    on ${sql.ref(table)} for each row
    ${table === "operations" ? sql`when (new.status not in ('SCHEDULED', 'RUNNING'))` : sql``}
    execute function refuse()`.execute(lane.db.database.db);
async function allow(): Promise<void> {
  for (const table of tables)
    await sql`drop trigger if exists refuse on ${sql.ref(table)}`.execute(lane.db.database.db);
}

/** A plan whose first drive could not go on. */
async function stuck(table: Table): Promise<string> {
  lane.setComponentBehaviours({});
  const planId = await lane.start(request(`refused-${++units}`, [part("a"), part("b", ["a"])]));
  await refuseWritesOf(table);
  await engine.drive(planId);
  await eventually("an error", () => errorOf(planId));
  return planId;
}

const errorOf = async (planId: string) => (await readPlanRow(lane.db.database.db, planId))?.lastError;

/** As after many attempts, of which the next one is due. */
const tried = (planId: string, attempts: number): Promise<unknown> =>
  sql`update execution_plans set last_error = last_error || jsonb_build_object('attempts', ${attempts}::int,
      'nextAttemptAt', now() - interval '1 second')
    where id = ${planId}`.execute(lane.db.database.db);

/** Long enough that nobody claims it meanwhile. */
const pauseUntil2099 = (planId: string): Promise<unknown> =>
  eventually("a pause that lasts", async () => {
    await sql`update execution_plans set last_error = last_error || '{"nextAttemptAt": "2099-01-01T00:00:00.000Z"}'
      where id = ${planId} and worker_id is null`.execute(lane.db.database.db);
    return (await errorOf(planId))?.nextAttemptAt.startsWith("2099");
  });

async function waitingOf(planId: string): Promise<Waiting | null> {
  const { db } = lane.db.database;
  const plan = await readPlan(db, planId, false);
  if (!plan) throw new Error("no plan");
  const polling = { initialMs: 5, factor: 1.5, maxMs: 40 };
  const tasks = await readTasks(db, planId, false);
  return planWaiting(waitingContextOf(plan, tasks, { now: new Date(), polling }));
}

const listedWait = async (planId: string): Promise<any> => {
  const text = await listOperations(lane.db.database.db, {
    unitKey: undefined,
    planId,
    environments: [],
    statuses: [],
    after: undefined,
    before: undefined,
    order: "asc",
    limit: 1,
    withDescriptors: false,
    withProgress: true,
  });
  return JSON.parse(text).data[0].waitsFor;
};

/** As by the attempt that is the last one. */
const givenUp = (planId: string): Promise<unknown> =>
  eventually("the last attempt", async () => {
    await tried(planId, maxAttempts - 1);
    const row = await readPlanRow(lane.db.database.db, planId);
    return row?.status === "FAILED";
  });

const openEntries = async (planId: string): Promise<{ taskId: string; taskStatus: string }[]> => {
  const { rows } = await sql<{ taskId: string; taskStatus: string }>`select task_id as "taskId",
      task_status as "taskStatus"
    from unknown_outcomes where plan_id = ${planId} and settled_at is null`.execute(lane.db.database.db);
  return rows;
};

const reason = "The database refused a statement (P0001); the server's log tells more.";

describe("a plan whose write is refused", () => {
  it("says why it waits, and until when", async () => {
    const planId = await stuck("unit_components");
    await pauseUntil2099(planId);
    const next = expect.stringContaining(`after ${maxAttempts} attempts`);
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(await waitingOf(planId)).toEqual({
      reason: `Its worker could not go on: ${reason}`,
      since: time,
      attempts: expect.any(Number),
      nextAttemptAt: "2099-01-01T00:00:00.000Z",
      next,
    });
    expect(await listedWait(planId)).toMatchObject({
      kind: "WORKER",
      reason: `Its worker could not go on: ${reason}`,
      until: "2099-01-01T00:00:00.000Z",
      next,
    });
    // Nobody claims it before then.
    const query = { workerId: newId(), driving: [], limit: 100 };
    expect((await findAbandoned(lane.db.database.db, query)).map(({ id }) => id)).not.toContain(planId);
    expect(await claimPlan(lane.db.database, planId, { workerId: newId(), at: new Date() })).toBeNull();
    await allow();
    await tried(planId, 3);
    const events = await lane.read(planId);
    expect(events.map(({ data }) => data).join("\n")).toContain(
      `and goes on from where it was. Before, it could not: ${reason}`,
    );
    const { plan, components } = await endState(lane.db.database.db, planId);
    expect([plan.status, components["a"]?.status]).toEqual(["COMPLETED", "DEPLOYED"]);
  });

  it("is tried at once when somebody terminates it, and waits as before when it can't be ended", async () => {
    const planId = await stuck("unit_components");
    const { db } = lane.db.database;
    const terminate = (mode: TerminateMode) => requestTermination(db, planId, { mode, at: new Date() });
    await pauseUntil2099(planId);
    const { attempts } = (await errorOf(planId))!;
    await terminate("safe");
    await eventually("another attempt", async () => (await errorOf(planId))!.attempts > attempts);
    await pauseUntil2099(planId);
    // Nothing new is asked.
    await terminate("safe");
    expect((await errorOf(planId))!.nextAttemptAt).toMatch(/^2099/);
    await allow();
    await terminate("forced");
    await lane.read(planId);
    expect((await endState(db, planId)).plan.status).toBe("TERMINATED");
  });

  it.each<[Table, Record<string, string>]>([
    ["unit_components", { "provision:a": "FAILED", "provision:b": "SKIPPED" }],
    ["units", { "provision:a": "COMPLETED", "provision:b": "COMPLETED" }],
    ["plan_tasks", { "provision:a": "WAITING", "provision:b": "WAITING" }],
  ])("ends as failed when it is %s, and its unit is free", async (table, tasks) => {
    const planId = await stuck(table);
    await givenUp(planId);
    const state = await endState(lane.db.database.db, planId);
    expect(state.plan).toMatchObject({ status: "FAILED" });
    expect(state.tasks).toMatchObject(tasks);
    const { rows } = await sql<{ failure: string; status: string; open: number }>`select p.failure, o.status,
        (select count(*)::int from unknown_outcomes u where u.plan_id = p.id) as open
      from execution_plans p join operations o on o.plan_id = p.id where p.id = ${planId}`.execute(
      lane.db.database.db,
    );
    expect(rows).toEqual([
      {
        failure: `It was given up after ${maxAttempts} attempts without progress. ${reason}`,
        status: "FAILED",
        open: table === "unit_components" ? 1 : 0,
      },
    ]);
    await allow();
    for (const { taskId } of await openEntries(planId)) {
      await lane.settle(planId, taskId, "DEPLOYED");
      const { components } = await endState(lane.db.database.db, planId);
      expect(components["a"]).toMatchObject({
        status: "DEPLOYED",
        lastOperation: { operation: "Deploy", status: "Successful" },
      });
    }
    const next = await lane.start(request(`refused-${units}`, [part("a"), part("b", ["a"])]));
    await engine.drive(next);
    await lane.read(next);
    expect((await endState(lane.db.database.db, next)).plan.status).toBe("COMPLETED");
  });

  it("adds what may have acted to the ledger, also when the end of the task is refused", async () => {
    lane.setComponentBehaviours({});
    const before = await lane.start(request(`refused-${++units}`, [part("a")]));
    await engine.drive(before);
    await lane.read(before);
    const planId = await lane.start(request(`refused-${units}`, [part("a")]));
    await sql`create trigger refuse before update on plan_tasks for each row
      when (old.may_have_acted and old.action = 'PROVISION') execute function refuse()`.execute(
      lane.db.database.db,
    );
    await engine.drive(planId);
    await eventually("an error", () => errorOf(planId));
    await givenUp(planId);
    expect((await endState(lane.db.database.db, planId)).tasks).toMatchObject({ "provision:a": "RUNNING" });
    const [entry, ...others] = await openEntries(planId);
    expect([entry?.taskStatus, others]).toEqual(["FAILED", []]);
    await allow();
    await lane.settle(planId, entry?.taskId ?? "", "NOT_DEPLOYED");
    expect((await endState(lane.db.database.db, planId)).components["a"]?.status).toBe("NOT_DEPLOYED");
  });

  it("is kept as long as its operation can't be ended", async () => {
    const planId = await stuck("operations");
    await tried(planId, maxAttempts - 1);
    await eventually("the end of another attempt", async () => {
      const waiting = await waitingOf(planId);
      const isPause = Date.parse(waiting?.nextAttemptAt ?? "") > Date.now();
      return isPause && (waiting?.attempts ?? 0) >= maxAttempts;
    });
    expect((await readPlanRow(lane.db.database.db, planId))?.status).toBe("RUNNING");
    await allow();
    await tried(planId, 1);
    await lane.read(planId);
    expect((await endState(lane.db.database.db, planId)).plan.status).toBe("COMPLETED");
  });

  it("is tried again for as long as the database is slow", async () => {
    lane.setComponentBehaviours({});
    const planId = await lane.start(request(`refused-${++units}`, [part("a")]));
    await sql`create trigger refuse before insert or update on unit_components for each row
      execute function take_too_long()`.execute(lane.db.database.db);
    await engine.drive(planId);
    await eventually("an error", () => errorOf(planId));
    await tried(planId, maxAttempts + 1);
    await eventually("one attempt more than there are", async () => {
      const noted = await errorOf(planId);
      return (noted?.attempts ?? 0) > maxAttempts + 1 && Date.parse(noted?.nextAttemptAt ?? "") > Date.now();
    });
    expect(await readPlanRow(lane.db.database.db, planId)).toMatchObject({
      status: "RUNNING",
      lastError: { reason: "The database took too long to answer." },
    });
    await allow();
    await tried(planId, 1);
    await lane.read(planId);
    expect((await endState(lane.db.database.db, planId)).plan.status).toBe("COMPLETED");
  });

  it("counts anew after a hand-over without an error, and is taken over at once", async () => {
    lane.setComponentBehaviours({}, { mode: "async", runningPolls: 1_000_000 });
    const planId = await lane.start(request(`refused-${++units}`, [part("a")]));
    const first = await startEngine(lane.db.connection);
    await engine.close();
    await first.drive(planId);
    await eventually("the call", () => lane.calls(planId).some(({ operation }) => operation === "provision"));
    await sql`update execution_plans set last_error = '{"reason": "x", "since": "2026-01-01T00:00:00Z", "attempts": 20,
      "nextAttemptAt": "2026-01-01T00:00:00Z", "progress": 0}' where id = ${planId}`.execute(
      lane.db.database.db,
    );
    await first.close(0);
    expect(await errorOf(planId)).toBeNull();
    engine = await startEngine(lane.db.connection, { retryForMs: 100 });
    await eventually("the next worker", () => engine.worker.driving() === 1);
    await lane.terminate(planId, "forced");
    await lane.read(planId);
  });

  it("is not said to have failed when its next worker died", async () => {
    const { database } = lane.db;
    await engine.close();
    lane.setComponentBehaviours({});
    const planId = await lane.start(request(`refused-${++units}`, [part("a")]));
    const claim = (): Promise<unknown> => claimPlan(database, planId, { workerId: newId(), at: new Date() });
    await claim();
    await sql`update execution_plans set last_error = jsonb_build_object('reason', 'x', 'since', now(),
      'attempts', 1, 'nextAttemptAt', now() - interval '1 second', 'progress', 0)
      where id = ${planId}`.execute(database.db);
    // An attempt that a stop cut short is counted all the same.
    await releasePlan(database.db, { id: planId, fence: 1 });
    expect(await errorOf(planId)).toMatchObject({ reason: "x", attempts: 1 });
    await claim();
    engine = await startEngine(lane.db.connection, { retryForMs: 100 });
    const messages = (await lane.read(planId)).map(({ data }) => JSON.parse(data).message);
    expect(messages).toContain(
      "The plan was taken over (claim 3): the worker before was lost or stopped. It goes on from where it was.",
    );
  });
});

it("a plan whose workers die one after another waits longer each time, and says so", async () => {
  const { database } = lane.db;
  await engine.close();
  lane.setComponentBehaviours({});
  const planId = await lane.start(request(`refused-${++units}`, [part("a")]));
  // A worker that is dead: its id is in no row of workers.
  const claim = () => claimPlan(database, planId, { workerId: newId(), at: new Date() });
  for (let lives = 1; lives <= 3; lives++) expect(await claim()).toMatchObject({ fence: lives });
  expect(await claim()).toBeNull();
  expect(await errorOf(planId)).toMatchObject({ deaths: 3 });
  await pauseUntil2099(planId);
  const said = {
    reason: "Its worker could not go on: Its process has ended 3 times in a row while it had this work.",
    next: "A worker takes it again then. If it is what ends them, which their logs may tell, terminate it.",
  };
  expect(await waitingOf(planId)).toMatchObject({ ...said, nextAttemptAt: "2099-01-01T00:00:00.000Z" });
  expect(await listedWait(planId)).toMatchObject({ kind: "WORKER", ...said });
  expect(await claim()).toBeNull();
  await tried(planId, 3);
  engine = await startEngine(lane.db.connection, { retryForMs: 100 });
  await lane.read(planId);
  expect((await endState(database.db, planId)).plan).toMatchObject({ status: "COMPLETED" });
});

describe("a plan whose claim is refused", () => {
  const refuseEventsOf = async (planId: string): Promise<void> => {
    await sql`create trigger refuse before insert on events for each row
      when (new.stream = ${sql.lit(planStream(planId))}) execute function refuse()`.execute(
      lane.db.database.db,
    );
  };

  it("says so, is tried again more and more seldom, and keeps no other back", async () => {
    const { db } = lane.db.database;
    lane.setComponentBehaviours({});
    const planId = await lane.start(request(`refused-${++units}`, [part("a")]));
    await refuseEventsOf(planId);
    await engine.drive(planId);
    await eventually("some attempts", async () => ((await errorOf(planId))?.attempts ?? 0) > 2);
    await sql`update execution_plans set last_error = last_error || '{"nextAttemptAt": "2099-01-01T00:00:00.000Z"}'
      where id = ${planId}`.execute(db);
    const said = { reason: `Its worker could not go on: ${reason}`, next: expect.any(String) };
    expect(await waitingOf(planId)).toMatchObject(said);
    expect(await listedWait(planId)).toMatchObject({ kind: "WORKER", ...said });
    const other = await lane.start(request(`refused-${++units}`, [part("a")]));
    await lane.read(other);
    expect(await readPlanRow(db, planId)).toMatchObject({ status: "WAITING", fence: 0 });
    await allow();
    await tried(planId, 1);
    await lane.read(planId);
    expect((await endState(db, planId)).plan).toMatchObject({ status: "COMPLETED", operation: "SUCCEEDED" });
  });

  it("is freed from its dead worker, and ends after as many attempts", async () => {
    const { database } = lane.db;
    await engine.close();
    const planId = await lane.start(request(`refused-${++units}`, [part("a")]));
    await claimPlan(database, planId, { workerId: newId(), at: new Date() });
    await refuseEventsOf(planId);
    engine = await startEngine(lane.db.connection, { retryForMs: 100 });
    await eventually("an error", () => errorOf(planId));
    await givenUp(planId);
    expect((await endState(database.db, planId)).plan).toEqual({
      status: "FAILED",
      failure: `It was given up after ${maxAttempts} attempts without progress. ${reason}`,
      operation: "FAILED",
    });
  });
});
