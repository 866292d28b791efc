/**
 * Writes the events of all runs of this process and lets readers follow them. Events are gathered for a moment across
 * runs and written in one statement. Readers get only what is committed, so a stream that is resumed elsewhere after a
 * crash goes on exactly where it stopped. Readers in the writer's process are served from memory.
 */
import type { Database } from "../../../platform/db/database.ts";
import { retryWhileAway } from "../../../platform/db/retry.ts";
import type { Logger } from "../../../platform/lib/logger.ts";
import { typeOf, type LoggedEvent, type RunEvent } from "./ag-ui.ts";
import { createFollowers, type EventsRead, type FollowOptions } from "./follow.ts";
import { readRunEvents, writeBatches, type EventBatch } from "./event-store.ts";
import { runLogChannel } from "./notice-store.ts";
import { createWriteSchedule } from "./write-schedule.ts";

export interface RunWriter {
  push(event: RunEvent): void;
  /**
   * Resolves just before the next write. A caller that takes up a model's answer at this pace adds nothing to the delay, and
   * is slowed down by a slow database.
   */
  beforeNextWrite(): Promise<void>;
  /** Resolves when all that was pushed is committed; rejects when another worker has the run. */
  flush(): Promise<void>;
  /** Number that the next event will have. */
  nextSeq(): number;
  /** Shows readers of this process events that a transaction of the caller has committed. */
  committed(events: readonly string[]): void;
  close(): void;
}

export interface WriterOptions {
  runId: string;
  fence: number;
  firstSeq: number;
  /** Called when the run has been cancelled, deleted or taken over. */
  onLost: (reason: Error) => void;
}

export interface RunLog {
  open(options: WriterOptions): RunWriter;
  /** Batches of events after a number until the last one of the run. */
  tail(runId: string, options: FollowOptions): AsyncGenerator<LoggedEvent[]>;
  close(): void;
}

/** Events of a run that are cached for readers of this process. */
const maxCachedEvents = 4_000;
const retryForMs = 60_000;
const retryDelayMs = 250;

interface LiveRun extends WriterOptions {
  /** Committed events from `base` on. */
  cached: string[];
  base: number;
  pending: string[];
  /** Text after the pending events; more text of the same message is appended to it. */
  text: { messageId: string; delta: string } | null;
  pendingSeq: number;
  /** Callers of `flush`. */
  waiting: PromiseWithResolvers<void>[];
  lost: Error | null;
}

function addEvent(run: LiveRun, event: RunEvent): void {
  if (event.type !== "TEXT_MESSAGE_CONTENT") {
    endText(run);
    run.pending.push(JSON.stringify(event));
    return;
  }
  const { messageId, delta } = event;
  if (run.text?.messageId !== messageId) endText(run);
  run.text = { messageId, delta: (run.text?.delta ?? "") + delta };
}

function endText(run: LiveRun): void {
  if (run.text === null) return;
  run.pending.push(JSON.stringify({ type: "TEXT_MESSAGE_CONTENT", ...run.text } satisfies RunEvent));
  run.text = null;
}

const newLiveRun = (options: WriterOptions): LiveRun => ({
  ...options,
  cached: [],
  base: options.firstSeq,
  pending: [],
  text: null,
  pendingSeq: options.firstSeq,
  waiting: [],
  lost: null,
});

function cacheEvents(run: LiveRun, events: readonly string[]): void {
  run.cached.push(...events);
  if (run.cached.length <= 2 * maxCachedEvents) return;
  const dropped = run.cached.length - maxCachedEvents;
  run.cached = run.cached.slice(dropped);
  run.base += dropped;
}

/** Answers the callers of `flush`; an error marks the run as lost. */
function settle(run: LiveRun, waiting: PromiseWithResolvers<void>[], error: Error | null): void {
  if (error !== null && run.lost === null) {
    run.lost = error;
    run.onLost(error);
  }
  for (const { resolve, reject } of waiting) {
    if (error === null) resolve();
    else reject(error);
  }
}

/** Takes what is pending of a run, to be written. */
function takePending(run: LiveRun) {
  endText(run);
  const batch = { runId: run.runId, fence: run.fence, firstSeq: run.pendingSeq, events: run.pending };
  const { waiting } = run;
  run.pendingSeq += run.pending.length;
  run.pending = [];
  run.waiting = [];
  return { run, batch, waiting };
}

interface Writing {
  database: Database;
  log: Logger;
}

/** Writes batches, again and again for a while when the database is away. Returns the runs that are still claimed. */
async function writeWithRetries({ database, log }: Writing, batches: EventBatch[]): Promise<Set<string>> {
  if (batches.length === 0) return new Set();
  return retryWhileAway(() => writeBatches(database.db, batches), {
    forMs: retryForMs,
    delayMs: retryDelayMs,
    onRetry: () => log.warn({ runs: batches.length }, "events of runs can't be written yet; trying again"),
  });
}

/** Events after a position: from the cache of a run of this process, else from the database. */
async function readAfter(
  database: Database,
  run: LiveRun | undefined,
  { runId, position }: { runId: string; position: number },
): Promise<EventsRead> {
  const isCached = run !== undefined && position + 1 >= run.base;
  const { firstSeq, events, ...state } = isCached
    ? {
        firstSeq: position + 1,
        events: run.cached.slice(position + 1 - run.base),
        isAll: true,
        isGone: false,
      }
    : await readRunEvents(database.db, runId, position);
  return {
    events: events.map((data, index) => ({ seq: firstSeq + index, type: typeOf(data), data })),
    ...state,
  };
}

export async function createRunLog(database: Database, log: Logger): Promise<RunLog> {
  const live = new Map<string, LiveRun>();
  /** Runs that have something to write, or callers of `flush`. */
  const dirty = new Set<LiveRun>();
  const followers = createFollowers((runId, position) =>
    readAfter(database, live.get(runId), { runId, position }),
  );
  const stopListening = await database.listener.listen(runLogChannel, (payload) => {
    if (payload === null) return followers.wakeAll();
    for (const runId of payload.split(",")) if (!live.has(runId)) followers.wake(runId);
  });
  const show = (run: LiveRun, events: readonly string[]): void => {
    cacheEvents(run, events);
    followers.wake(run.runId);
  };
  const writeDirty = async (): Promise<void> => {
    const taken = [...dirty].map(takePending);
    dirty.clear();
    const filled = taken.filter(({ batch }) => batch.events.length > 0);
    let failed: Error | null = null;
    const batches = filled.map(({ batch }) => batch);
    const claimed = await writeWithRetries({ database, log }, batches).catch((error: Error) => {
      failed = error;
      return new Set<string>();
    });
    for (const { run, batch, waiting } of taken) {
      const isClaimed = batch.events.length === 0 || claimed.has(run.runId);
      if (isClaimed) show(run, batch.events);
      settle(run, waiting, isClaimed ? run.lost : (failed ?? new Error("the run belongs to somebody else")));
    }
  };
  const schedule = createWriteSchedule({
    writers: () => live.size,
    isDirty: () => dirty.size > 0,
    isUrgent: () => [...dirty].some(({ waiting }) => waiting.length > 0),
    write: writeDirty,
  });

  const open = (options: WriterOptions): RunWriter => {
    const run = newLiveRun(options);
    live.set(run.runId, run);
    return {
      push(event) {
        if (run.lost !== null) return;
        addEvent(run, event);
        dirty.add(run);
        schedule.request(event.type === "TEXT_MESSAGE_START");
      },
      beforeNextWrite: () => schedule.beforeNext(),
      flush() {
        if (run.lost !== null) return Promise.reject(run.lost);
        const waiter = Promise.withResolvers<void>();
        run.waiting.push(waiter);
        dirty.add(run);
        schedule.request(true);
        return waiter.promise;
      },
      nextSeq: () => run.pendingSeq + run.pending.length + (run.text === null ? 0 : 1),
      committed(events) {
        run.pendingSeq += events.length;
        show(run, events);
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
