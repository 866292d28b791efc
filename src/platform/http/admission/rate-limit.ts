import { widerNetwork } from "./caller-network.ts";

/**
 * What is counted: requests of somebody who is known, requests of a network without credentials, credentials of a network that were
 * refused. Each kind has a bound of its own, so that no number of strangers makes those who are known share a count.
 */
export type CallerKind = "actor" | "network" | "refused credentials";

export interface RateLimit {
  /** Counts one request; the seconds to wait when the caller is over its limit, else 0. */
  take: (kind: CallerKind, caller: string) => number;
  /** The seconds to wait when the caller has used up its limit, else 0; then nothing is counted. */
  wait: (kind: CallerKind, caller: string) => number;
}

/** A limit that several processes may divide among them. */
export interface DivisibleRateLimit extends RateLimit {
  readonly perMinute: number;
  /** What was answered of that caller in this minute, and whether a request was refused. */
  counted: (key: string) => { used: number; isRefused: boolean };
  /** Callers of whom more may come than this process may answer; those who are known first. */
  wanting: () => string[];
  /** Called when there is one more of these. */
  onWanting: (notice: () => void) => void;
  divide: (division: RateDivision) => void;
}

/** What this process may answer, as the processes have agreed. */
export interface RateDivision {
  /** Rises by one with each minute, in all processes at the same time. */
  period: number;
  endsInMs: number;
  /** False while there is no other process. */
  isDivided: boolean;
  /** Requests of each caller in this minute. */
  base: number;
  /** The same for the next minute. */
  nextBase: number;
  /** Requests that may come from a caller before the processes can agree on more. */
  headroom: number;
  /** Callers with another part than the base. */
  grants: ReadonlyMap<string, { allowed: number; usedElsewhere: number; isWaiting: boolean }>;
}

const windowMs = 60_000;
/**
 * Callers of one kind remembered in one window, so that memory has a bound. Beyond it new actors share one count, and new networks that of
 * the wider network that they are in: who has many of them is in nobody's way but the neighbours'.
 */
const maxCallers = 50_000;
/** Wider networks of one kind that have a count then. */
const maxWider = 10_000;
/** From this part of the limit on nothing is left to be divided differently. */
const almostAll = 0.9;

/**
 * Requests per caller and minute, counted in fixed windows in this process, up to its part of the limit. Without a division
 * the part is the whole. `perMinute` 0 means no limit.
 */
export const createRateLimit = (perMinute: number, nowMs: () => number): DivisibleRateLimit => {
  let windowStart = nowMs();
  let counts = createCounts();
  let refused = new Set<string>();
  let asked = new Map<string, CallerKind>();
  let division: RateDivision | null = null;
  let notice: () => void = () => undefined;
  const begin = (start: number): void => {
    windowStart = start;
    counts = createCounts();
    refused = new Set();
    asked = new Map();
  };
  const roll = (now: number): void => {
    if (now - windowStart < windowMs) return;
    if (division === null) return begin(now);
    const minutes = Math.floor((now - windowStart) / windowMs);
    begin(windowStart + minutes * windowMs);
    const base = division.nextBase;
    division = { ...division, period: division.period + minutes, base, grants: new Map() };
  };
  const allowedOf = (key: string): number =>
    division === null ? perMinute : (division.grants.get(key)?.allowed ?? division.base);
  /** Asks for more before the part is used up: twice what has come may come. */
  const ask = (key: string, kind: CallerKind, count: number): void => {
    if (division === null || asked.has(key)) return;
    const allowed = allowedOf(key);
    if (allowed >= perMinute || 2 * count + division.headroom <= allowed) return;
    asked.set(key, kind);
    notice();
  };
  const waitOf = (key: string, now: number): number => {
    const untilEnd = Math.max(1, Math.ceil((windowStart + windowMs - now) / 1000));
    if (division === null) return untilEnd;
    const used = (counts.get(key) ?? 0) + (division.grants.get(key)?.usedElsewhere ?? 0);
    return used >= perMinute * almostAll ? untilEnd : 1;
  };
  /** Counts nothing over the limit, and nothing at all where it is only asked. */
  const look = (kind: CallerKind, caller: string, isCounted: boolean): number => {
    if (perMinute === 0) return 0;
    // The usual case of `wait`, which is called for each request: nothing of this kind was counted.
    if (!isCounted && division === null && counts.isEmpty(kind)) return 0;
    const now = nowMs();
    roll(now);
    const slot = counts.slotOf(kind, caller);
    const known = counts.get(slot);
    const count = (known ?? 0) + 1;
    const isOver = count > allowedOf(slot);
    // A caller that was refused needs all that it can get.
    if (isOver && known !== undefined && !refused.has(slot)) {
      refused.add(slot);
      asked.delete(slot);
    }
    if (isCounted && !isOver) counts.set(kind, slot, count);
    if (isCounted || isOver) ask(slot, kind, count);
    return isOver ? waitOf(slot, now) : 0;
  };
  return {
    perMinute,
    take: (kind, caller) => look(kind, caller, true),
    wait: (kind, caller) => look(kind, caller, false),
    counted: (key) => ({ used: counts.get(key) ?? 0, isRefused: refused.has(key) }),
    wanting: () => actorsFirst([...asked]).map(([key]) => key),
    onWanting(called) {
      notice = called;
    },
    divide(next) {
      const now = nowMs();
      if (!next.isDivided) {
        division = null;
        return;
      }
      roll(now);
      // Made for a minute that is over here.
      if (division !== null && next.period < division.period) return;
      const start = now + next.endsInMs - windowMs;
      if (division !== null && next.period > division.period) begin(start);
      windowStart = start;
      division = next;
      asked = new Map([...asked].filter(([key]) => next.grants.get(key)?.isWaiting ?? false));
    },
  };
};

/** What has come in one window. */
const createCounts = () => {
  const counts = new Map<string, number>();
  const sizes: Record<CallerKind, number> = { actor: 0, network: 0, "refused credentials": 0 };
  return {
    isEmpty: (kind: CallerKind): boolean => sizes[kind] === 0,
    get: (slot: string): number | undefined => counts.get(slot),
    set(kind: CallerKind, slot: string, count: number): void {
      if (!counts.has(slot)) sizes[kind] += 1;
      counts.set(slot, count);
    },
    /** Under which name the caller is counted. */
    slotOf(kind: CallerKind, caller: string): string {
      const key = kind === "refused credentials" ? `${kind} of ${caller}` : caller;
      if (sizes[kind] < maxCallers || counts.has(key)) return key;
      if (kind === "actor") return "others";
      const wider = `${kind} of others in ${widerNetwork(caller)}`;
      return sizes[kind] < maxCallers + maxWider || counts.has(wider) ? wider : `${kind} of others`;
    },
  };
};

type Asked = [string, CallerKind];

const actorsFirst = (asked: readonly Asked[]): Asked[] => [
  ...asked.filter(([, kind]) => kind === "actor"),
  ...asked.filter(([, kind]) => kind !== "actor"),
];
