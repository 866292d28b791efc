/**
 * Rows whose work failed in this process. Each is kept out of the claims for a pause that doubles with every failure in a
 * row: without it a row that fails for good would be claimed again at once, and repeat whatever its work does outside.
 */

export interface RowFailure {
  /** Failures in a row, this one included. */
  failures: number;
  /** How long the row is left alone. */
  pauseMs: number;
  /** Whether it has failed so often that it is to end, where it can. */
  isLast: boolean;
}

export interface FailedRows<Row> {
  /** Counts a failure. */
  count(row: Row): RowFailure;
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
  /** End of the pause, by the clock of `performance`. */
  until: number;
  /** Null where the row itself says when it is due again. */
  pausing: Row | null;
}

/** `nameOf` tells one row from another, also when it is claimed again. */
export function createFailedRows<Row>(nameOf: (row: Row) => string): FailedRows<Row> {
  const entries = new Map<string, Entry<Row>>();
  return {
    count(row) {
      const failures = (entries.get(nameOf(row))?.failures ?? 0) + 1;
      const pauseMs = Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs);
      const until = performance.now() + pauseMs;
      entries.set(nameOf(row), { failures, until, pausing: null });
      return { failures, pauseMs, isLast: failures >= maxFailures };
    },
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
