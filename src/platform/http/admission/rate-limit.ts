export interface RateLimit {
  /** Counts one request; the seconds to wait when the caller is over its limit, else 0. */
  take: (key: string) => number;
  /** The seconds to wait when the caller has used up its limit, else 0; then nothing is counted. */
  wait: (key: string) => number;
}

/** A limit that several processes may divide among them. */
export interface DivisibleRateLimit extends RateLimit {
  readonly perMinute: number;
  /** What was answered of that caller in this minute, and whether a request was refused. */
  counted: (key: string) => { used: number; isRefused: boolean };
  /** Callers of whom more may come than this process may answer. */
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
/** Callers remembered in one window; beyond it new callers share one count, so that memory has a bound. */
const maxCallers = 50_000;
/** From this part of the limit on nothing is left to be divided differently. */
const almostAll = 0.9;

/**
 * Requests per caller and minute, counted in fixed windows in this process, up to its part of the limit. Without a division
 * the part is the whole. `perMinute` 0 means no limit.
 */
export const createRateLimit = (perMinute: number, nowMs: () => number): DivisibleRateLimit => {
  let windowStart = nowMs();
  let counts = new Map<string, number>();
  let refused = new Set<string>();
  let asked = new Set<string>();
  let division: RateDivision | null = null;
  let notice: () => void = () => undefined;
  const begin = (start: number): void => {
    windowStart = start;
    counts = new Map();
    refused = new Set();
    asked = new Set();
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
  const ask = (key: string, count: number, allowed: number): void => {
    if (division === null || allowed >= perMinute || asked.has(key)) return;
    if (2 * count + division.headroom <= allowed) return;
    asked.add(key);
    notice();
  };
  const waitOf = (key: string, now: number): number => {
    const untilEnd = Math.max(1, Math.ceil((windowStart + windowMs - now) / 1000));
    if (division === null) return untilEnd;
    const used = (counts.get(key) ?? 0) + (division.grants.get(key)?.usedElsewhere ?? 0);
    return used >= perMinute * almostAll ? untilEnd : 1;
  };
  /** Counts nothing over the limit, and nothing at all where it is only asked. */
  const look = (key: string, isCounted: boolean): number => {
    if (perMinute === 0) return 0;
    const now = nowMs();
    roll(now);
    const slot = !counts.has(key) && counts.size >= maxCallers ? "others" : key;
    const count = (counts.get(slot) ?? 0) + 1;
    const allowed = allowedOf(slot);
    const isOver = count > allowed;
    // A caller that was refused needs all that it can get.
    if (isOver && refused.size < maxCallers && !refused.has(slot)) {
      refused.add(slot);
      asked.delete(slot);
    }
    if (isCounted && !isOver) counts.set(slot, count);
    if (isCounted || isOver) ask(slot, count, allowed);
    return isOver ? waitOf(slot, now) : 0;
  };
  return {
    perMinute,
    take: (key) => look(key, true),
    wait: (key) => look(key, false),
    counted: (key) => ({ used: counts.get(key) ?? 0, isRefused: refused.has(key) }),
    wanting: () => [...asked],
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
      asked = new Set([...asked].filter((key) => next.grants.get(key)?.isWaiting ?? false));
    },
  };
};
