/** The events of a plan's stream, in their wire shape. */
import { severityLevels, type NewEvent, type StoredEvent } from "../../../platform/events/events.ts";
import { isTerminal } from "./transitions.ts";
import type { ComponentStatus, LogLine, PlanStatus, TaskAction, TaskStatus } from "./types.ts";

export const planStream = (planId: string): string => `plan:${planId}`;

export interface TaskEventData {
  id: string;
  status: TaskStatus;
  action: TaskAction;
  componentId: string | null;
  startTime?: string;
  stopTime?: string;
  /** The new status of the component; absent when the task does not change it. */
  componentStatus?: ComponentStatus;
  message?: string;
}

export const taskEvent = (at: Date, data: TaskEventData): NewEvent => ({ type: "task", at, data });

export const logEvent = (line: LogLine): NewEvent => ({
  type: "log",
  at: line.at,
  level: severityLevels[line.severity],
  data: {
    timestamp: line.at.toISOString(),
    severity: line.severity,
    task: line.taskId,
    message: line.message,
    phase: line.phase,
    ...(line.adapterTimestamp === undefined ? {} : { adapterTimestamp: line.adapterTimestamp }),
  },
});

export const planEvent = (at: Date, id: string, status: PlanStatus, reason?: string): NewEvent => ({
  type: "plan",
  at,
  data: { id, status, at: at.toISOString(), ...(reason === undefined ? {} : { reason }) },
});

/** The stream ends with the plan's terminal event, which is always written last. */
export const endsPlanStream = (event: StoredEvent): boolean =>
  event.type === "plan" && isTerminal((JSON.parse(event.data) as { status: TaskStatus }).status);
