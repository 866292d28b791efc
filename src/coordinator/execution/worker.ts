/**
 * Executes plans in this process: claims new plans from the job queue, takes over plans of dead workers, and
 * passes terminations on to the plans that it drives.
 */
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { openTogether } from "../../platform/lib/opened.ts";
import { holdWorkerLease, type WorkerProgram } from "../../platform/jobs/worker-lease.ts";
import { registrationChannel } from "../adapters/store.ts";
import { createDrivenPlans } from "./driven-plans.ts";
import type { Engine } from "./run.ts";
import { planQueue } from "./record/types.ts";
import { controlChannel, findAbandoned, writeSlots } from "./record/store.ts";

export interface PlanWorker {
  id: string;
  driving(): number;
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

/** Each claim needs a connection; after a start, opening one takes as long as several claims. */
const claimsAtOnce = 2;

export async function startPlanWorker(engine: Engine, options: PlanWorkerOptions): Promise<PlanWorker> {
  const { database, log } = engine;
  let timer: NodeJS.Timeout | null = null;
  const reportTo = (what: string) => (error: Error) => {
    if (!plans.isClosed()) log.warn({ reason: error.message }, what);
  };
  const plans = createDrivenPlans(engine, {
    limit: options.parallelPlans,
    workerId: () => lease.id,
    onEnded: () => {
      beginQueuedStarts().catch(reportTo("the next operation of a unit could not begin"));
    },
  });
  /** A process at its limit leaves these plans to other workers, or to its own next sweep. */
  const beginQueuedStarts = async (): Promise<void> => {
    for (const planId of (await options.beginQueuedStarts?.()) ?? []) {
      if (plans.capacity() > 0) await plans.take(planId);
    }
  };
  const showSlots = createSlotsReport(engine, () => lease.id);
  const sweep = async (): Promise<void> => {
    await showSlots().catch(reportTo("the use of the limits could not be written"));
    await beginQueuedStarts().catch(reportTo("the next operation of a unit could not begin"));
    const limit = plans.capacity();
    if (limit <= 0) return;
    const query = { workerId: lease.id, driving: plans.ids(), limit };
    const abandoned = await findAbandoned(database.kysely, query);
    const claimNext = async (): Promise<void> => {
      for (let next = abandoned.shift(); next; next = abandoned.shift()) await plans.take(next);
    };
    await Promise.all(Array.from({ length: claimsAtOnce }, claimNext));
  };
  const onControl = (planId: string | null): void => {
    plans.readTerminations(planId).catch(reportTo("a termination could not be read"));
  };
  const [lease, stopListening, stopRegistrations] = await openWorker(engine, options, {
    onControl,
    onRegistration: () => plans.registrationsChanged(),
  });
  log.info({ workerId: lease.id }, "a worker takes plans");
  const sweepOn = async (): Promise<void> => {
    await sweep().catch(reportTo("the sweep for abandoned plans failed"));
    if (!plans.isClosed()) timer = setTimeout(() => void sweepOn(), sweepMs);
  };
  await sweepOn();

  return {
    id: lease.id,
    driving: () => plans.count(),
    takeFrom: (jobs) =>
      jobs.work(planQueue, async (data) => {
        const { planId } = data as { planId: string };
        await plans.untilCapacity();
        await plans.take(planId);
      }),
    async close(graceMs) {
      const closing = plans.close(graceMs);
      if (timer) clearTimeout(timer);
      stopListening();
      stopRegistrations();
      await closing;
      await lease.close();
    },
  };
}

interface Listeners {
  onControl: (planId: string | null) => void;
  onRegistration: () => void;
}

/** Opens the lease and both listeners. Each opens a connection of its own, so they are opened in parallel. */
const openWorker = (
  { database, log }: Engine,
  options: PlanWorkerOptions,
  { onControl, onRegistration }: Listeners,
) =>
  openTogether(log, (opened) =>
    Promise.all([
      opened.open(
        "the worker's lease",
        () => holdWorkerLease(database, options.leaseMs, log, options.program),
        (held) => held.close(),
      ),
      opened.open(
        "the worker's listening",
        () => database.listener.listen(controlChannel, onControl),
        (stop) => stop(),
      ),
      opened.open(
        "the listening for registrations",
        () => database.listener.listen(registrationChannel, onRegistration),
        (stop) => stop(),
      ),
    ]),
  );

/** Writes the use of the limits while tasks wait for a slot, and once more when none does any more. */
function createSlotsReport({ database, slots }: Engine, workerId: () => string): () => Promise<void> {
  let shown = "";
  return async () => {
    const state = slots.state();
    const text = state.waitingTasks === 0 ? "" : JSON.stringify(state);
    if (text === shown) return;
    await writeSlots(database.kysely, workerId(), text === "" ? null : text);
    shown = text;
  };
}
