import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../platform/db/sql.ts";
import { openLane, type Lane } from "../../../test/engine/lane.ts";
import { part, request } from "../../../test/engine/plan-fixtures.ts";
import { storedEvents } from "../../../test/engine/record.ts";
import { newId } from "../../platform/lib/ids.ts";
import { silentLogger } from "../../platform/lib/logger.ts";
import { createGroupWriter, LostClaim, type GroupWriter } from "./group-writer.ts";
import type { Claim, PlanWrite } from "./group-store.ts";
import { taskEvent } from "./plan-events.ts";
import { claimPlan } from "./store.ts";
import type { TerminateMode } from "./types.ts";
import { eventually } from "../../../test/support/eventually.ts";

let lane: Lane;
let writer: GroupWriter;
beforeAll(async () => {
  lane = await openLane();
  writer = writerOver(lane.db.database.pool);
});
afterAll(() => lane.close());

const writerOver = (pool: pg.Pool): GroupWriter =>
  createGroupWriter({ pool, log: silentLogger, retryForMs: 5_000 });

interface TestClaim extends Claim {
  listed: TerminateMode[];
}

let units = 0;

const newPlan = (): Promise<string> => lane.start(request(`written-${++units}`, [part("a")]));

/** As a worker that holds no lock: so the next one finds it dead. */
async function claim(planId: string): Promise<TestClaim> {
  const at = new Date();
  const plan = await claimPlan(lane.db.database, planId, { workerId: newId(), at });
  if (!plan) throw new Error("The plan can't be claimed.");
  const listed: TerminateMode[] = [];
  const { fence, writeSeq } = plan;
  return { planId, fence, writeSeq, listed, onTerminate: (mode) => listed.push(mode) };
}

const starting: PlanWrite = {
  changes: [{ taskId: "validate:a", from: "WAITING", status: "RUNNING", attempts: 1 }],
  events: [
    taskEvent(new Date(), {
      id: "validate:a",
      status: "RUNNING",
      action: "VALIDATE_COMPONENT",
      componentId: "a",
    }),
  ],
};

async function stateOf(planId: string): Promise<{ status: string; taskEvents: number }> {
  const { rows } = await sql<{ status: string }>`select status from plan_tasks
    where plan_id = ${planId} and task_id = 'validate:a'`.execute(lane.db.database.db);
  const events = await storedEvents(lane.db.database.db, planId);
  return { status: rows[0]?.status ?? "", taskEvents: events.filter(({ type }) => type === "task").length };
}

const untouched = { status: "WAITING", taskEvents: 0 };
const writtenOnce = { status: "RUNNING", taskEvents: 1 };

/** Statements that wait for a lock of the database just now. */
async function waitingStatements(): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%with plans as%'`.execute(
    lane.db.database.db,
  );
  return rows.map((row) => row.pid);
}

/** Holds the plan's row while `work` runs. */
async function withLockedPlan(planId: string, work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await lane.db.database.pool.connect();
  try {
    await client.query("begin");
    await client.query("select 1 from execution_plans where id = $1 for update", [planId]);
    await work(client);
    await client.query("commit");
  } finally {
    client.release();
  }
}

describe("a claim that another has followed", () => {
  it("writes nothing, and the later one does", async () => {
    const planId = await newPlan();
    const stale = await claim(planId);
    const fresh = await claim(planId);
    expect(fresh.fence).toBe(stale.fence + 1);
    await expect(writer.write(stale, starting)).rejects.toBeInstanceOf(LostClaim);
    expect(await stateOf(planId)).toEqual(untouched);
    await writer.write(fresh, starting);
    expect(await stateOf(planId)).toEqual(writtenOnce);
  });

  it("writes nothing when both are in one group", async () => {
    const planId = await newPlan();
    const stale = await claim(planId);
    const fresh = await claim(planId);
    const outcomes = await Promise.allSettled([writer.write(stale, starting), writer.write(fresh, starting)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
    expect(await stateOf(planId)).toEqual(writtenOnce);
  });

  it("writes nothing when the other is committed after its statement has begun", async () => {
    const planId = await newPlan();
    const stale = await claim(planId);
    let outcome: Promise<unknown> = Promise.resolve();
    await withLockedPlan(planId, async (client) => {
      outcome = writer.write(stale, starting).catch((error: unknown) => error);
      await eventually("a waiting write", async () => (await waitingStatements()).length === 1);
      await client.query("update execution_plans set fence = fence + 1 where id = $1", [planId]);
    });
    expect(await outcome).toBeInstanceOf(LostClaim);
    expect(await stateOf(planId)).toEqual(untouched);
  });

  it("writes nothing when the plan has ended", async () => {
    const planId = await newPlan();
    const stale = await claim(planId);
    await sql`update execution_plans set status = 'FAILED' where id = ${planId}`.execute(lane.db.database.db);
    await expect(writer.write(stale, starting)).rejects.toBeInstanceOf(LostClaim);
    expect(await stateOf(planId)).toEqual(untouched);
  });
});

describe("a group whose connection breaks", () => {
  it("is applied once when it had not been committed", async () => {
    const planId = await newPlan();
    const own = await claim(planId);
    let written: Promise<void> = Promise.resolve();
    await withLockedPlan(planId, async () => {
      written = writer.write(own, starting);
      await eventually("a waiting write", async () => (await waitingStatements()).length === 1);
      const [pid = 0] = await waitingStatements();
      await sql`select pg_terminate_backend(${pid})`.execute(lane.db.database.db);
      await eventually("the same write again", async () => {
        const pids = await waitingStatements();
        return pids.length === 1 && pids[0] !== pid;
      });
    });
    await written;
    expect(await stateOf(planId)).toEqual(writtenOnce);
  });

  it("is applied once when it had been committed", async () => {
    const planId = await newPlan();
    const own = await claim(planId);
    let breaks = 2;
    const { pool } = lane.db.database;
    const forgetful = {
      async query(config: pg.QueryConfig) {
        const result = await pool.query(config);
        if (breaks-- > 0) throw new Error("Connection terminated unexpectedly");
        return result;
      },
    } as unknown as pg.Pool;
    await writerOver(forgetful).write(own, starting);
    expect(breaks).toBeLessThan(0);
    expect(await stateOf(planId)).toEqual(writtenOnce);
    expect(own.writeSeq).toBe(1);
  });

  it("fails its writes when the database stays away", async () => {
    const planId = await newPlan();
    const own = await claim(planId);
    const gone = {
      query: () => Promise.reject(new Error("Connection terminated unexpectedly")),
    } as unknown as pg.Pool;
    const impatient = createGroupWriter({ pool: gone, log: silentLogger, retryForMs: 150 });
    await expect(impatient.write(own, starting)).rejects.toThrow("Connection terminated");
    expect(await stateOf(planId)).toEqual(untouched);
  });
});

describe("a group", () => {
  it("writes the plans that are sound when one of them is not", async () => {
    const [good, bad] = [await claim(await newPlan()), await claim(await newPlan())];
    const impossible: PlanWrite = {
      ...starting,
      changes: [{ taskId: "validate:a", from: "RUNNING", status: "COMPLETED" }],
    };
    const outcomes = await Promise.allSettled([writer.write(bad, impossible), writer.write(good, starting)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
    expect(await stateOf(bad.planId)).toEqual(untouched);
    expect(await stateOf(good.planId)).toEqual(writtenOnce);
  });

  it("goes on for others after a plan was refused, and takes nothing more of that claim", async () => {
    const own = await claim(await newPlan());
    const other = await claim(await newPlan());
    const impossible: PlanWrite = {
      changes: [{ taskId: "none", from: "WAITING", status: "RUNNING" }],
      events: [],
    };
    const refused = writer.write(own, impossible);
    const built = writer.write(own, starting);
    await expect(refused).rejects.not.toBeInstanceOf(LostClaim);
    await expect(built).rejects.toThrow();
    await expect(writer.write(own, starting)).rejects.toThrow();
    await writer.write(other, starting);
    expect(await stateOf(other.planId)).toEqual(writtenOnce);
  });

  it("tells the writer of a termination", async () => {
    const own = await claim(await newPlan());
    await lane.terminate(own.planId, "safe");
    await writer.write(own, starting);
    expect(own.listed).toEqual(["safe"]);
  });

  it("keeps the order of the events of a plan", async () => {
    const own = await claim(await newPlan());
    await Promise.all(
      Array.from({ length: 50 }, (_none, n) =>
        writer.write(own, { changes: [], events: [{ type: "log", at: new Date(), level: 20, data: { n } }] }),
      ),
    );
    const events = await storedEvents(lane.db.database.db, own.planId);
    const numbers = events
      .filter(({ type }) => type === "log")
      .map(({ data }) => (JSON.parse(data) as { n: number }).n);
    expect(numbers).toEqual(Array.from({ length: 50 }, (_none, n) => n));
  });
});
