/** Pure. Why a worker could not go on with its work, when it is tried again, and when that has been often enough. */
import { counted } from "../lib/check.ts";

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
  /** How many processes in a row have died while they had the work. */
  deaths?: number;
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
  const last = before !== null && !isDeath(before) && isInRow(before, progress ?? 0, at) ? before : null;
  const attempts = (last?.attempts ?? 0) + 1;
  return {
    reason,
    since: last?.since ?? at.toISOString(),
    attempts,
    nextAttemptAt: after(at, pauseMsOf(attempts)),
    progress: progress ?? before?.progress ?? 0,
  };
}

/**
 * After so many ends of processes in a row, without progress, the work waits: it may be what ends them, and would end all of an
 * installation one after another. It is not ended for that, because others that were driven beside it are counted as well.
 */
const deathsBeforePause = 3;

/** What is stored when work is taken over from a process that died; null when a current error is stored already. */
export function nextDeath(
  before: LastError | null,
  { progress, at }: { progress: number; at: Date },
): LastError | null {
  if (before !== null && !isDeath(before) && isCurrent(before, at)) return null;
  const last = before !== null && isDeath(before) && isInRow(before, progress, at) ? before : null;
  const deaths = (last?.attempts ?? 0) + 1;
  const pauseMs = deaths < deathsBeforePause ? 0 : pauseMsOf(deaths - deathsBeforePause + 1);
  return {
    reason: `Its process has ended ${counted(deaths, "time")} in a row while it had this work.`,
    since: last?.since ?? at.toISOString(),
    attempts: deaths,
    deaths,
    nextAttemptAt: after(at, pauseMs),
    progress,
  };
}

const isDeath = ({ deaths }: LastError): boolean => deaths !== undefined;
const isCurrent = ({ nextAttemptAt }: LastError, at: Date): boolean =>
  at.getTime() <= Date.parse(nextAttemptAt) + currentMs;
const isInRow = (before: LastError, progress: number, at: Date): boolean =>
  progress <= before.progress && isCurrent(before, at);
const pauseMsOf = (attempts: number): number => Math.min(firstPauseMs * 2 ** (attempts - 1), longestPauseMs);
const after = (at: Date, ms: number): string => new Date(at.getTime() + ms).toISOString();

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
