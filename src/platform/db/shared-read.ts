/**
 * Concurrent callers share one query. A caller never joins a query that is running, because it may not see what was committed just
 * before the call: the caller waits for the next query, together with all who call until that one begins.
 * Measured: docs/decisions/2026-11-29-batched-reads.md.
 */
import { databaseWaitMs, DatabaseWait } from "../lib/database-wait.ts";
import { currentDatabaseWait, outsideRequest, withinDatabaseWait } from "../lib/request-scope.ts";
import { DatabaseTimeout, isDatabaseAway } from "./failures.ts";
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
    const reading = forAll(read, limitMs);
    underWay = reading;
    return reading;
  };
  return () => inOwnTime((next ??= underWay.then(begin, begin)));
}

/**
 * The same for callers who ask for different keys: one query reads up to `most` keys, and `read` returns a result for each, in their order. When
 * `most` keys wait, another query starts beside the running ones. So a slow database uses up its connections as other reads do, and the
 * admission of requests, which watches the connections, sees it. When the database refuses a query, each of its keys is read alone.
 */
export function batchedRead<Key, T>(
  read: (keys: readonly Key[]) => Promise<readonly T[]>,
  { most, limitMs = databaseWaitMs.read }: { most: number; limitMs?: number },
): (key: Key) => Promise<T> {
  const waiting: { key: Key; found: PromiseWithResolvers<T> }[] = [];
  let running = 0;
  /** Of the running ones, those that have not taken their keys yet. */
  let starting = 0;
  const readKeys = (keys: readonly Key[]): Promise<readonly T[]> => forAll(() => read(keys), limitMs);
  const readBatch = async (batch: typeof waiting): Promise<void> => {
    try {
      const results = await readKeys(batch.map(({ key }) => key));
      for (const [index, { found }] of batch.entries()) found.resolve(results[index]!);
    } catch (error) {
      if (batch.length === 1 || isDatabaseAway(error)) for (const { found } of batch) found.reject(error);
      else for (const each of batch) await readBatch([each]);
    }
  };
  const readWaiting = async (): Promise<void> => {
    running += 1;
    starting += 1;
    // The first query also reads the keys that are asked for in the same tick.
    await Promise.resolve();
    starting -= 1;
    while (waiting.length > 0) await readBatch(waiting.splice(0, most));
    running -= 1;
  };
  return (key) => {
    const found = Promise.withResolvers<T>();
    waiting.push({ key, found });
    if (running === 0 || waiting.length >= most * (starting + 1)) void readWaiting();
    return inOwnTime(found.promise);
  };
}

const forAll = <T>(read: () => Promise<T>, limitMs: number): Promise<T> =>
  outsideRequest(() => withinDatabaseWait(new DatabaseWait(limitMs), read));

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
