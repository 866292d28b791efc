/** Pure: a task, its steps, and its events in their wire format. */
import {
  severityLevels,
  type NewEvent,
  type Severity,
  type StoredEvent,
} from "../../platform/events/events.ts";
import { safeJson } from "../../platform/lib/safe-json.ts";
import type { Mask } from "../../platform/lib/secrets/mask.ts";
import type { RequestOrigin } from "../../platform/lib/request-lines.ts";
import type { LastError } from "../../platform/run-engine/last-error.ts";

export type TaskStatus = "open" | "processing" | "completed" | "failed" | "cancelled";
export type EndStatus = "completed" | "failed" | "cancelled";
export type StepStatus = "completed" | "failed" | "skipped";

export interface StepRecord {
  step: number;
  status: StepStatus;
  output: Record<string, unknown>;
  error?: string | null;
  startedAt: Date;
  endedAt: Date;
}

/** One log line of a task as sent in its event stream, besides `createdAt`. */
export interface TaskLine {
  message: string;
  stepId?: string;
  status?: string;
}

/** The secrets of users, in one object that is encrypted as a whole. */
export interface Secrets {
  /** By the name that templates use. */
  named: Record<string, string>;
  /** Values of secret fields by their JSON pointer: `/values/password`, `/environmentOverrides/production/password`. */
  fields: Record<string, unknown>;
}

/** A task as claimed by a worker. */
export interface ClaimedTask extends RequestOrigin {
  id: string;
  fence: number;
  templateRef: string;
  planHash: string;
  owner: string;
  parameters: Record<string, unknown>;
  environment: Record<string, Record<string, unknown>>;
  sealed: Buffer | null;
  /** Trace context of the request that started it; null when an older program has inserted it. */
  traceparent: string | null;
  steps: StepRecord[];
  checkpoints: { step: number; key: string; value: unknown }[];
  hasWorkspace: boolean;
  /** Why workers could not go on with it, the last time. */
  lastError: LastError | null;
}

export interface InstantiationLimits {
  /** Tasks that this process runs at a time. */
  parallel: number;
  /** The part of `parallel` that one user may use; 0 for all. */
  parallelPerUser: number;
  actionTimeoutMs: number;
  eachItems: number;
  /** Events of one task. */
  events: number;
  /** JSON text of the output of one step, and of the task. */
  outputBytes: number;
  workspaceBytes: number;
  workspaceFiles: number;
  retentionDays: number;
}

export const taskStream = (taskId: string): string => `instantiation:${taskId}`;

/** Longer messages are truncated. */
export const longestMessage = 16_384;

const cutMark = "… (cut)";

const cut = (message: string): string =>
  message.length > longestMessage ? message.slice(0, longestMessage) + cutMark : message;

/** What is behind is cut off anyway, and only searching it for secrets would take time. */
const longestRead = 4 * longestMessage;

/** A message without secrets. Where it is read in part, no beginning of a secret is left at its end. */
export const maskMessage = (mask: Mask, message: string): string =>
  message.length > longestRead
    ? mask.pieces().push(message.slice(0, longestRead)) + cutMark
    : mask.text(message);

export const logEvent = (at: Date, line: TaskLine, severity: Severity = "INFO"): NewEvent => ({
  type: "log",
  at,
  level: severityLevels[severity],
  data: { ...line, message: cut(line.message), createdAt: at.toISOString() },
});

/** `reason`: why the worker before gave it back, if that could not go on. */
export const recoveredEvent = (at: Date, reason?: string): NewEvent => ({
  type: "recovered",
  at,
  data: {
    message:
      reason === undefined
        ? "The worker that had the task is gone; another one goes on after the last recorded step."
        : cut(`The task is tried again, after the last recorded step. Before, it could not go on: ${reason}`),
    createdAt: at.toISOString(),
    recoverStrategy: "resume",
  },
});

export const cancelledEvent = (at: Date, by: string): NewEvent => ({
  type: "cancelled",
  at,
  data: { message: `The task was cancelled by ${by}.`, createdAt: at.toISOString() },
});

export interface TaskEnd {
  status: EndStatus;
  output: Record<string, unknown>;
  error?: string;
}

export const completionEvent = (at: Date, { status, output, error }: TaskEnd): NewEvent => ({
  type: "completion",
  at,
  data: {
    message: error === undefined ? `The task has ended: ${status}.` : cut(error),
    createdAt: at.toISOString(),
    status,
    output,
    ...(error === undefined ? {} : { error: { message: cut(error) } }),
  },
});

/**
 * Whether an event ends the stream. `completion` is always the last event: a retry deletes that of the previous
 * attempt.
 */
export const endsTaskStream = (event: StoredEvent): boolean => event.type === "completion";

/** Events as JSON rows for an insert statement. */
export const eventRows = (events: readonly NewEvent[]): string =>
  safeJson(
    events.map(({ type, at, level, data }) => ({ type, at: at.toISOString(), level: level ?? null, data })),
  );
