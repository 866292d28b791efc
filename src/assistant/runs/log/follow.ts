/** Readers of runs in this process: each reads the log to its end and waits until it is woken. */
import { isDatabaseAway } from "../../../platform/db/failures.ts";
import { retryWhileAway } from "../../../platform/db/retry.ts";
import { isTerminal, typeOf, type LoggedEvent } from "./ag-ui.ts";

export interface EventsRead {
  events: LoggedEvent[];
  /** Whether there were no more events when they were read. */
  isAll: boolean;
  /** Whether none will come: the run has been deleted, or has ended and its log has been. */
  isGone: boolean;
}

export interface FollowOptions {
  after: number;
  /** The first event of a run that the caller has just started, so that it need not be read. */
  firstEvent?: string | undefined;
  signal: AbortSignal;
}

export interface Followers {
  /** Makes the readers of a run read its log again. */
  wake(runId: string): void;
  wakeAll(): void;
  /** Batches of events after a number until the last one of the run. */
  follow(runId: string, options: FollowOptions): AsyncGenerator<LoggedEvent[]>;
}

/** How long a reader waits for a notice, in case one is lost. */
const rereadMs = 5_000;
/** The same for a run that has just been started: its worker may have written before the reader listened. */
const beginMs = 1_000;

/** As long as writers of runs wait for the database, so that a reader does not end before its run does. */
const retry = { forMs: 60_000, onRetry: () => undefined };
const firstDelayMs = 250;
const longestDelayMs = 4_000;

/** A read of a stream, repeated for a while when the database is away and the client is not; ever more rarely, since there may be many. */
export function readForStream<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> {
  let nextMs = firstDelayMs;
  const delayMs = (): number => {
    const delay = nextMs;
    nextMs = Math.min(nextMs * 2, longestDelayMs);
    return delay;
  };
  const mayRepeat = (error: unknown): boolean => !signal.aborted && isDatabaseAway(error);
  return retryWhileAway(read, { ...retry, delayMs, mayRepeat });
}

export function createFollowers(
  readAfter: (runId: string, position: number) => Promise<EventsRead>,
): Followers {
  const wakersOf = new Map<string, Set<() => void>>();
  const wake = (runId: string): void => {
    for (const waker of wakersOf.get(runId) ?? []) waker();
  };

  async function* follow(
    runId: string,
    { after, firstEvent, signal }: FollowOptions,
  ): AsyncGenerator<LoggedEvent[]> {
    let isNoticed = false;
    let resume: () => void = () => {};
    const waker = (): void => {
      isNoticed = true;
      resume();
    };
    const wakers = wakersOf.get(runId) ?? new Set();
    wakersOf.set(runId, wakers.add(waker));
    signal.addEventListener("abort", waker, { once: true });
    const noticed = async (atMostMs: number): Promise<void> => {
      if (isNoticed || signal.aborted) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      resume = resolve;
      const net = setTimeout(resolve, atMostMs);
      await promise;
      clearTimeout(net);
    };
    try {
      let position = after;
      if (firstEvent !== undefined && after === 0) {
        yield [{ seq: 1, type: typeOf(firstEvent), data: firstEvent }];
        position = 1;
        await noticed(beginMs);
      }
      while (!signal.aborted) {
        isNoticed = false;
        const found = await readForStream(() => readAfter(runId, position), signal).catch(
          (error: unknown) => {
            if (signal.aborted) return null;
            throw error;
          },
        );
        if (found === null) return;
        const { events, isAll, isGone } = found;
        const last = events.at(-1);
        if (last !== undefined) {
          position = last.seq;
          yield events;
          if (isTerminal(last)) return;
        }
        if (isGone) return;
        if (isAll) await noticed(rereadMs);
      }
    } finally {
      signal.removeEventListener("abort", waker);
      wakers.delete(waker);
      if (wakers.size === 0) wakersOf.delete(runId);
    }
  }

  return { wake, wakeAll: () => [...wakersOf.keys()].forEach(wake), follow };
}
