/** The plans that this process drives: claims them, passes terminations on, and hands them over at a stop. */
import { claimPlan, createPlanRows, readTerminations } from "./record/store.ts";
import type { TerminateMode } from "./record/types.ts";
import { drivePlan, type Drive, type Driven, type Engine } from "./run.ts";

export interface DrivenPlans {
  ids(): string[];
  count(): number;
  /** How many more plans may be driven. */
  capacity(): number;
  /** Resolves when another plan may be driven, or when the plans are closed. */
  untilCapacity(): Promise<void>;
  /** Claims and drives the plan; resolves when the claim is decided, not when the plan has ended. */
  take(planId: string): Promise<void>;
  /** Reads the requested terminations of one plan, or of all, and passes them on. */
  readTerminations(planId: string | null): Promise<void>;
  registrationsChanged(): void;
  isClosed(): boolean;
  /** Takes nothing more, gives running calls `graceMs` to finish, and releases every plan. */
  close(graceMs: number): Promise<void>;
}

interface DrivenPlansOptions {
  limit: number;
  workerId: () => string;
  /** Called when a plan has ended or was released, unless the plans are closed. */
  onEnded: () => void;
}

export function createDrivenPlans(
  engine: Engine,
  { limit, workerId, onEnded }: DrivenPlansOptions,
): DrivenPlans {
  const { database } = engine;
  const drive: Drive = { ...engine, rows: createPlanRows(database) };
  /** By plan id; null while the plan is being claimed. */
  const driven = new Map<string, Driven | null>();
  /** Terminations requested while the plan was being claimed. */
  const early = new Map<string, TerminateMode>();
  const claims = new Set<Promise<void>>();
  const waitingForCapacity: (() => void)[] = [];
  let closed = false;

  const claimAndDrive = async (planId: string): Promise<void> => {
    const claim = claimPlan(database, planId, { workerId: workerId(), at: engine.now() });
    const plan = await claim.catch((error: unknown) => {
      driven.delete(planId);
      throw error;
    });
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
      waitingForCapacity.shift()?.();
      if (!closed) onEnded();
    });
  };

  return {
    ids: () => [...driven.keys()],
    count: () => driven.size,
    capacity: () => limit - driven.size,
    async untilCapacity() {
      while (driven.size >= limit && !closed) {
        await new Promise<void>((next) => waitingForCapacity.push(next));
      }
    },
    take(planId) {
      if (closed || driven.has(planId)) return Promise.resolve();
      driven.set(planId, null);
      const claim = claimAndDrive(planId).finally(() => {
        claims.delete(claim);
        early.delete(planId);
      });
      claims.add(claim);
      return claim;
    },
    async readTerminations(planId) {
      const ids = planId === null ? [...driven.keys()] : [planId].filter((id) => driven.has(id));
      if (ids.length === 0) return;
      for (const { id, mode } of await readTerminations(database.kysely, ids)) {
        const handle = driven.get(id);
        if (handle) handle.terminate(mode);
        else if (handle === null) early.set(id, mode);
      }
    },
    registrationsChanged() {
      for (const handle of driven.values()) handle?.registrationsChanged();
    },
    isClosed: () => closed,
    async close(graceMs) {
      closed = true;
      for (const next of waitingForCapacity) next();
      await Promise.allSettled(claims);
      const open = [...driven.values()].filter((handle) => handle !== null);
      for (const handle of open) handle.handOver();
      const halt = setTimeout(() => open.forEach((handle) => handle.halt()), graceMs);
      await Promise.all(open.map((handle) => handle.done));
      clearTimeout(halt);
    },
  };
}
