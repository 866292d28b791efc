/**
 * Writes the events of all runs of this process and lets readers follow them. Events are gathered for a moment across
 * runs and written in one statement; readers get only what is committed, so that a stream that is resumed elsewhere after
 * a crash goes on exactly where it stopped. Readers in the writer's process are served from memory.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { Database } from "../../../platform/db/database.ts";
import { isConnectionLoss } from "../../../platform/db/failures.ts";
import type { Logger } from "../../../platform/lib/logger.ts";
import { isTerminal, typeOf, type LoggedEvent, type RunEvent } from "./ag-ui.ts";
import { readRunEvents, runLogChannel, writeBatches, type EventBatch } from "./event-store.ts";

export interface RunWriter {
  push(event: RunEvent): void;
  /** Resolves when all that was pushed is committed; rejects when the run belongs to somebody else. */
  flush(): Promise<void>;
  /** Number that the next event will have. */
  nextSeq(): number;
  /** Tells readers here of events that a transaction of the caller has committed. */
  committed(events: readonly string[]): void;
  close(): void;
}

export interface WriterOptions {
  runId: string;
  fence: number;
  firstSeq: number;
  /** The run has been cancelled, deleted or taken over. */
  onLost: (reason: Error) => void;
}

export interface RunLog {
  open(options: WriterOptions): RunWriter;
  /** Batches of events after a number until the last one of the run. */
  tail(runId: string, options: { after: number; signal: AbortSignal }): AsyncGenerator<LoggedEvent[]>;
  close(): void;
}

/** Tokens come every 10 to 50 ms, so that this costs nobody a visible delay. */
const gatherMs = 20;
/** Events of a run that readers here find in memory. */
const keptEvents = 4_000;
const rereadMs = 5_000;
const retryForMs = 60_000;
const retryDelayMs = 250;

interface Live extends WriterOptions {
  /** Committed events from `base` on. */
  kept: string[];
  base: number;
  pending: string[];
  pendingSeq: number;
  waiting: PromiseWithResolvers<void>[];
  lost: Error | null;
}

export async function createRunLog(database: Database, log: Logger): Promise<RunLog> {
  const live = new Map<string, Live>();
  const dirty = new Set<Live>();
  const readers = new Map<string, Set<() => void>>();
  let timer: NodeJS.Timeout | null = null;
  let isWriting = false;

  const wake = (runId: string): void => {
    for (const waker of readers.get(runId) ?? []) waker();
  };
  const stopListening = await database.listener.listen(runLogChannel, (payload) => {
    for (const runId of payload === null ? [...readers.keys()] : payload.split(",")) {
      if (payload === null || !live.has(runId)) wake(runId);
    }
  });

  const keep = (run: Live, events: readonly string[]): void => {
    run.kept.push(...events);
    if (run.kept.length > 2 * keptEvents) {
      const dropped = run.kept.length - keptEvents;
      run.kept = run.kept.slice(dropped);
      run.base += dropped;
    }
    wake(run.runId);
  };
  const send = async (batches: EventBatch[]): Promise<Set<string>> => {
    for (let waited = 0; ; waited += retryDelayMs) {
      try {
        return await writeBatches(database.kysely, batches);
      } catch (error) {
        if (!isConnectionLoss(error) || waited >= retryForMs) throw error;
        log.warn({ runs: batches.length }, "events of runs can't be written yet; trying again");
        await wait(retryDelayMs);
      }
    }
  };
  const settle = (run: Live, waiting: PromiseWithResolvers<void>[], error: Error | null): void => {
    if (error !== null && run.lost === null) {
      run.lost = error;
      run.onLost(error);
    }
    for (const { resolve, reject } of waiting) {
      if (error === null) resolve();
      else reject(error);
    }
  };
  const writeAll = async (): Promise<void> => {
    timer = null;
    if (isWriting) return;
    isWriting = true;
    try {
      while (dirty.size > 0) {
        const taken = [...dirty].map((run) => {
          const batch = { runId: run.runId, fence: run.fence, firstSeq: run.pendingSeq, events: run.pending };
          const { waiting } = run;
          run.pendingSeq += run.pending.length;
          run.pending = [];
          run.waiting = [];
          return { run, batch, waiting };
        });
        dirty.clear();
        const filled = taken.filter(({ batch }) => batch.events.length > 0);
        let failed: Error | null = null;
        const held = await send(filled.map(({ batch }) => batch)).catch((error: Error) => {
          failed = error;
          return new Set<string>();
        });
        for (const { run, batch, waiting } of taken) {
          const isHeld = batch.events.length === 0 || held.has(run.runId);
          if (isHeld) keep(run, batch.events);
          settle(run, waiting, isHeld ? run.lost : (failed ?? new Error("the run belongs to somebody else")));
        }
        // What came in the meantime waits for company, unless somebody waits for it.
        if (dirty.size > 0 && ![...dirty].some(({ waiting }) => waiting.length > 0)) await wait(gatherMs);
      }
    } finally {
      isWriting = false;
    }
  };
  const schedule = (soon: boolean): void => {
    if (isWriting || (timer !== null && !soon)) return;
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => void writeAll(), soon ? 0 : gatherMs);
  };

  const open = (options: WriterOptions): RunWriter => {
    const run: Live = {
      ...options,
      kept: [],
      base: options.firstSeq,
      pending: [],
      pendingSeq: options.firstSeq,
      waiting: [],
      lost: null,
    };
    live.set(run.runId, run);
    return {
      push(event) {
        if (run.lost !== null) return;
        run.pending.push(JSON.stringify(event));
        dirty.add(run);
        schedule(false);
      },
      flush() {
        if (run.lost !== null) return Promise.reject(run.lost);
        const waiter = Promise.withResolvers<void>();
        run.waiting.push(waiter);
        dirty.add(run);
        schedule(true);
        return waiter.promise;
      },
      nextSeq: () => run.pendingSeq + run.pending.length,
      committed(events) {
        run.pendingSeq += events.length;
        keep(run, events);
      },
      close() {
        if (live.get(run.runId) === run) live.delete(run.runId);
        dirty.delete(run);
        wake(run.runId);
      },
    };
  };

  const readAfter = async (runId: string, position: number): Promise<LoggedEvent[]> => {
    const run = live.get(runId);
    let firstSeq = position + 1;
    let events: string[];
    if (run !== undefined && firstSeq >= run.base) events = run.kept.slice(firstSeq - run.base);
    else ({ firstSeq, events } = await readRunEvents(database.kysely, runId, position));
    return events.map((data, index) => ({ seq: firstSeq + index, type: typeOf(data), data }));
  };

  async function* tail(
    runId: string,
    { after, signal }: { after: number; signal: AbortSignal },
  ): AsyncGenerator<LoggedEvent[]> {
    let isNoticed = false;
    let resume: () => void = () => {};
    const waker = (): void => {
      isNoticed = true;
      resume();
    };
    const wakers = readers.get(runId) ?? new Set();
    readers.set(runId, wakers.add(waker));
    signal.addEventListener("abort", waker, { once: true });
    try {
      for (let position = after; !signal.aborted;) {
        isNoticed = false;
        const events = await readAfter(runId, position);
        const last = events.at(-1);
        if (last !== undefined) {
          position = last.seq;
          yield events;
          if (isTerminal(last)) return;
        } else if (!isNoticed && !signal.aborted) {
          const reread = Promise.withResolvers<void>();
          resume = reread.resolve;
          const net = setTimeout(reread.resolve, rereadMs);
          await reread.promise;
          clearTimeout(net);
        }
      }
    } finally {
      signal.removeEventListener("abort", waker);
      wakers.delete(waker);
      if (wakers.size === 0) readers.delete(runId);
    }
  }

  return { open, tail, close: stopListening };
}
