/** Pure. The result of an attempt to deliver, and whether it is retried. */
import { nextAttemptAt, readRetryAfter } from "../../../platform/outbound/retry.ts";

export interface Attempt {
  /** How many have been made, this one included. */
  attempts: number;
  at: Date;
  /** The status of the answer, or null when there was none. */
  status: number | null;
  /** Why there was no answer. */
  fault: string | null;
  retryAfter: string | undefined;
}

export interface Verdict {
  /** `gone`: the receiver answered 410 and wants no further events. */
  result: "delivered" | "retry" | "dead" | "gone";
  error: string | null;
  nextAttemptAt: Date | null;
}

/** Limit of the Retry-After that a receiver may ask for. */
const longestRetryAfterMs = 24 * 3_600_000;

export function verdictOn(attempt: Attempt, retryDelaysMs: readonly number[]): Verdict {
  const { status, at } = attempt;
  if (status !== null && status >= 200 && status < 300)
    return { result: "delivered", error: null, nextAttemptAt: null };
  const error = errorOf(attempt);
  if (status === 410) return { result: "gone", error, nextAttemptAt: null };
  const wanted = Math.min(readRetryAfter(attempt.retryAfter, at.getTime()) ?? 0, longestRetryAfterMs);
  const next = nextAttemptAt({ attempts: attempt.attempts, at, atLeastMs: wanted }, retryDelaysMs);
  if (next !== null) return { result: "retry", error, nextAttemptAt: next };
  const last = `${error} It was attempt ${attempt.attempts}, the last one.`;
  return { result: "dead", error: last, nextAttemptAt: null };
}

function errorOf({ status, fault }: Attempt): string {
  if (status === null) return fault ?? "There was no answer.";
  if (status === 410) return "The receiver answered 410: it wants no more events.";
  if (status >= 300 && status < 400)
    return `The receiver answered with a redirect (${status}); none is followed.`;
  return `The receiver answered ${status}.`;
}
