/** Executes plans in this process: claims those that the job queue names, and in every sweep those without a live worker. */
import type { Database } from "../../platform/db/database.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { eventsChannel } from "../../platform/events/events.ts";
import {
  databaseFailure,
  isDatabaseAway,
  isDatabaseGone,
  isDatabaseStrained,
} from "../../platform/db/failures.ts";
import { openTogether } from "../../platform/lib/opened.ts";
import { linesOfOrigin } from "../../platform/lib/request-lines.ts";
import { holdWorkerLease, type WorkerLease, type WorkerProgram } from "../../platform/jobs/worker-lease.ts";
import { startRunEngine, type RunEngine } from "../../platform/run-engine/run-engine.ts";
import { maxAttempts, shownReason } from "../../platform/run-engine/last-error.ts";
import { registrationChannel } from "../adapters/store.ts";
import { endPlan } from "./end-store.ts";
import type { Claim, PlanWrite } from "./group-store.ts";
import { LostClaim } from "./group-writer.ts";
import { logEvent, taskEvent } from "./plan-events.ts";
import { drivePlan, type Drive, type DrivenPlan, type Engine } from "./run.ts";
import { corruption, label } from "./tasks/ends.ts";
import { phaseOf, type TaskState } from "./tasks/plan-run.ts";
import { isTerminal, nextTaskStatus } from "./transitions.ts";
import { planQueue, stages, type PlanRow, type TaskRow } from "./types.ts";
import {
  claimPlan,
  controlChannel,
  createPlanRows,
  findAbandoned,
  freeUnclaimed,
  hasNoPlans,
  noteError,
  readPlanRow,
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
  /** Plans queued starts whose unit is free, and returns the ids of their plans. The signal ends it early. */
  beginQueuedStarts?: (signal: AbortSignal) => Promise<string[]>;
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
  const notBegun = "the next operation of a unit could not begin";
  const queued = createBeside(async (plans: RunEngine<DrivenPlan>, signal) => {
    try {
      // A process at its limit leaves these plans to other workers, or to its own next sweep.
      for (const planId of (await options.beginQueuedStarts?.(signal)) ?? [])
        if (plans.capacity() > 0) await plans.take(planId);
    } catch (error) {
      plans.report(error as Error, notBegun);
    }
  });
  const started = await startRunEngine<PlanRow, DrivenPlan>({
    log,
    name: "a plan",
    idField: "planId",
    listener: database.listener,
    workerId,
    parallel: parallelPlans,
    sweepMs,
    controlChannel,
    async claimOne(planId) {
      const plan = await claimPlan(database, planId, { workerId, at: engine.now() }).catch((error: Error) =>
        noteUnclaimed(drive, database, { planId, workerId, error }),
      );
      if (plan) engine.metrics.claimed(plan.fence === 1);
      return plan;
    },
    findAbandoned: (query) => findAbandoned(database.db, query),
    isQuiet: () => hasNoPlans(database.db),
    begunChannel: eventsChannel,
    drive: (plan) => drivePlan(drive, plan),
    release: (plan, error) => releaseAfter(drive, database, { plan, error }),
    async control(driven) {
      for (const { id, mode } of await readTerminations(database.db, [...driven.keys()]))
        driven.get(id)?.terminate(mode);
    },
    beforeSweep: [
      { run: createSlotsReport(engine, workerId), failure: "the use of the limits could not be written" },
      { run: async (plans) => queued.beginWhenIdle(plans), failure: notBegun },
    ],
    onOver: queued.begin,
  });
  return {
    ...started,
    async close(graceMs) {
      await Promise.all([started.close(graceMs), queued.close()]);
    },
  };
}

/**
 * Rounds that nobody waits for, one at a time: starts may wait for governance, and plans of dead workers must not wait for them.
 */
function createBeside<Input>(round: (input: Input, signal: AbortSignal) => Promise<void>) {
  const closing = new AbortController();
  let isWanted = false;
  let running: Promise<void> | null = null;
  const run = async (input: Input): Promise<void> => {
    while (isWanted && !closing.signal.aborted) {
      isWanted = false;
      await round(input, closing.signal);
    }
    running = null;
  };
  /** Also after the round under way, which may have looked too early. */
  const begin = (input: Input): void => {
    isWanted = true;
    running ??= run(input);
  };
  return {
    begin,
    beginWhenIdle(input: Input): void {
      if (running === null) begin(input);
    },
    async close(): Promise<void> {
      closing.abort();
      await running;
    },
  };
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

/** A plan whose claim the database refuses waits for its next attempt, as one whose worker could not go on. */
async function noteUnclaimed(
  engine: Drive,
  database: Database,
  { planId, workerId, error }: { planId: string; workerId: string; error: Error },
): Promise<null> {
  if (isDatabaseGone(error)) throw error;
  const plan = await freeUnclaimed(database.db, planId, workerId);
  if (plan === null) return null;
  engine.log.warn({ planId, reason: error.message }, "a plan could not be claimed");
  await releaseAfter(engine, database, { plan, error });
  return null;
}

/** Releases a plan whose drive has ended early. One whose worker could not go on is tried again later, and not for ever. */
async function releaseAfter(
  engine: Drive,
  database: Database,
  { plan, error }: { plan: PlanRow; error: unknown },
): Promise<void> {
  const { db } = database;
  if (error === undefined || isDatabaseGone(error)) return releasePlan(db, plan);
  const noted = await noteError(database, plan, databaseFailure(error)?.message ?? shownReason(error));
  if (noted === null) return;
  // A database that is slow or full refuses nothing for good.
  if (noted.attempts >= maxAttempts && !isDatabaseStrained(error)) {
    const reason = `It was given up after ${maxAttempts} attempts without progress. ${noted.reason}`;
    const hasEnded = await giveUp(engine, database, { plan, reason }).catch((cause: Error) => {
      if (isDatabaseGone(cause)) throw cause;
      const { message } = cause;
      if (!(cause instanceof LostClaim))
        engine.log.error({ planId: plan.id, reason: message }, "a plan that is given up could not be ended");
      return false;
    });
    if (hasEnded) return;
  }
  await releasePlan(db, plan);
}

interface GivenUp {
  plan: PlanRow;
  reason: string;
}

/**
 * Ends a plan that no worker can drive to its end. Each part is written apart from the others, so that what the database
 * refuses keeps none of them back. False when the claim is lost.
 */
async function giveUp(engine: Drive, database: Database, { plan, reason }: GivenUp): Promise<boolean> {
  const current = await readPlanRow(database.db, plan.id);
  if (current === null || current.fence !== plan.fence) return false;
  const log = linesOfOrigin(plan, engine.log);
  const onRefused = ({ message }: Error): void =>
    log.warn({ planId: plan.id, reason: message }, "a part of the end of a plan is left out");
  const tasks = await engine.rows.loadTasks(plan.id, plan.environment).catch((error: Error) => {
    if (isDatabaseAway(error)) throw error;
    onRefused(error);
    return [];
  });
  await endTasks(engine, { plan: current, reason, tasks, onRefused });
  const at = engine.now();
  const status = current.terminateMode === null ? ("FAILED" as const) : ("TERMINATED" as const);
  const adoptDescriptor = tasks.some((task) => task.stage >= stages.execute && task.startedAt !== null);
  const end = { status, reason, at, adoptDescriptor, blockedByService: null };
  const isOurs = await endPlan(database, plan, end, onRefused);
  if (!isOurs) return false;
  log.error({ planId: plan.id, action: plan.action, status, reason }, "a plan was given up");
  engine.metrics.planEnded({ ...plan, status, seconds: null });
  return true;
}

interface EndedTasks extends GivenUp {
  tasks: readonly TaskRow[];
  onRefused: (error: Error) => void;
}

/** What runs has an unknown outcome from now on, which the end of the plan adds to the ledger. */
async function endTasks(engine: Drive, { plan, reason, tasks, onRefused }: EndedTasks): Promise<void> {
  let { writeSeq } = plan;
  /** True when it is written. A claim of its own for each, because a refused write refuses all later ones. */
  const write = async (change: PlanWrite): Promise<boolean> => {
    const claim: Claim = { planId: plan.id, fence: plan.fence, writeSeq, onTerminate: () => undefined };
    try {
      await engine.writer.write(claim, change);
      ({ writeSeq } = claim);
      return true;
    } catch (error) {
      if (error instanceof LostClaim || isDatabaseAway(error)) throw error;
      onRefused(error as Error);
      return false;
    }
  };
  for (const task of tasks.filter(({ status }) => !isTerminal(status))) {
    const change = endOfTask(plan, task, { reason, at: engine.now() });
    // Without the component where that is what is refused: then the ledger alone says that it may have changed.
    if (!(await write(change(corruption(task)))) && task.mayHaveActed) await write(change({}));
  }
}

function endOfTask(plan: PlanRow, task: TaskRow, { reason, at }: { reason: string; at: Date }) {
  const { taskId, status: from, action, componentId } = task;
  const event = plan.terminateMode !== null ? "terminate" : from === "WAITING" ? "skip" : "fail";
  const status = nextTaskStatus(from, event) ?? "FAILED";
  const message = `${label(task)} has ended with its plan. ${reason}`;
  const line = { at, severity: "ERROR", taskId, phase: phaseOf(task), message } as const;
  return (component: ReturnType<typeof corruption>): PlanWrite => ({
    changes: [{ taskId, from, status, result: reason, stoppedAt: at, ...component }],
    events: [
      ...(from === "WAITING" ? [] : [logEvent(line)]),
      taskEvent(at, {
        id: taskId,
        status,
        action,
        componentId,
        stopTime: at.toISOString(),
        ...(component.component ? { componentStatus: component.component.status } : {}),
        message: reason,
      }),
    ],
  });
}
