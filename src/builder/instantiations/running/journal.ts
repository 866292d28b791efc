/**
 * The journal of a task that a worker drives. Lines of the log are gathered for a moment; what must be certain before
 * the task goes on is written at once, with all lines before it. One write follows the other, so that events keep
 * their order, and one that broke with its connection is sent again under its number.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { Database } from "../../../platform/db/database.ts";
import { isDatabaseAway } from "../../../platform/db/failures.ts";
import type { NewEvent } from "../../../platform/events/events.ts";
import type { Logger } from "../../../platform/lib/logger.ts";
import type { SecretBox } from "../../../platform/lib/secret-box.ts";
import { writeTask, type Write } from "../store.ts";
import { completionEvent, logEvent, type TaskEnd } from "../task-events.ts";
import type { StepRecord } from "../types.ts";
import type { Journal } from "./task-run.ts";

export interface DurableJournal extends Journal {
  /** Writes the end with all that is not written yet. */
  end(end: TaskEnd): Promise<void>;
}

export interface JournalOptions {
  database: Database;
  taskId: string;
  fence: number;
  /** Number of the last step: its record waits for the end of the task, which follows at once. */
  lastStep: number;
  maxEvents: number;
  /** Seals the workspace; null for a task without secrets. */
  box: SecretBox | null;
  now: () => Date;
  log: Logger;
  /** The task belongs to somebody else now. */
  onLost: (reason: Error) => void;
}

/** How long lines wait for others; readers do not feel it. */
const gatherMs = 50;
/** Longer than most restarts of a database take. */
const retryForMs = 60_000;
const retryDelayMs = 250;

type Pending = Pick<Write, "events" | "steps" | "checkpoints" | "workspace"> & {
  events: NewEvent[];
  steps: StepRecord[];
  checkpoints: { step: number; key: string; value: unknown }[];
};

const nothing = (): Pending => ({ events: [], steps: [], checkpoints: [], workspace: null });

export function createJournal(options: JournalOptions): DurableJournal {
  const { database, taskId, fence, now } = options;
  let pending = nothing();
  let lastWrite: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;
  let number = 0;
  let events = 0;
  let lost: Error | null = null;

  const send = async (write: Write): Promise<void> => {
    for (let waited = 0; ; waited += retryDelayMs) {
      try {
        if (await writeTask(database, write)) return;
        throw new Error("the task has been taken over or cancelled");
      } catch (error) {
        if (!isDatabaseAway(error) || waited >= retryForMs) throw error;
        options.log.warn({ taskId }, "the progress of a task can't be written yet; trying again");
        await wait(retryDelayMs);
      }
    }
  };
  const flush = (end?: TaskEnd): Promise<void> => {
    if (timer) clearTimeout(timer);
    timer = null;
    const write = lastWrite.then(async () => {
      if (lost) throw lost;
      const taken = pending;
      pending = nothing();
      const at = now();
      if (end) taken.events.push(completionEvent(at, end));
      else if (isEmpty(taken)) return;
      number += 1;
      await send({ taskId, fence, number, ...taken, ...(end ? { end: { ...end, at } } : {}) }).catch(
        (error: Error) => {
          lost = error;
          options.onLost(error);
          throw error;
        },
      );
    });
    lastWrite = write.catch(() => {});
    return write;
  };
  const keep = (snapshot: Buffer | null): void => {
    if (snapshot === null) return;
    const { box } = options;
    pending.workspace = { archive: box ? box.seal(snapshot, taskId) : snapshot, isSealed: box !== null };
  };

  return {
    log(line, severity) {
      events += 1;
      if (events > options.maxEvents) return;
      const isLast = events === options.maxEvents;
      const shown = isLast
        ? { ...line, message: "The log of this task is full; what follows is left out." }
        : line;
      pending.events.push(logEvent(now(), shown, severity));
      timer ??= setTimeout(() => void flush().catch(() => {}), gatherMs);
    },
    async recordStep(record, snapshot, canWait) {
      pending.steps.push(record);
      keep(snapshot);
      // A line of its log is always with it, so that one that can wait is written a moment later.
      if (record.step < options.lastStep && !canWait) await flush();
    },
    recordCheckpoint(checkpoint, snapshot) {
      pending.checkpoints.push(checkpoint);
      keep(snapshot);
      return flush();
    },
    end: (end) => flush(end),
  };
}

const isEmpty = ({ events, steps, checkpoints, workspace }: Pending): boolean =>
  events.length + steps.length + checkpoints.length === 0 && workspace === null;
