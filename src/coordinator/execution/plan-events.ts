/** The events of a plan's stream, in their wire shape. */
import { severityLevels, type NewEvent, type StoredEvent } from "../../platform/events/events.ts";
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
    ...(line.adapterPhase === undefined ? {} : { adapterPhase: line.adapterPhase }),
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

/** Events of a unit in an environment outside of plans. The writer holds the lock of the unit's row. */
export const unitStream = (environment: string, unitKey: string): string => `unit:${environment}:${unitKey}`;

interface OfTask {
  planId: string;
  taskId: string;
  deploymentUnitId: string | null;
  environment: string;
  componentId: string | null;
}

export const componentEvent = (at: Date, data: OfTask & { status: string }): NewEvent => ({
  type: "component",
  at,
  data,
});

export const outcomeEvent = (
  at: Date,
  data: OfTask & { outcome: string; by: string; reason: string },
): NewEvent => ({ type: "outcome", at, data });

interface DriftEventData {
  driftCheckId: string;
  deploymentUnitId: string;
  environment: string;
  components: { componentId: string; result: string; why: string; pointers: string[] }[];
}

export const driftEvent = (at: Date, data: DriftEventData): NewEvent => ({ type: "drift", at, data });
