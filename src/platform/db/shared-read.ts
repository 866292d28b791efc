/**
 * One statement for all who ask at the same time. A statement under way may have begun before a change that the caller knows of, so
 * the next one serves all who come until it begins: each sees what was committed before it asked.
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
 * What it returns rejects with what `read` rejects with, and with DatabaseTimeout when the caller's own time is over. A statement that
 * hangs for `limitMs` is given up, so that the next one can begin.
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

/** The statement is not this caller's alone, so it goes on when the caller's time is over. */
function inOwnTime<T>(shared: Promise<T>): Promise<T> {
  const wait = currentDatabaseWait();
  const limitMs = wait?.left() ?? Infinity;
  if (limitMs === Infinity) return shared;
  return new Promise<T>((resolve, reject) => {
    let isOver = false;
    const once =
      <Given>(settle: (given: Given) => void) =>
      (given: Given): void => {
        if (isOver) return;
        isOver = true;
        stop();
        settle(given);
      };
    const giveUp = once(reject);
    const stop = startLimit(limitMs, wait, () => giveUp(new DatabaseTimeout()));
    shared.then(once(resolve), giveUp);
  });
}
