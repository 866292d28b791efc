/** Pure. Why a worker could not go on with its work, when it is tried again, and when that has been often enough. */

export interface LastError {
  /** A sentence for users. */
  reason: string;
  /** When it first was so. */
  since: string;
  /** In a row, without progress. */
  attempts: number;
  nextAttemptAt: string;
  /** How far the work was then, as a number that rises. */
  progress: number;
}

/** After so many attempts in a row, about ten minutes, the work is ended. */
export const maxAttempts = 25;

/**
 * For so long after its next attempt was due an error is current; after that the work has gone on. Longer than an attempt takes
 * that makes a slow call again before it fails.
 */
export const currentMs = 600_000;

const firstPauseMs = 200;
const longestPauseMs = 30_000;

/** `progress` is null where it can't be read. */
export function nextError(
  before: LastError | null,
  { reason, progress, at }: { reason: string; progress: number | null; at: Date },
): LastError {
  const isAgain =
    before !== null &&
    (progress ?? 0) <= before.progress &&
    at.getTime() <= Date.parse(before.nextAttemptAt) + currentMs;
  const attempts = isAgain ? before.attempts + 1 : 1;
  const pauseMs = Math.min(firstPauseMs * 2 ** (attempts - 1), longestPauseMs);
  return {
    reason,
    since: isAgain ? before.since : at.toISOString(),
    attempts,
    nextAttemptAt: new Date(at.getTime() + pauseMs).toISOString(),
    progress: progress ?? before?.progress ?? 0,
  };
}

/** SQLSTATE classes 23 and 42: their messages name tables, columns and constraints, but no values. */
const harmlessCode = /^(?:23|42)[0-9A-Z]{3}$/;
const anyCode = /^[0-9A-Z]{5}$/;

/** What users may read of an error: its own text only where that is known to name no values. */
export function shownReason(error: unknown): string {
  const { code, severity, message } = error as { code?: unknown; severity?: unknown; message?: unknown };
  const isOfDatabase = typeof code === "string" && anyCode.test(code) && severity !== undefined;
  if (!isOfDatabase) return "An internal error interrupted it; the server's log tells more.";
  const what = harmlessCode.test(code) ? `${code}: ${String(message)}` : code;
  return `The database refused a statement (${what}); the server's log tells more.`;
}
