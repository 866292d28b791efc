/** What has no answer in time: policies that overrun again and again, and evaluations whose time is over. */
import type { EngineOutcome } from "./engine.ts";

export type NoAnswer = EngineOutcome & { ok: false };

/** A policy that overruns so often in one evaluation has the same outcome for all that is left of it. */
const maxOverruns = 3;

export interface Overruns {
  add(key: string, outcome: NoAnswer): NoAnswer;
  /** What a job has as its outcome without being run; null for one that is to be run. */
  outcomeOf(key: string): NoAnswer | null;
}

/** The overruns of one evaluation. */
export function countOverruns(signal: AbortSignal): Overruns {
  const found = new Map<string, { count: number; outcome: NoAnswer }>();
  return {
    add(key, outcome) {
      found.set(key, { count: (found.get(key)?.count ?? 0) + 1, outcome });
      return outcome;
    },
    outcomeOf(key) {
      if (signal.aborted) return endedOutcome;
      const of = found.get(key);
      return of !== undefined && of.count >= maxOverruns ? of.outcome : null;
    },
  };
}

/** Of what was not evaluated because the time of the evaluation was over, or because nobody waits for it any more. */
export const endedOutcome: NoAnswer = {
  ok: false,
  reason: "timeout",
  message: "There was no answer before the time of the evaluation was over.",
};

/** The result of the work, or `late` as soon as the signal is aborted: nobody waits then for what the work still does. */
export async function orAborted<T, L>(work: Promise<T>, signal: AbortSignal, late: L): Promise<T | L> {
  const { promise: aborted, resolve } = Promise.withResolvers<L>();
  const onAbort = (): void => resolve(late);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
