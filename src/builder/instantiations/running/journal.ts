/**
 * The journal of a running task. Log lines are batched; what must be durable before the task continues is
 * written at once, together with all lines before it. Writes are sequential, so that events keep their order,
 * and a write that failed with its connection is repeated with the same number.
 */
import type { Database } from "../../../platform/db/database.ts";
import { retryWhileAway } from "../../../platform/db/retry.ts";
import type { NewEvent, Severity } from "../../../platform/events/events.ts";
import type { Logger } from "../../../platform/lib/logger.ts";
import type { SecretBox } from "../../../platform/lib/secrets/secret-box.ts";
import { beginUndo, endUndo, readUndo, writeTask, type UndoPlace, type Write } from "../store.ts";
import {
  completionEvent,
  logEvent,
  type TaskEnd,
  type StepRecord,
  type InstantiationLimits,
  type TaskLine,
} from "../task.ts";
import type { Action } from "../../actions/action.ts";
import type { BuilderDeps } from "../../context.ts";
import type { TemplatePlan } from "../../templates/template.ts";
import type { Snapshot, TaskWorkspace } from "./workspace.ts";
import type { Mask } from "../../../platform/lib/secrets/mask.ts";

export interface DurableJournal extends Journal {
  /** Writes the end and everything still pending. */
  end(end: TaskEnd): Promise<void>;
}

export interface JournalOptions {
  database: Database;
  taskId: string;
  fence: number;
  /** Index of the last step: its record is written with the end of the task, which follows at once. */
  lastStep: number;
  maxEvents: number;
  /** Encrypts the workspace; null for a task without secrets. */
  box: SecretBox | null;
  now: () => Date;
  log: Logger;
  /** Nothing more can be written: `taskLost`, or what the database has refused. */
  onLost: (reason: Error) => void;
}

/** Batching interval of log lines; too short for readers to notice. */
const gatherMs = 50;
/** Longer than most restarts of a database take. */
const retryForMs = 60_000;
const retryDelayMs = 250;

interface Pending {
  events: NewEvent[];
  steps: StepRecord[];
  checkpoints: { step: number; key: string; value: unknown }[];
  /** The latest, which has the changes of all steps before. */
  snapshot: Snapshot | null;
}

const nothing = (): Pending => ({ events: [], steps: [], checkpoints: [], snapshot: null });

export function createJournal(options: JournalOptions): DurableJournal {
  const { database, taskId, fence, now } = options;
  let pending = nothing();
  let lastWrite: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;
  let number = 0;
  let events = 0;
  let lost: Error | null = null;

  const send = async (write: Write): Promise<void> => {
    const isOurs = await retryWhileAway(() => writeTask(database, write), {
      forMs: retryForMs,
      delayMs: retryDelayMs,
      onRetry: () =>
        options.log.warn({ taskId }, "the progress of a task can't be written yet; trying again"),
    });
    if (!isOurs) throw taskLost;
  };
  const flush = (end?: TaskEnd): Promise<void> => {
    if (timer) clearTimeout(timer);
    timer = null;
    const write = lastWrite.then(async () => {
      if (lost) throw lost;
      const { snapshot, ...taken } = pending;
      pending = nothing();
      const at = now();
      if (end) taken.events.push(completionEvent(at, end));
      else if (isEmpty(taken)) return;
      number += 1;
      try {
        // Nobody needs the files of a task that is completed.
        const workspace = end?.status === "completed" ? null : await packed(snapshot);
        await send({ taskId, fence, number, ...taken, workspace, ...(end && { end: { ...end, at } }) });
      } catch (error) {
        lost = error as Error;
        options.onLost(lost);
        throw error;
      }
    });
    lastWrite = write.catch(() => {});
    return write;
  };
  const packed = async (snapshot: Snapshot | null): Promise<Write["workspace"]> => {
    if (snapshot === null) return null;
    const { box } = options;
    const archive = await snapshot.archive();
    return { archive: box ? box.seal(archive, taskId) : archive, isSealed: box !== null };
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
      pending.snapshot = snapshot ?? pending.snapshot;
      // A step record comes with a log line, so a record that may wait is written with the next batch.
      if (record.step < options.lastStep && !canWait) await flush();
    },
    recordCheckpoint(checkpoint, snapshot) {
      pending.checkpoints.push(checkpoint);
      pending.snapshot = snapshot ?? pending.snapshot;
      return flush();
    },
    beginUndo: (place, until) => beginUndo(database, { taskId, fence, ...place, until }),
    endUndo: (place, until) => endUndo(database.db, { taskId, ...place, until }),
    readUndo: (place) => readUndo(database.db, { taskId, ...place }),
    end: (end) => flush(end),
  };
}

/** A snapshot comes with a step or a checkpoint. */
const isEmpty = ({ events, steps, checkpoints }: Omit<Pending, "snapshot">): boolean =>
  events.length + steps.length + checkpoints.length === 0;

export interface Journal {
  /** Adds a line to the log; readers see it soon. */
  log(line: TaskLine, severity?: Severity): void;
  /** Resolves when the step is recorded durably, or with `canWait` when the write is pending. */
  recordStep(record: StepRecord, snapshot: Snapshot | null, canWait: boolean): Promise<void>;
  recordCheckpoint(
    checkpoint: { step: number; key: string; value: unknown },
    snapshot: Snapshot | null,
  ): Promise<void>;
  /**
   * Announces that the step removes until a time what it has made; false when a later attempt may go on with that. Also after a
   * cancellation.
   */
  beginUndo(place: UndoPlace, until: Date): Promise<boolean>;
  endUndo(place: UndoPlace, until: Date): Promise<void>;
  /** Until when an attempt removes what it has made; null when none does. */
  readUndo(place: UndoPlace): Promise<Date | null>;
}

/** The reason of the signal when the task is another worker's, or nobody's any more. */
export const taskLost = new Error("the task has been taken over or cancelled");

/** The reason of the signal when the task is given back at a stop. */
export const handOver = new Error("this process stops; another process continues the task");

export interface Run {
  deps: BuilderDeps;
  actions: ReadonlyMap<string, Action>;
  limits: InstantiationLimits;
  renderTimeoutMs: number;
  log: Logger;
  now: () => Date;
  taskId: string;
  /** Trace context for what actions call. */
  traceparent: string;
  plan: TemplatePlan;
  /** The parameters with the values of secret fields filled in. */
  parameters: Record<string, unknown>;
  environment: Record<string, Record<string, unknown>>;
  secrets: Record<string, string>;
  mask: Mask;
  user: { ref: string; entity?: unknown };
  recorded: ReadonlyMap<number, StepRecord>;
  /** By step and key, see `checkpointName`. */
  checkpoints: ReadonlyMap<string, unknown>;
  workspace: TaskWorkspace;
  /** Aborted when the task is cancelled, claimed by another worker, or handed over. */
  signal: AbortSignal;
  isDryRun: boolean;
  journal: Journal;
}

export const checkpointName = (step: number, key: string): string => `${step}/${key}`;
