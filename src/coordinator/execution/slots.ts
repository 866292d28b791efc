/**
 * Limits the tasks that run at once: in total in this process, per environment and per adapter in all processes
 * together, of which this one has a share; fair between units. Units are served round-robin, so a unit with a thousand tasks delays the first task of another by
 * one task only. As that task may take long, the last slot of each larger limit is reserved for units without
 * a running task.
 */
import {
  wholeLimits,
  type AtOnceSource,
  type Need,
  type Shares,
} from "../../platform/shared-limits/concurrency.ts";
import { adapterPlacesOf, environmentPlacesOf, type LimitOverrides } from "./tasks/limits.ts";

export interface Slots {
  /** Resolves with a function that releases the slot; rejects with the signal's reason. */
  acquire(request: SlotRequest, signal: AbortSignal): Promise<() => void>;
  /** Takes a slot for a task that already runs, even beyond the limits. */
  occupy(request: SlotRequest): () => void;
  running(): number;
  state(): SlotsState;
  /** What the limits of all processes are needed for here, and what to do when more may begin. */
  source: AtOnceSource;
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
  /** In all processes, as far as is known; of the total, in this one. */
  used: number;
  limit: number;
  /** What this process has of a limit of all processes. */
  own?: { used: number; share: number };
}

/** Limits below this reserve no slot for units without a running task. */
export const smallestSharedLimit = 8;

interface Waiter {
  /** Rises with each waiter. */
  ticket: number;
  request: CountedRequest;
  admit: () => void;
}

/** Waiters of one unit by adapter, each set in the order of arrival. */
type UnitQueue = Map<string, Set<Waiter>>;

/** `shareLimits` divides the limits of adapters and environments with other processes. */
export function createSlots(
  limits: SlotLimits,
  shareLimits: (source: AtOnceSource) => Shares = () => wholeLimits,
): Slots {
  // Round-robin by insertion order: the unit that was served moves to the end.
  const queues = new Map<string, UnitQueue>();
  let tickets = 0;
  const source: AtOnceSource = { needs: () => counts.needs(queues.values()), onGrown: () => serve() };
  const shares = shareLimits(source);
  const counts = createCounts(limits, shares);

  const take = (request: CountedRequest): (() => void) => {
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

  const ask = ({ shared }: CountedRequest): void => shared.forEach(({ name }) => shares.ask(name));
  const counted = (request: SlotRequest): CountedRequest => ({
    ...request,
    shared: sharedLimitsOf(limits, request),
  });

  return {
    occupy(wanted) {
      const request = counted(wanted);
      const release = take(request);
      ask(request);
      return release;
    },
    acquire(wanted, signal) {
      if (signal.aborted) return Promise.reject(signal.reason as Error);
      const request = counted(wanted);
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
        ask(request);
      });
    },
    running: counts.total,
    source,
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
function createCounts(limits: SlotLimits, shares: Shares) {
  const units = new Map<string, number>();
  const shared = new Map<string, SharedCount>();
  let total = 0;
  const change = (request: CountedRequest, by: 1 | -1): void => {
    total += by;
    add(units, request.unit, by);
    for (const limit of request.shared) {
      const used = (shared.get(limit.name)?.used ?? 0) + by;
      if (used > 0) shared.set(limit.name, { ...limit, used });
      else shared.delete(limit.name);
    }
  };
  const usageOf = (kind: SharedLimit["kind"]): Record<string, Usage> =>
    Object.fromEntries(
      [...shared.values()]
        .filter((count) => count.kind === kind)
        .map(({ name, key, limit, used }) => {
          const share = shares.usable(name, limit);
          const isDivided = share < limit;
          return [
            key,
            {
              used: used + shares.usedElsewhere(name),
              limit,
              ...(isDivided ? { own: { used, share } } : {}),
            },
          ];
        }),
    );
  return {
    isFree: (request: CountedRequest): boolean => {
      const isNewcomer = !units.has(request.unit);
      const hasCapacity = (used: number, limit: number): boolean =>
        used < limit - (isNewcomer || limit < smallestSharedLimit ? 0 : 1);
      return (
        hasCapacity(total, limits.total) &&
        request.shared.every(({ name, limit }) =>
          hasCapacity(shared.get(name)?.used ?? 0, shares.usable(name, limit)),
        )
      );
    },
    take: (request: CountedRequest): void => change(request, 1),
    release: (request: CountedRequest): void => change(request, -1),
    total: () => total,
    usage: () => ({
      total: { used: total, limit: limits.total },
      environments: usageOf("environment"),
      adapters: usageOf("adapter"),
    }),
    needs(waiting: Iterable<UnitQueue>): Need[] {
      const needs = new Map<string, Need>();
      for (const { name, limit, used } of shared.values()) needs.set(name, { name, limit, used, waiting: 0 });
      for (const queue of waiting) {
        for (const waiters of queue.values()) {
          const [head] = waiters;
          if (head === undefined) continue;
          for (const { name, limit } of head.request.shared) {
            const known = needs.get(name) ?? { name, limit, used: 0, waiting: 0 };
            needs.set(name, { ...known, waiting: known.waiting + waiters.size });
          }
        }
      }
      return [...needs.values()];
    },
  };
}

/** A limit that all processes share. */
interface SharedLimit {
  name: string;
  kind: "adapter" | "environment";
  key: string;
  limit: number;
}

interface CountedRequest extends SlotRequest {
  shared: readonly SharedLimit[];
}

interface SharedCount extends SharedLimit {
  used: number;
}

/** Template ids with the same address share its limit. */
function sharedLimitsOf(limits: SlotLimits, request: SlotRequest): SharedLimit[] {
  const { environment, adapterUrl } = request;
  const found: SharedLimit[] = [];
  const ofEnvironment = environmentPlacesOf(limits, environment);
  if (Number.isFinite(ofEnvironment))
    found.push({
      name: `tasks in ${environment}`,
      kind: "environment",
      key: environment,
      limit: ofEnvironment,
    });
  const ofAdapter = adapterPlacesOf(limits, request);
  found.push({ name: `tasks of ${adapterUrl}`, kind: "adapter", key: adapterUrl, limit: ofAdapter });
  return found;
}

/** The first waiter that may start, of the first unit that has one. */
function nextOf(queues: Map<string, UnitQueue>, isFree: (request: CountedRequest) => boolean): Waiter | null {
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
