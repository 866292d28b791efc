/**
 * A process's share of the execution: takes new plans from the job queue, takes over what the dead have left,
 * and passes terminations on to the plans that it drives.
 */
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { openTogether } from "../../platform/lib/opened.ts";
import { holdWorkerLease, type WorkerProgram } from "../../platform/jobs/worker-lease.ts";
import { registrationChannel } from "../tech-adapters/store.ts";
import { planQueue } from "./queue.ts";
import { drivePlan, type Drive, type Driven, type Engine } from "./run.ts";
import type { TerminateMode } from "./record/types.ts";
import {
  claimPlan,
  controlChannel,
  createPlanRows,
  findAbandoned,
  readTerminations,
  writeSlots,
} from "./record/store.ts";

export interface PlanWorker {
  id: string;
  driving(): number;
  /** From now on new plans come from the job queue too; until then only by the sweep. */
  takeFrom(jobs: Jobs): Promise<void>;
  /** Starts nothing more, gives calls under way `graceMs` to finish, and gives every plan back. */
  close(graceMs: number): Promise<void>;
}

export interface PlanWorkerOptions {
  leaseMs: number;
  /** Plans driven at once; more wait in the queue. */
  parallelPlans: number;
  /** Makes plans of operations whose turn on their unit has come, and answers the plans' ids. */
  takeTurns?: () => Promise<string[]>;
  program?: WorkerProgram;
}

/** How long a plan of a dead worker waits at most to be found; a sweep takes about 1 ms. */
const sweepMs = 200;

/** Each needs a connection, and a process that has just started has none: making one takes as long as several claims. */
const claimsAtOnce = 2;

export async function startPlanWorker(engine: Engine, options: PlanWorkerOptions): Promise<PlanWorker> {
  const { database, log } = engine;
  const drive: Drive = { ...engine, rows: createPlanRows(database) };
  /** What is driven; null while it is being claimed. */
  const driven = new Map<string, Driven | null>();
  /** Asked for while the plan was being claimed. */
  const early = new Map<string, TerminateMode>();
  const claims = new Set<Promise<void>>();
  const waitingForRoom: (() => void)[] = [];
  let closed = false;

  /** Drives the plan when it can be claimed; resolves once that is settled, not when the plan has ended. */
  const take = (planId: string): Promise<void> => {
    if (closed || driven.has(planId)) return Promise.resolve();
    driven.set(planId, null);
    const claim = claimAndDrive(planId).finally(() => {
      claims.delete(claim);
      early.delete(planId);
    });
    claims.add(claim);
    return claim;
  };
  const claimAndDrive = async (planId: string): Promise<void> => {
    const plan = await claimPlan(database, planId, { workerId: lease.id, at: engine.now() }).catch(
      (error: unknown) => {
        driven.delete(planId);
        throw error;
      },
    );
    if (!plan) {
      driven.delete(planId);
      return;
    }
    const handle = drivePlan(drive, plan);
    driven.set(planId, handle);
    const mode = early.get(planId);
    if (mode) handle.terminate(mode);
    if (closed) handle.handOver();
    void handle.done.then(() => {
      driven.delete(planId);
      waitingForRoom.shift()?.();
      if (!closed) takeTurns().catch(reportTo("the next operation of a unit could not begin"));
    });
  };
  /** A process without room leaves what begins to the others, or to its own next sweep. */
  const takeTurns = async (): Promise<void> => {
    for (const planId of (await options.takeTurns?.()) ?? []) {
      if (driven.size < options.parallelPlans) await take(planId);
    }
  };
  let shown = "";
  /** Only while tasks wait for a place, and once more when none do any more. */
  const showSlots = async (): Promise<void> => {
    const state = engine.slots.state();
    const text = state.waitingTasks === 0 ? "" : JSON.stringify(state);
    if (text === shown) return;
    await writeSlots(database.kysely, lease.id, text === "" ? null : text);
    shown = text;
  };
  const sweep = async (): Promise<void> => {
    await showSlots().catch(reportTo("how full the limits are could not be written"));
    await takeTurns().catch(reportTo("the next operation of a unit could not begin"));
    const limit = options.parallelPlans - driven.size;
    if (limit <= 0) return;
    const query = { workerId: lease.id, driving: [...driven.keys()], limit };
    const abandoned = await findAbandoned(database.kysely, query);
    const claimNext = async (): Promise<void> => {
      for (let next = abandoned.shift(); next; next = abandoned.shift()) await take(next);
    };
    await Promise.all(Array.from({ length: claimsAtOnce }, claimNext));
  };
  const control = async (planId: string | null): Promise<void> => {
    const ids = planId === null ? [...driven.keys()] : [planId].filter((id) => driven.has(id));
    if (ids.length === 0) return;
    for (const { id, mode } of await readTerminations(database.kysely, ids)) {
      const handle = driven.get(id);
      if (handle) handle.terminate(mode);
      else if (handle === null) early.set(id, mode);
    }
  };
  const reportTo = (what: string) => (error: Error) => {
    if (!closed) log.warn({ reason: error.message }, what);
  };

  const onControl = (planId: string | null): void => {
    control(planId).catch(reportTo("a termination could not be read"));
  };

  const onRegistration = (): void => {
    for (const handle of driven.values()) handle?.registrationsChanged();
  };

  // Each makes a connection of its own.
  const [lease, stopListening, stopRegistrations] = await openTogether(log, (opened) =>
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
  log.info({ workerId: lease.id }, "a worker takes plans");
  let timer: NodeJS.Timeout | null = null;
  const sweepOn = async (): Promise<void> => {
    await sweep().catch(reportTo("the sweep for abandoned plans failed"));
    if (!closed) timer = setTimeout(() => void sweepOn(), sweepMs);
  };
  await sweepOn();

  return {
    id: lease.id,
    driving: () => driven.size,
    takeFrom: (jobs) =>
      jobs.work(planQueue, async (data) => {
        const { planId } = data as { planId: string };
        while (driven.size >= options.parallelPlans && !closed) {
          await new Promise<void>((next) => waitingForRoom.push(next));
        }
        await take(planId);
      }),
    async close(graceMs) {
      closed = true;
      if (timer) clearTimeout(timer);
      stopListening();
      stopRegistrations();
      for (const next of waitingForRoom) next();
      await Promise.allSettled(claims);
      const open = [...driven.values()].filter((handle) => handle !== null);
      for (const handle of open) handle.handOver();
      const halt = setTimeout(() => open.forEach((handle) => handle.halt()), graceMs);
      await Promise.all(open.map((handle) => handle.done));
      clearTimeout(halt);
      await lease.close();
    },
  };
}
