/**
 * Limits on how much runs at once in this process: in all, per environment and per adapter, fair between units. A
 * waiter is served in the round of its unit, so a unit with a thousand tasks delays another's first by one task, not
 * by a thousand. And since that one task may be long, the last place of each wider limit is kept for a unit that has
 * nothing at work.
 */
import { adapterPlacesOf, environmentPlacesOf, type LimitOverrides } from "./limits.ts";

export interface Slots {
  /** Resolves with the function that gives the slot back; rejects with the signal's reason. */
  acquire(want: Want, signal: AbortSignal): Promise<() => void>;
  /** Counts what is at work already, beyond the limits where it must be; nothing new starts beside it then. */
  occupy(want: Want): () => void;
  running(): number;
  state(): SlotsState;
}

export interface Want {
  unit: string;
  environment: string;
  adapterId: string | null;
  adapterUrl: string;
}

export interface SlotLimits extends LimitOverrides {
  total: number;
  perAdapter: number;
}

/** How full the limits are, for those who ask why something waits. */
export interface SlotsState {
  total: Usage;
  environments: Record<string, Usage>;
  /** By address; template ids that lead to one address share its places. */
  adapters: Record<string, Usage>;
  waitingTasks: number;
  waitingUnits: number;
}

export interface Usage {
  used: number;
  limit: number;
}

/** From this limit on one place is kept for newcomers; of fewer places none can be spared. */
export const smallestSharedLimit = 8;

interface Waiter {
  /** Rises with each that came. */
  ticket: number;
  want: Want;
  admit: () => void;
}

/** Those of one unit that wait, by adapter; each set in the order of coming. */
type Line = Map<string, Set<Waiter>>;

export function createSlots(limits: SlotLimits): Slots {
  const counts = {
    units: new Map<string, number>(),
    environments: new Map<string, number>(),
    adapters: new Map<string, number>(),
  };
  // Insertion order is the round: the unit that was served goes to the end.
  const lines = new Map<string, Line>();
  /** The limit that last held for an address. */
  const adapterLimits = new Map<string, number>();
  let total = 0;
  let tickets = 0;

  const isFree = (want: Want): boolean => {
    const isNewcomer = !counts.units.has(want.unit);
    const hasRoom = (used: number, limit: number): boolean =>
      used < limit - (isNewcomer || limit < smallestSharedLimit ? 0 : 1);
    const inEnvironment = counts.environments.get(want.environment) ?? 0;
    return (
      hasRoom(total, limits.total) &&
      hasRoom(inEnvironment, environmentPlacesOf(limits, want.environment)) &&
      hasRoom(counts.adapters.get(want.adapterUrl) ?? 0, adapterPlacesOf(limits, want))
    );
  };
  const take = (want: Want): (() => void) => {
    total++;
    add(counts.units, want.unit, 1);
    add(counts.environments, want.environment, 1);
    add(counts.adapters, want.adapterUrl, 1);
    adapterLimits.set(want.adapterUrl, adapterPlacesOf(limits, want));
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      total--;
      add(counts.units, want.unit, -1);
      add(counts.environments, want.environment, -1);
      add(counts.adapters, want.adapterUrl, -1);
      serve();
    };
  };
  const serve = (): void => {
    while (total < limits.total) {
      const next = nextOf(lines, isFree);
      if (!next) return;
      const { unit } = next.want;
      leaveLine(lines, next);
      const line = lines.get(unit);
      lines.delete(unit);
      if (line) lines.set(unit, line);
      next.admit();
    }
  };

  return {
    occupy: take,
    acquire(want, signal) {
      if (signal.aborted) return Promise.reject(signal.reason as Error);
      if (lines.size === 0 && isFree(want)) return Promise.resolve(take(want));
      return new Promise((done, fail) => {
        const leave = (): void => {
          leaveLine(lines, waiter);
          fail(signal.reason as Error);
        };
        const waiter: Waiter = {
          ticket: tickets++,
          want,
          admit() {
            signal.removeEventListener("abort", leave);
            done(take(want));
          },
        };
        signal.addEventListener("abort", leave, { once: true });
        joinLine(lines, waiter);
        serve();
      });
    },
    running: () => total,
    state() {
      const waiting = [...lines.values()].flatMap((line) => [...line.values()]);
      return {
        total: { used: total, limit: limits.total },
        environments: usage(counts.environments, (name) => environmentPlacesOf(limits, name)),
        adapters: usage(counts.adapters, (url) => adapterLimits.get(url) ?? limits.perAdapter),
        waitingTasks: waiting.reduce((sum, waiters) => sum + waiters.size, 0),
        waitingUnits: lines.size,
      };
    },
  };
}

/** The first unit of the round that has somebody who may start; of that unit, who came first. */
function nextOf(lines: Map<string, Line>, isFree: (want: Want) => boolean): Waiter | null {
  for (const line of lines.values()) {
    let first: Waiter | null = null;
    for (const waiters of line.values()) {
      const [head] = waiters;
      if (head && (!first || head.ticket < first.ticket) && isFree(head.want)) first = head;
    }
    if (first) return first;
  }
  return null;
}

const lineKey = ({ adapterId, adapterUrl }: Want): string => `${adapterId}|${adapterUrl}`;

function joinLine(lines: Map<string, Line>, waiter: Waiter): void {
  const line = lines.get(waiter.want.unit) ?? new Map<string, Set<Waiter>>();
  lines.set(waiter.want.unit, line);
  const key = lineKey(waiter.want);
  const waiters = line.get(key);
  if (waiters) waiters.add(waiter);
  else line.set(key, new Set([waiter]));
}

function leaveLine(lines: Map<string, Line>, waiter: Waiter): void {
  const line = lines.get(waiter.want.unit);
  const key = lineKey(waiter.want);
  const waiters = line?.get(key);
  waiters?.delete(waiter);
  if (waiters?.size === 0) line?.delete(key);
  if (line?.size === 0) lines.delete(waiter.want.unit);
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
