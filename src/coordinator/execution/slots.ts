/**
 * Limits the tasks that run at once in this process: in total, per environment and per adapter, fair between
 * units. Units are served round-robin, so a unit with a thousand tasks delays the first task of another by
 * one task only. As that task may take long, the last slot of each larger limit is reserved for units without
 * a running task.
 */
import { adapterPlacesOf, environmentPlacesOf, type LimitOverrides } from "./tasks/limits.ts";

export interface Slots {
  /** Resolves with a function that releases the slot; rejects with the signal's reason. */
  acquire(request: SlotRequest, signal: AbortSignal): Promise<() => void>;
  /** Takes a slot for a task that already runs, even beyond the limits. */
  occupy(request: SlotRequest): () => void;
  running(): number;
  state(): SlotsState;
}

export interface SlotRequest {
  unit: string;
  environment: string;
  adapterId: string | null;
  adapterUrl: string;
}

export interface SlotLimits extends LimitOverrides {
  total: number;
  perAdapter: number;
}

/** Use of the limits, to explain why a task waits. */
export interface SlotsState {
  total: Usage;
  environments: Record<string, Usage>;
  /** By address; template ids with the same address share its slots. */
  adapters: Record<string, Usage>;
  waitingTasks: number;
  waitingUnits: number;
}

export interface Usage {
  used: number;
  limit: number;
}

/** Limits below this reserve no slot for units without a running task. */
export const smallestSharedLimit = 8;

interface Waiter {
  /** Rises with each waiter. */
  ticket: number;
  request: SlotRequest;
  admit: () => void;
}

/** Waiters of one unit by adapter, each set in the order of arrival. */
type UnitQueue = Map<string, Set<Waiter>>;

export function createSlots(limits: SlotLimits): Slots {
  const counts = createCounts(limits);
  // Round-robin by insertion order: the unit that was served moves to the end.
  const queues = new Map<string, UnitQueue>();
  let tickets = 0;

  const take = (request: SlotRequest): (() => void) => {
    counts.take(request);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      counts.release(request);
      serve();
    };
  };
  const serve = (): void => {
    while (counts.total() < limits.total) {
      const next = nextOf(queues, counts.isFree);
      if (!next) return;
      const { unit } = next.request;
      dequeue(queues, next);
      const queue = queues.get(unit);
      queues.delete(unit);
      if (queue) queues.set(unit, queue);
      next.admit();
    }
  };

  return {
    occupy: take,
    acquire(request, signal) {
      if (signal.aborted) return Promise.reject(signal.reason as Error);
      if (queues.size === 0 && counts.isFree(request)) return Promise.resolve(take(request));
      return new Promise((done, fail) => {
        const leave = (): void => {
          dequeue(queues, waiter);
          fail(signal.reason as Error);
        };
        const waiter: Waiter = {
          ticket: tickets++,
          request,
          admit() {
            signal.removeEventListener("abort", leave);
            done(take(request));
          },
        };
        signal.addEventListener("abort", leave, { once: true });
        enqueue(queues, waiter);
        serve();
      });
    },
    running: counts.total,
    state() {
      const waiting = [...queues.values()].flatMap((queue) => [...queue.values()]);
      return {
        ...counts.usage(),
        waitingTasks: waiting.reduce((sum, waiters) => sum + waiters.size, 0),
        waitingUnits: queues.size,
      };
    },
  };
}

/** Counts the running tasks against the limits. */
function createCounts(limits: SlotLimits) {
  const units = new Map<string, number>();
  const environments = new Map<string, number>();
  const adapters = new Map<string, number>();
  /** The last limit of each address. */
  const adapterLimits = new Map<string, number>();
  let total = 0;
  const change = (request: SlotRequest, by: 1 | -1): void => {
    total += by;
    add(units, request.unit, by);
    add(environments, request.environment, by);
    add(adapters, request.adapterUrl, by);
  };
  return {
    isFree: (request: SlotRequest): boolean => {
      const isNewcomer = !units.has(request.unit);
      const hasCapacity = (used: number, limit: number): boolean =>
        used < limit - (isNewcomer || limit < smallestSharedLimit ? 0 : 1);
      return (
        hasCapacity(total, limits.total) &&
        hasCapacity(
          environments.get(request.environment) ?? 0,
          environmentPlacesOf(limits, request.environment),
        ) &&
        hasCapacity(adapters.get(request.adapterUrl) ?? 0, adapterPlacesOf(limits, request))
      );
    },
    take(request: SlotRequest): void {
      change(request, 1);
      adapterLimits.set(request.adapterUrl, adapterPlacesOf(limits, request));
    },
    release: (request: SlotRequest): void => change(request, -1),
    total: () => total,
    usage: () => ({
      total: { used: total, limit: limits.total },
      environments: usage(environments, (name) => environmentPlacesOf(limits, name)),
      adapters: usage(adapters, (url) => adapterLimits.get(url) ?? limits.perAdapter),
    }),
  };
}

/** The first waiter that may start, of the first unit that has one. */
function nextOf(queues: Map<string, UnitQueue>, isFree: (request: SlotRequest) => boolean): Waiter | null {
  for (const queue of queues.values()) {
    let first: Waiter | null = null;
    for (const waiters of queue.values()) {
      const [head] = waiters;
      if (head && (!first || head.ticket < first.ticket) && isFree(head.request)) first = head;
    }
    if (first) return first;
  }
  return null;
}

const queueKey = ({ adapterId, adapterUrl }: SlotRequest): string => `${adapterId}|${adapterUrl}`;

function enqueue(queues: Map<string, UnitQueue>, waiter: Waiter): void {
  const queue = queues.get(waiter.request.unit) ?? new Map<string, Set<Waiter>>();
  queues.set(waiter.request.unit, queue);
  const key = queueKey(waiter.request);
  const waiters = queue.get(key);
  if (waiters) waiters.add(waiter);
  else queue.set(key, new Set([waiter]));
}

function dequeue(queues: Map<string, UnitQueue>, waiter: Waiter): void {
  const queue = queues.get(waiter.request.unit);
  const key = queueKey(waiter.request);
  const waiters = queue?.get(key);
  waiters?.delete(waiter);
  if (waiters?.size === 0) queue?.delete(key);
  if (queue?.size === 0) queues.delete(waiter.request.unit);
}

function add(counts: Map<string, number>, key: string, more: number): void {
  const count = (counts.get(key) ?? 0) + more;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

function usage(counts: Map<string, number>, limitOf: (key: string) => number): Record<string, Usage> {
  const found: Record<string, Usage> = {};
  for (const [key, used] of counts) {
    const limit = limitOf(key);
    if (Number.isFinite(limit)) found[key] = { used, limit };
  }
  return found;
}
