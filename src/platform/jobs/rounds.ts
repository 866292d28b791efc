/**
 * Work that is found in rows: a round looks for due rows and begins their work, woken by jobs and by a timer.
 * All state is in the rows, so any process continues where another has stopped.
 */
import type { Logger } from "../lib/logger.ts";
import { startSpan } from "../telemetry/spans.ts";

export interface Rounds {
  /** Begins a round soon: something may be due. */
  wake(): void;
  /** Resolves when the first round is over. */
  first: Promise<void>;
  /** Begins no further round, and resolves when the one under way is over. */
  close(): Promise<void>;
}

export interface RoundsOptions {
  /** Begins the work that is due and does not wait for its end. Resolves with "idle" when it has found none and none is under way. */
  round: () => Promise<"idle" | void>;
  /**
   * Longest wait between two rounds; a function is asked before each wait. After ten idle rounds in a row, until the next
   * wake-up, it is ten times as long: an idle process is to cost next to nothing.
   */
  idleMs: number | (() => number);
  /** That longer wait, where ten times is not meant. */
  restMs?: number | undefined;
  /** Every wake-up within it belongs to one round. */
  gatherMs?: number | undefined;
  log: Logger;
  /** Named in the log when a round fails. */
  what: string;
}

export interface Found {
  /** What was looked for; low in number, since it names the span. */
  name: string;
  /** When the round began to look, in milliseconds since 1970. */
  since: number;
  count: number;
}

/** Begins the work that a round has found under a span of the round. Rounds that find nothing leave none: there are too many. */
export function beginFound({ name, since, count }: Found, begin: () => void): void {
  const span = startSpan("round", {
    name: `round ${name}`,
    startTime: since,
    attributes: () => ({ "plinth.round.name": name, "plinth.round.found": count }),
  });
  if (span === undefined) return begin();
  try {
    span.run(begin);
  } finally {
    span.end();
  }
}

const usualGatherMs = 5;
const roundsToRest = 10;
const restFactor = 10;

export function startRounds(options: RoundsOptions): Rounds {
  const { round, idleMs, restMs, gatherMs = usualGatherMs, log, what } = options;
  let closed = false;
  let isAwake = false;
  let idleRounds = 0;
  let endWait: () => void = () => {};
  const wake = (): void => {
    isAwake = true;
    idleRounds = 0;
    endWait();
  };
  const waitMs = (): number => {
    const usualMs = typeof idleMs === "number" ? idleMs : idleMs();
    return idleRounds < roundsToRest ? usualMs : (restMs ?? usualMs * restFactor);
  };
  const sleep = async (): Promise<void> => {
    if (!isAwake) {
      await new Promise<void>((done) => {
        const timer = setTimeout(done, waitMs());
        endWait = () => {
          clearTimeout(timer);
          done();
        };
      });
    }
    if (isAwake && !closed) await new Promise((done) => setTimeout(done, gatherMs));
    isAwake = false;
  };
  const runOne = async (): Promise<void> => {
    try {
      idleRounds = (await round()) === "idle" ? idleRounds + 1 : 0;
    } catch (error) {
      idleRounds = 0;
      if (!closed) log.warn({ reason: (error as Error).message }, `${what}: a round failed`);
    }
  };
  const first = runOne();
  const runOthers = async (): Promise<void> => {
    await first;
    while (!closed) {
      await sleep();
      if (!closed) await runOne();
    }
  };
  const running = runOthers();
  return {
    wake,
    first,
    async close() {
      closed = true;
      wake();
      await running;
    },
  };
}
