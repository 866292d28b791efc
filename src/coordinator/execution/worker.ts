/** Executes plans in this process: claims those that the job queue names, and in every sweep those without a live worker. */
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { eventsChannel } from "../../platform/events/events.ts";
import { openTogether } from "../../platform/lib/opened.ts";
import { holdWorkerLease, type WorkerLease, type WorkerProgram } from "../../platform/jobs/worker-lease.ts";
import { startRunEngine, type RunEngine } from "../../platform/run-engine/run-engine.ts";
import { registrationChannel } from "../adapters/store.ts";
import { drivePlan, type Drive, type DrivenPlan, type Engine } from "./run.ts";
import type { TaskState } from "./tasks/plan-run.ts";
import { planQueue, type PlanRow } from "./types.ts";
import {
  claimPlan,
  controlChannel,
  createPlanRows,
  findAbandoned,
  hasNoPlans,
  readTerminations,
  releasePlan,
  writeSlots,
} from "./store.ts";

export interface PlanWorker {
  id: string;
  lease: Pick<WorkerLease, "isHeld" | "heartbeatMs">;
  driving(): number;
  /** Tasks of the plans that are driven. */
  tasks(): Iterable<TaskState>;
  /** Also takes plans from the job queue; without it only the sweep finds new plans. */
  takeFrom(jobs: Jobs): Promise<void>;
  /** Starts nothing more, gives running calls `graceMs` to finish, and releases every plan. */
  close(graceMs: number): Promise<void>;
}

export interface PlanWorkerOptions {
  leaseMs: number;
  /** Plans driven at once; more wait in the queue. */
  parallelPlans: number;
  /** Plans queued starts whose unit is free, and returns the ids of their plans. */
  beginQueuedStarts?: () => Promise<string[]>;
  program?: WorkerProgram;
}

/** Interval of the sweep for plans of dead workers; a sweep takes about 1 ms. */
const sweepMs = 200;

export async function startPlanWorker(engine: Engine, options: PlanWorkerOptions): Promise<PlanWorker> {
  const { database, log } = engine;
  let started: RunEngine<DrivenPlan> | undefined;
  const [lease, stopRegistrations, plans] = await openTogether(log, async (opened) => {
    // Each opens a connection of its own.
    const [held, stopListening] = await Promise.all([
      opened.open(
        "the worker's lease",
        () => holdWorkerLease(database, options.leaseMs, log, options.program),
        (taken) => taken.close(),
      ),
      opened.open(
        "the listening for registrations",
        () =>
          database.listener.listen(registrationChannel, () =>
            started?.driven().forEach((plan) => plan.registrationsChanged()),
          ),
        (stop) => stop(),
      ),
    ]);
    started = await startPlans(engine, options, held.id);
    return [held, stopListening, started] as const;
  });
  await plans.firstSweep();
  log.info({ workerId: lease.id }, "a worker takes plans");

  return {
    id: lease.id,
    lease,
    driving: () => plans.driving(),
    *tasks() {
      for (const plan of plans.driven()) yield* plan.tasks();
    },
    takeFrom: (jobs) =>
      jobs.work(planQueue, async (data) => {
        const { planId } = data as { planId: string };
        await plans.untilCapacity();
        await plans.take(planId);
      }),
    async close(graceMs) {
      stopRegistrations();
      await plans.close(graceMs);
      await lease.close();
    },
  };
}

async function startPlans(
  engine: Engine,
  { parallelPlans, ...options }: PlanWorkerOptions,
  workerId: string,
): Promise<RunEngine<DrivenPlan>> {
  const { database, log } = engine;
  const drive: Drive = { ...engine, rows: createPlanRows(database) };
  /** A process at its limit leaves these plans to other workers, or to its own next sweep. */
  const beginQueuedStarts = async (plans: RunEngine<DrivenPlan>): Promise<void> => {
    for (const planId of (await options.beginQueuedStarts?.()) ?? []) {
      if (plans.capacity() > 0) await plans.take(planId);
    }
  };
  const notBegun = "the next operation of a unit could not begin";
  return startRunEngine<PlanRow, DrivenPlan>({
    log,
    name: "a plan",
    idField: "planId",
    listener: database.listener,
    workerId,
    parallel: parallelPlans,
    sweepMs,
    controlChannel,
    async claimOne(planId) {
      const plan = await claimPlan(database, planId, { workerId, at: engine.now() });
      if (plan) engine.metrics.claimed(plan.fence === 1);
      return plan;
    },
    findAbandoned: (query) => findAbandoned(database.db, query),
    isQuiet: () => hasNoPlans(database.db),
    begunChannel: eventsChannel,
    drive: (plan) => drivePlan(drive, plan),
    release: (plan) => releasePlan(database.db, plan),
    async control(driven) {
      for (const { id, mode } of await readTerminations(database.db, [...driven.keys()]))
        driven.get(id)?.terminate(mode);
    },
    beforeSweep: [
      { run: createSlotsReport(engine, workerId), failure: "the use of the limits could not be written" },
      { run: beginQueuedStarts, failure: notBegun },
    ],
    onOver: (plans) => {
      beginQueuedStarts(plans).catch((error: Error) => plans.report(error, notBegun));
    },
  });
}

/** Writes the use of the limits while tasks wait for a slot, and once more when none does any more. */
function createSlotsReport({ database, slots }: Engine, workerId: string): () => Promise<void> {
  let shown = "";
  return async () => {
    const state = slots.state();
    const text = state.waitingTasks === 0 ? "" : JSON.stringify(state);
    if (text === shown) return;
    await writeSlots(database.db, workerId, text === "" ? null : text);
    shown = text;
  };
}
