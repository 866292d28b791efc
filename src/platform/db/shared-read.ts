/**
 * Concurrent callers share one query. A caller never joins a query that is running, because it may not see what was committed just
 * before the call: the caller waits for the next query, together with all who call until that one begins.
 */
import {
  currentDatabaseWait,
  databaseWaitMs,
  DatabaseWait,
  withinDatabaseWait,
} from "../lib/database-wait.ts";
import { outsideRequest } from "../lib/request-scope.ts";
import { DatabaseTimeout } from "./failures.ts";
import { startLimit } from "./limited-client.ts";

/**
 * The function that it returns rejects with the error of `read`, or with DatabaseTimeout when the caller's own limit
 * (lib/database-wait.ts) is reached. A query that takes longer than `limitMs` is cancelled, so that the next one can begin.
 */
export function sharedRead<T>(
  read: () => Promise<T>,
  limitMs: number = databaseWaitMs.read,
): () => Promise<T> {
  let underWay: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  const begin = (): Promise<T> => {
    next = null;
    const reading = outsideRequest(() => withinDatabaseWait(new DatabaseWait(limitMs), read));
    underWay = reading;
    return reading;
  };
  return () => inOwnTime((next ??= underWay.then(begin, begin)));
}

/** The statement serves other callers too, so it goes on when this caller's time is over. */
async function inOwnTime<T>(shared: Promise<T>): Promise<T> {
  const wait = currentDatabaseWait();
  const limitMs = wait?.left() ?? Infinity;
  if (limitMs === Infinity) return shared;
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const stop = startLimit(limitMs, wait, () => reject(new DatabaseTimeout()));
  try {
    return await Promise.race([shared, timeout]);
  } finally {
    stop();
  }
}
