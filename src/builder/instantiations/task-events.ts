/** Pure: the events of a task in their wire format. */
import {
  severityLevels,
  type NewEvent,
  type Severity,
  type StoredEvent,
} from "../../platform/events/events.ts";
import { safeJson } from "../../platform/lib/safe-json.ts";
import type { EndStatus, TaskLine } from "./types.ts";

export const taskStream = (taskId: string): string => `instantiation:${taskId}`;

/** Longer messages are truncated. */
export const longestMessage = 16_384;

const cut = (message: string): string =>
  message.length > longestMessage ? `${message.slice(0, longestMessage)}… (cut)` : message;

export const logEvent = (at: Date, line: TaskLine, severity: Severity = "INFO"): NewEvent => ({
  type: "log",
  at,
  level: severityLevels[severity],
  data: { ...line, message: cut(line.message), createdAt: at.toISOString() },
});

export const recoveredEvent = (at: Date): NewEvent => ({
  type: "recovered",
  at,
  data: {
    message: "The worker that had the task is gone; another one goes on after the last recorded step.",
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
