/**
 * Rows whose work failed in this process. Each is kept out of the claims for a pause that doubles with every failure in a
 * row: without it a row that fails for good would be claimed again at once, and repeat whatever its work does outside.
 */
import { isDatabaseAway } from "../db/failures.ts";

export interface RowFailure {
  /** Failures in a row, this one included; those of a database that is away are no fault of the row and do not count. */
  failures: number;
  /** How long the row is left alone. */
  pauseMs: number;
  /** Whether it has failed so often that it is to end, where it can. */
  isLast: boolean;
}

export interface FailedRows<Row> {
  /** Notes a failure, for the pause and, unless the database is away, in the count. */
  count(row: Row, error?: unknown): RowFailure;
  /** Whether it has failed so often that it is to end: its end could not be stored yet. */
  isSpent(row: Row): boolean;
  /** Keeps the row out of the claims until the pause of its last failure is over. */
  pause(row: Row): void;
  /** Its work has come to an end: its next failure is the first one again. */
  forget(row: Row): void;
  /** Those that are kept out at the moment. */
  pausing(): Row[];
}

/** So many at once are no fault of a row: nothing further is claimed until some pauses are over. */
export const maxPausing = 1_000;

const maxFailures = 10;
const firstPauseMs = 1_000;
const longestPauseMs = 300_000;

interface Entry<Row> {
  failures: number;
  pauses: number;
  /** End of the pause, by the clock of `performance`. */
  until: number;
  /** Null where the row itself says when it is due again. */
  pausing: Row | null;
}

/** `nameOf` tells one row from another, also when it is claimed again. */
export function createFailedRows<Row>(nameOf: (row: Row) => string): FailedRows<Row> {
  const entries = new Map<string, Entry<Row>>();
  return {
    count(row, error) {
      const before = entries.get(nameOf(row)) ?? { failures: 0, pauses: 0 };
      const failures = before.failures + (isDatabaseAway(error) ? 0 : 1);
      const pauses = before.pauses + 1;
      const pauseMs = Math.min(firstPauseMs * 2 ** (pauses - 1), longestPauseMs);
      const until = performance.now() + pauseMs;
      entries.set(nameOf(row), { failures, pauses, until, pausing: null });
      return { failures, pauseMs, isLast: failures >= maxFailures };
    },
    isSpent: (row) => (entries.get(nameOf(row))?.failures ?? 0) >= maxFailures,
    pause(row) {
      const entry = entries.get(nameOf(row));
      if (entry) entry.pausing = row;
    },
    forget: (row) => void entries.delete(nameOf(row)),
    pausing() {
      const now = performance.now();
      // A row that nobody has claimed for so long after its pause has ended in another way.
      for (const [name, { until }] of entries) if (until + longestPauseMs < now) entries.delete(name);
      return [...entries.values()].flatMap(({ pausing, until }) =>
        pausing !== null && until > now ? [pausing] : [],
      );
    },
  };
}

/** The status of a message after an attempt that failed in this server, not at the receiver. */
export const unsentAfter = (
  { pauseMs, isLast }: RowFailure,
  at: Date,
): { status: "PENDING" | "DEAD"; error: string; nextAttemptAt: Date | null } => ({
  status: isLast ? "DEAD" : "PENDING",
  error: "The server could not send it or store the result, for a reason that is in its log.",
  nextAttemptAt: isLast ? null : new Date(at.getTime() + pauseMs),
});
