/** Pure. The result of an attempt to deliver, and whether it is retried. */

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
  const delayMs = retryDelaysMs[attempt.attempts - 1];
  if (delayMs === undefined)
    return {
      result: "dead",
      error: `${error} It was attempt ${attempt.attempts}, the last one.`,
      nextAttemptAt: null,
    };
  const wanted = Math.min(retryAfterMs(attempt.retryAfter, at) ?? 0, longestRetryAfterMs);
  return { result: "retry", error, nextAttemptAt: new Date(at.getTime() + Math.max(delayMs, wanted)) };
}

function errorOf({ status, fault }: Attempt): string {
  if (status === null) return fault ?? "There was no answer.";
  if (status === 410) return "The receiver answered 410: it wants no more events.";
  if (status >= 300 && status < 400)
    return `The receiver answered with a redirect (${status}); none is followed.`;
  return `The receiver answered ${status}.`;
}

/** Seconds or a date, as HTTP has it. */
function retryAfterMs(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null;
  const text = value.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
