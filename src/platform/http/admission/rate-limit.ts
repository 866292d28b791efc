export interface RateLimit {
  /** Counts one request; the seconds to wait when the caller is over its limit, else 0. */
  take: (key: string) => number;
}

const windowMs = 60_000;
/** Callers remembered in one window; beyond it new callers share one count, so that memory has a bound. */
const maxCallers = 50_000;

/** Requests per caller and minute, counted in fixed windows in this process. `perMinute` 0 means no limit. */
export const createRateLimit = (perMinute: number, nowMs: () => number): RateLimit => {
  let windowStart = nowMs();
  let counts = new Map<string, number>();
  return {
    take(key) {
      if (perMinute === 0) {
        return 0;
      }
      const now = nowMs();
      if (now - windowStart >= windowMs) {
        windowStart = now;
        counts = new Map();
      }
      const known = counts.get(key);
      const slot = known === undefined && counts.size >= maxCallers ? "others" : key;
      const count = (known ?? counts.get(slot) ?? 0) + 1;
      counts.set(slot, count);
      return count <= perMinute ? 0 : Math.max(1, Math.ceil((windowStart + windowMs - now) / 1000));
    },
  };
};
