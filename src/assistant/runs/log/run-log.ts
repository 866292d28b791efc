/**
 * Writes the events of all runs of this process and lets readers follow them. Events are gathered for a moment across
 * runs and written in one statement; readers get only what is committed, so that a stream that is resumed elsewhere after
 * a crash goes on exactly where it stopped. Readers in the writer's process are served from memory.
 */
import { setImmediate as othersTurn, setTimeout as wait } from "node:timers/promises";
import type { Database } from "../../../platform/db/database.ts";
import { isDatabaseAway } from "../../../platform/db/failures.ts";
import type { Logger } from "../../../platform/lib/logger.ts";
import { typeOf, type LoggedEvent, type RunEvent } from "./ag-ui.ts";
import { createFollowers, type EventsRead, type FollowOptions } from "./follow.ts";
import { runLogChannel } from "./notice-store.ts";
import { readRunEvents, writeBatches, type EventBatch } from "./event-store.ts";

export interface RunWriter {
  push(event: RunEvent): void;
  /**
   * Resolves just before the next write. Who takes up what has arrived of a model's answer from one turn to the next adds
   * nothing to the delay and is held back by a database that is slow.
   */
  beforeNextWrite(): Promise<void>;
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
  tail(runId: string, options: FollowOptions): AsyncGenerator<LoggedEvent[]>;
  close(): void;
}

/**
 * How long text waits for more before it is written and sent. Each write of each stream costs a system call, which is most of
 * what a token costs: where many runs are at work, their text comes in larger pieces.
 */
const gatherMs = { least: 20, ofEachRun: 1, most: 250 };
/** Of that time, where a message begins or somebody waits for the write. */
const urgentShare = 0.1;
const nothing = (): void => {};
/** Events of a run that readers here find in memory. */
const keptEvents = 4_000;
const retryForMs = 60_000;
const retryDelayMs = 250;

interface Live extends WriterOptions {
  /** Committed events from `base` on. */
  kept: string[];
  base: number;
  pending: string[];
  /** Text after those that are pending, which may still become longer. */
  text: { messageId: string; delta: string } | null;
  pendingSeq: number;
  waiting: PromiseWithResolvers<void>[];
  lost: Error | null;
}

function add(run: Live, event: RunEvent): void {
  if (event.type !== "TEXT_MESSAGE_CONTENT") {
    endText(run);
    run.pending.push(JSON.stringify(event));
    return;
  }
  const { messageId, delta } = event;
  if (run.text?.messageId !== messageId) endText(run);
  run.text = { messageId, delta: (run.text?.delta ?? "") + delta };
}

function endText(run: Live): void {
  if (run.text === null) return;
  run.pending.push(JSON.stringify({ type: "TEXT_MESSAGE_CONTENT", ...run.text } satisfies RunEvent));
  run.text = null;
}

export async function createRunLog(database: Database, log: Logger): Promise<RunLog> {
  const live = new Map<string, Live>();
  const dirty = new Set<Live>();
  const turns: (() => void)[] = [];
  let timer: NodeJS.Timeout | null = null;
  let isWriting = false;

  const readAfter = async (runId: string, position: number): Promise<EventsRead> => {
    const run = live.get(runId);
    const isHere = run !== undefined && position + 1 >= run.base;
    const { firstSeq, events, ...state } = isHere
      ? {
          firstSeq: position + 1,
          events: run.kept.slice(position + 1 - run.base),
          isAll: true,
          isGone: false,
        }
      : await readRunEvents(database.kysely, runId, position);
    return {
      events: events.map((data, index) => ({ seq: firstSeq + index, type: typeOf(data), data })),
      ...state,
    };
  };

  const followers = createFollowers(readAfter);
  const stopListening = await database.listener.listen(runLogChannel, (payload) => {
    if (payload === null) return followers.wakeAll();
    for (const runId of payload.split(",")) if (!live.has(runId)) followers.wake(runId);
  });

  const gatherFor = (): number =>
    Math.min(Math.max(gatherMs.least, live.size * gatherMs.ofEachRun), gatherMs.most);
  const keep = (run: Live, events: readonly string[]): void => {
    run.kept.push(...events);
    if (run.kept.length > 2 * keptEvents) {
      const dropped = run.kept.length - keptEvents;
      run.kept = run.kept.slice(dropped);
      run.base += dropped;
    }
    followers.wake(run.runId);
  };
  const send = async (batches: EventBatch[]): Promise<Set<string>> => {
    if (batches.length === 0) return new Set();
    for (let waited = 0; ; waited += retryDelayMs) {
      try {
        return await writeBatches(database.kysely, batches);
      } catch (error) {
        if (!isDatabaseAway(error) || waited >= retryForMs) throw error;
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
  let hurry: () => void = nothing;
  const gathered = async (isUrgent: boolean): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const whole = gatherFor();
    let end = setTimeout(resolve, isUrgent ? whole * urgentShare : whole);
    if (!isUrgent) {
      hurry = () => {
        hurry = nothing;
        clearTimeout(end);
        end = setTimeout(resolve, whole * urgentShare);
      };
    }
    await promise;
    hurry = nothing;
  };
  const letReadersTakeTheirTurn = async (): Promise<void> => {
    if (turns.length === 0) return;
    for (const go of turns.splice(0)) go();
    await othersTurn();
  };
  const writeDirty = async (): Promise<void> => {
    const taken = [...dirty].map((run) => {
      endText(run);
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
  };
  const writeAll = async (): Promise<void> => {
    timer = null;
    if (isWriting) return;
    isWriting = true;
    try {
      for (;;) {
        await letReadersTakeTheirTurn();
        if (dirty.size > 0) await writeDirty();
        if (dirty.size === 0 && turns.length === 0) break;
        // What came in the meantime waits for company.
        await gathered([...dirty].some(({ waiting }) => waiting.length > 0));
      }
    } finally {
      isWriting = false;
    }
  };
  const schedule = (soon: boolean): void => {
    if (soon) hurry();
    if (isWriting || (timer !== null && !soon)) return;
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => void writeAll(), soon ? 0 : gatherFor());
  };

  const open = (options: WriterOptions): RunWriter => {
    const run: Live = {
      ...options,
      kept: [],
      base: options.firstSeq,
      pending: [],
      text: null,
      pendingSeq: options.firstSeq,
      waiting: [],
      lost: null,
    };
    live.set(run.runId, run);
    return {
      push(event) {
        if (run.lost !== null) return;
        add(run, event);
        dirty.add(run);
        schedule(event.type === "TEXT_MESSAGE_START");
      },
      beforeNextWrite() {
        const next = Promise.withResolvers<void>();
        turns.push(next.resolve);
        schedule(false);
        return next.promise;
      },
      flush() {
        if (run.lost !== null) return Promise.reject(run.lost);
        const waiter = Promise.withResolvers<void>();
        run.waiting.push(waiter);
        dirty.add(run);
        schedule(true);
        return waiter.promise;
      },
      nextSeq: () => run.pendingSeq + run.pending.length + (run.text === null ? 0 : 1),
      committed(events) {
        run.pendingSeq += events.length;
        keep(run, events);
      },
      close() {
        if (live.get(run.runId) === run) live.delete(run.runId);
        dirty.delete(run);
        followers.wake(run.runId);
      },
    };
  };

  return { open, tail: (runId, options) => followers.follow(runId, options), close: stopListening };
}
