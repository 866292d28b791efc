/** This process's parts of a rate of each caller's requests. */
import type { Holder } from "./divide.ts";
import { isWaiting } from "./divide.ts";
import type { Decision, View, Want } from "./plan-round.ts";
import { rateWindow, type RateWindow } from "./rate-window.ts";

/** A limit of each caller's requests in a minute, as the HTTP server counts them. */
export interface DivisibleRate {
  perMinute: number;
  /** What this process has answered of that caller in this minute, and whether it has refused one. */
  counted(caller: string): { used: number; isRefused: boolean };
  /** Callers of whom more may come than this process may answer. */
  wanting(): string[];
  divide(division: RateDivision): void;
  onWanting(notice: () => void): void;
}

export interface RateDivision extends Pick<
  RateWindow,
  "period" | "endsInMs" | "isDivided" | "base" | "nextBase" | "headroom"
> {
  /** Of callers for whom this process has another part than the base. */
  grants: ReadonlyMap<string, RateGrant>;
}

export interface RateGrant {
  allowed: number;
  /** Answered by other processes, as far as they have said. */
  usedElsewhere: number;
  isWaiting: boolean;
}

/** Callers with rows of one process; others have the base and no more. */
const maxCallers = 200;
const prefix = "requests of ";

export type Rates = ReturnType<typeof createRates>;

export function createRates(own: string, wake: () => void) {
  let limit: DivisibleRate | undefined;
  let most = { period: 0, serving: 0 };
  const window = (view: View): RateWindow => {
    const period = rateWindow(view, { own, perMinute: 1, mostServing: 0 }).period;
    if (period !== most.period) most = { period, serving: 0 };
    const found = rateWindow(view, { own, perMinute: limit?.perMinute ?? 1, mostServing: most.serving });
    most.serving = Math.max(most.serving, found.serving);
    return found;
  };
  return {
    serves: (): boolean => limit !== undefined,
    join(joined: DivisibleRate): void {
      limit = joined;
      joined.onWanting(wake);
    },
    window,
    wants(view: View, found: RateWindow): Want[] {
      const { period, base, least, headroom, others, isDivided } = found;
      if (limit === undefined || !isDivided) return [];
      const rows = view.shares.filter((row) => row.period === period && row.name.startsWith(prefix));
      const callers = new Set(
        rows
          .filter((row) => row.memberId === own || isWaiting(row))
          .map(({ name }) => name.slice(prefix.length)),
      );
      for (const caller of limit.wanting()) if (callers.size < maxCallers) callers.add(caller);
      const { perMinute } = limit;
      return [...callers].map((caller) => {
        const name = prefix + caller;
        const { used, isRefused } = limit!.counted(caller);
        const impliedByOthers = new Map<string, Holder>(others);
        const demand = isRefused ? perMinute : Math.min(perMinute, 2 * used + headroom);
        return { name, period, limit: perMinute, demand, used, implied: base, least, impliedByOthers };
      });
    },
    apply(view: View, decisions: readonly Decision[]): void {
      if (limit === undefined) return;
      const found = window(view);
      const grants = new Map<string, RateGrant>();
      for (const { name, period, usable, usedElsewhere, demand, share } of decisions)
        if (period === found.period)
          grants.set(name.slice(prefix.length), {
            allowed: usable,
            usedElsewhere,
            isWaiting: demand > share,
          });
      limit.divide({ ...found, grants });
    },
  };
}
