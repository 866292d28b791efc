/** Plans whose writes the database refuses: they say so, are tried again more and more seldom, and end at last. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/platform/lib/ids.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { findAbandoned, claimPlan, readPlanRow } from "../../src/coordinator/execution/store.ts";
import { readPlan, readTasks } from "../../src/coordinator/plans/store.ts";
import { planWaiting, waitingContextOf } from "../../src/coordinator/plans/waiting.ts";
import { listOperations } from "../../src/coordinator/plans/operation-store.ts";
import type { Waiting } from "../../src/coordinator/execution/types.ts";
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
  engine = await startEngine(lane.db.connection);
  await sql`create function refuse() returns trigger language plpgsql
    as $$ begin raise exception 'the secret is 1234'; end $$`.execute(lane.db.database.db);
});
afterEach(() => allow());
afterAll(async () => {
  await engine.close();
  await lane.close();
});

const tables = ["unit_components", "units", "plan_tasks", "operations"] as const;
type Table = (typeof tables)[number];

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

const reason = "The database refused a statement (P0001); the server's log tells more.";

describe("a plan whose write is refused", () => {
  it("says why it waits, and until when", async () => {
    const planId = await stuck("unit_components");
    // Long enough that nobody claims it meanwhile.
    await eventually("a pause that lasts", async () => {
      await sql`update execution_plans set last_error = last_error || '{"nextAttemptAt": "2099-01-01T00:00:00.000Z"}'
        where id = ${planId} and worker_id is null`.execute(lane.db.database.db);
      return (await errorOf(planId))?.nextAttemptAt.startsWith("2099");
    });
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

  it.each<[Table, Record<string, string>]>([
    ["unit_components", { "provision:a": "FAILED", "provision:b": "SKIPPED" }],
    ["units", { "provision:a": "COMPLETED", "provision:b": "COMPLETED" }],
    ["plan_tasks", { "provision:a": "WAITING", "provision:b": "WAITING" }],
  ])("ends as failed when it is %s, and its unit is free", async (table, tasks) => {
    const planId = await stuck(table);
    await eventually("the last attempt", async () => {
      await tried(planId, maxAttempts - 1);
      const row = await readPlanRow(lane.db.database.db, planId);
      return row?.status === "FAILED";
    });
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
    const next = await lane.start(request(`refused-${units}`, [part("a"), part("b", ["a"])]));
    await engine.drive(next);
    await lane.read(next);
    expect((await endState(lane.db.database.db, next)).plan.status).toBe("COMPLETED");
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
    engine = await startEngine(lane.db.connection);
    await eventually("the next worker", () => engine.worker.driving() === 1);
    await lane.terminate(planId, "forced");
    await lane.read(planId);
  });
});
