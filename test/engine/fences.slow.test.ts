import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import type { RequestedBehaviour } from "../../src/adapters/mock/behaviour.ts";
import { databaseVariables, startWorker, stopChild, type Worker } from "../crash/processes.ts";
import { startEngine } from "./engine.ts";
import { openLane, type Lane } from "./lane.ts";
import { endState, expectFaithful } from "./ledger.ts";
import { part, request } from "./plan-fixtures.ts";
import { eventually } from "../support/eventually.ts";

let lane: Lane;
let home: string;
beforeAll(async () => {
  lane = await openLane();
  home = await mkdtemp(join(tmpdir(), "plinth-fences-"));
});
afterAll(async () => {
  await lane.close();
  await rm(home, { recursive: true, force: true });
});

/** Lease of the process that is stopped; the worker that goes on has the usual one. */
const leaseMs = 1_500;
const parts = [part("a"), part("b", ["a"]), part("c", ["b"]), part("d", ["c"])];
const provisioningIn = (delayMs: number): RequestedBehaviour => ({ operations: { provision: { delayMs } } });
/** The first call is under way when the process is stopped, also on a busy machine. */
const slowCalls = () => lane.setComponentBehaviours({ a: provisioningIn(3_000) }, provisioningIn(300));

const workerProcess = (): Worker =>
  startWorker({
    cwd: home,
    env: {
      ...databaseVariables(lane.db.connection),
      PLINTH_COORDINATOR_EXECUTION_LEASE_MS: String(leaseMs),
      PLINTH_COORDINATOR_EXECUTION_POLL_INITIAL_MS: "50",
    },
  });

async function one<T>(query: ReturnType<typeof sql<T>>): Promise<T | undefined> {
  return (await query.execute(lane.db.database.db)).rows[0];
}

const driverOf = async (planId: string): Promise<string | null> =>
  (await one(sql<{ id: string | null }>`select worker_id as id from execution_plans where id = ${planId}`))
    ?.id ?? null;

const heartbeatOf = async (workerId: string | null): Promise<number> =>
  (
    await one(sql<{ at: Date }>`select heartbeat_at as at from workers where id = ${workerId}::uuid`)
  )?.at.getTime() ?? 0;

/** Everything that is written of a plan. */
const textOf = async (planId: string): Promise<string> => {
  const row = await one(sql<{ text: string }>`select json_build_array(
      (select row_to_json(p) from execution_plans p where id = ${planId}),
      (select json_agg(t order by position) from plan_tasks t where plan_id = ${planId}),
      (select json_agg(e order by id) from events e where stream = ${`plan:${planId}`}),
      (select json_agg(c order by component_key) from unit_components c where c.plan_id = ${planId})
    )::text as text`);
  return row?.text ?? "";
};

/** A worker process in the middle of its plan's first call of an adapter, stopped. */
async function stoppedInCall(planId: string): Promise<Worker> {
  const worker = workerProcess();
  await eventually("the worker process takes plans", () => worker.id !== null);
  await eventually("a provision call", () =>
    lane.calls(planId).some(({ operation }) => operation === "provision"),
  );
  expect(await driverOf(planId)).toBe(worker.id);
  worker.child.process.kill("SIGSTOP");
  return worker;
}

async function wake(worker: Worker): Promise<void> {
  const before = await heartbeatOf(worker.id);
  worker.child.process.kill("SIGCONT");
  await eventually("a heartbeat", async () => (await heartbeatOf(worker.id)) > before);
}

describe("a worker process that is stopped and wakes after its lease", () => {
  it("writes nothing of a plan that has ended meanwhile", async () => {
    slowCalls();
    const planId = await lane.start(request("stopped-1", parts));
    const worker = await stoppedInCall(planId);
    const other = await startEngine(lane.db.connection);
    const seen = await lane.read(planId);
    await other.close();
    const before = await textOf(planId);
    const calls = lane.calls(planId).length;
    await wake(worker);
    // Alive and past whatever it had left: it drives another plan to its end.
    lane.setComponentBehaviours({});
    const next = await lane.start(request("stopped-2", [part("a")]));
    await lane.read(next);
    expect(await textOf(planId)).toBe(before);
    expect(lane.calls(planId)).toHaveLength(calls);
    await expectFaithful(lane.db.database.db, planId, { seen, calls: lane.calls(planId) });
    await stopChild(worker.child);
  });

  it("writes nothing of a plan that another drives", async () => {
    slowCalls();
    const planId = await lane.start(request("stopped-3", parts));
    const worker = await stoppedInCall(planId);
    const other = await startEngine(lane.db.connection);
    await eventually("another driver", async () => (await driverOf(planId)) === other.worker.id);
    await wake(worker);
    const seen = await lane.read(planId);
    expect((await endState(lane.db.database.db, planId)).plan.status).toBe("COMPLETED");
    const calls = lane.calls(planId);
    await expectFaithful(lane.db.database.db, planId, { seen, calls });
    // Only what was in flight when it was stopped was called again.
    const keys = new Set(calls.map((call) => call.idempotencyKey));
    expect(calls.length - keys.size).toBe(1);
    await stopChild(worker.child);
    await other.close();
  });
});
