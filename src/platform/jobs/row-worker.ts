/**
 * Work that is due by the time in its row: rounds claim due rows, as many as may be under way, and work on each. For what
 * pg-boss can't do, see docs/decisions/2026-11-22-two-mechanisms.md.
 */
import type { Listener } from "../db/listener.ts";
import type { Logger } from "../lib/logger.ts";
import { openTogether } from "../lib/opened.ts";
import { inSpan, type SpanStart } from "../telemetry/spans.ts";
import { createFailedRows, maxPausing, type FailedRows, type RowFailure } from "./failed-rows.ts";
import { beginFound, startRounds } from "./rounds.ts";

export interface RowWorkerOptions<Row> {
  log: Logger;
  /** Named in the log, for example "hooks". */
  name: string;
  /** Longest wait between two rounds: rows become due by the clock. */
  idleMs: number;
  /** The same of an idle process, where ten times is not meant. */
  restMs?: number;
  /** Every wake-up within it belongs to one round. */
  gatherMs?: number;
  /** Rows under way at once in this process. */
  parallel: number;
  /** Claims due rows that no live worker has. */
  claim: (query: RowQuery<Row>) => Promise<Row[]>;
  /**
   * Works on a claimed row, and returns in how many milliseconds it is due again; null when that is not soon. The signal
   * is aborted when the grace of a stop is over: then another worker does it again.
   */
  work: (row: Row, signal: AbortSignal) => Promise<number | null>;
  /** Trace context of the request that caused the row, where it knows it. */
  traceparentOf?: (row: Row) => string;
  /** What the log says of a row whose work failed; tells it from every other row. */
  describe: (row: Row) => object;
  /**
   * Stores on a row that its work failed, or ends it after the last failure; returns in how many milliseconds it is due
   * again, as `work` does. Without it, and when it fails too, the row is left alone for `pauseMs`.
   */
  onFailure?: (row: Row, failure: RowFailure) => Promise<number | null>;
  /** Done in every round before the claims; returns whether there may be more to do at once, or in how many milliseconds. */
  beforeClaims?: () => Promise<boolean | number>;
  listener: Pick<Listener, "listen">;
  /** Notified when rows became due. */
  channels: readonly string[];
}

export interface RowQuery<Row> {
  /** None of these may be claimed. */
  underWay: readonly Row[];
  /** Those of them that take no place, because they only pause after a failure. */
  pausing: ReadonlySet<Row>;
  /** Places that are free. */
  limit: number;
}

export interface RowWorker {
  /** Claims nothing more. Work under way may finish within the time; what is aborted is done again by another worker. */
  close(graceMs?: number): Promise<void>;
}

/** Rows that are due later than this are found by the rounds. */
const longestTimerMs = 60_000;

export async function startRowWorker<Row>(options: RowWorkerOptions<Row>): Promise<RowWorker> {
  const { log, name, idleMs, restMs, gatherMs, parallel } = options;
  const underWay = new Map<Row, Promise<void>>();
  const failed = createFailedRows<Row>((row) => JSON.stringify(options.describe(row)));
  const halt = new AbortController();
  let closed = false;
  let againTimer: NodeJS.Timeout | undefined;

  const attempt = (row: Row): Promise<number | null> => {
    // What its work does outside is not repeated because its end could not be stored.
    if (options.onFailure && failed.isSpent(row)) return storeFailure(options, failed, row);
    const span: SpanStart<"work"> = {
      name: `work ${name}`,
      parent: options.traceparentOf?.(row),
      attributes: () => ({ "plinth.work.name": name }),
    };
    return inSpan("work", span, () => options.work(row, halt.signal)).then(
      (ms) => {
        failed.forget(row);
        return ms;
      },
      (error: Error) => {
        log.warn({ ...options.describe(row), reason: error.message }, `${name}: work on a row failed`);
        // Aborted by the stop of this process: another worker does it again.
        return halt.signal.aborted ? null : storeFailure(options, failed, row, error);
      },
    );
  };
  const workOn = async (row: Row): Promise<void> => {
    const dueMs = await attempt(row);
    underWay.delete(row);
    rounds.wake();
    if (dueMs !== null && dueMs < longestTimerMs) setTimeout(() => rounds.wake(), Math.max(0, dueMs)).unref();
  };
  const round = async (): Promise<"idle" | void> => {
    const hasMore = await options.beforeClaims?.().catch((error: Error) => {
      log.warn({ reason: error.message }, `${name}: a round failed`);
      return false;
    });
    clearTimeout(againTimer);
    if (hasMore === true) rounds.wake();
    else if (typeof hasMore === "number") againTimer = setTimeout(() => rounds.wake(), hasMore).unref();
    const pausing = failed.pausing();
    const limit = Math.min(parallel - underWay.size, maxPausing - pausing.length);
    if (limit <= 0 || closed) return;
    const since = Date.now();
    const rows = await options.claim({
      underWay: [...underWay.keys(), ...pausing],
      pausing: new Set(pausing),
      limit,
    });
    if (rows.length === 0) return underWay.size === 0 ? "idle" : undefined;
    beginFound({ name, since, count: rows.length }, () => {
      for (const row of rows) underWay.set(row, workOn(row));
    });
  };
  const rounds = startRounds({ round, idleMs, restMs, gatherMs, log, what: name });
  const stops: (() => void)[] = [];
  const close = async (graceMs = 0): Promise<void> => {
    closed = true;
    for (const stop of stops) stop();
    await rounds.close();
    const timer = setTimeout(() => halt.abort(), graceMs);
    await Promise.all(underWay.values());
    clearTimeout(timer);
  };
  await openTogether(log, async (opened) => {
    opened.add(name, () => close());
    const listen = async (channel: string): Promise<void> =>
      void stops.push(await options.listener.listen(channel, () => rounds.wake()));
    await Promise.all(options.channels.map(listen));
  });
  // For rows that became due before the subscriptions.
  rounds.wake();
  return { close };
}

/** Returns in how many milliseconds the row is due again. */
async function storeFailure<Row>(
  { log, name, describe, onFailure }: RowWorkerOptions<Row>,
  failed: FailedRows<Row>,
  row: Row,
  cause?: Error,
): Promise<number | null> {
  const failure = failed.count(row, cause);
  try {
    if (onFailure) {
      const dueMs = await onFailure(row, failure);
      // Who makes it due again after its end begins anew.
      if (failure.isLast) failed.forget(row);
      return dueMs;
    }
  } catch (error) {
    const fields = { ...describe(row), reason: (error as Error).message };
    log.warn(fields, `${name}: the failure of a row could not be stored`);
  }
  failed.pause(row);
  return failure.pauseMs;
}
