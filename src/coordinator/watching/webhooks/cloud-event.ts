/** Pure. Makes CloudEvents from a stored event joined with its plan, task and unit. */
import type { OutgoingEventType } from "../../../platform/config/schema/schema-watching.ts";

/** A row of the events table, joined with the plan and the task that it is about. */
export interface SourceEvent {
  id: number;
  type: string;
  at: Date;
  data: Record<string, unknown>;
  planId: string | null;
  planKind: string | null;
  planAction: string | null;
  originator: string | null;
  descriptorVersion: string | null;
  unitKey: string | null;
  unitId: string | null;
  environment: string | null;
  traceparent: string | null;
  adapterId: string | null;
  /** The task's call may have acted, and its outcome is unknown. */
  isOutcomeUnknown: boolean | null;
  /** Stored status of the component. */
  componentStatus: string | null;
  /** Status of the unit, ignoring an active operation; only for events that change it. */
  unitStatus: string | null;
}

export interface OutgoingEvent {
  id: string;
  type: OutgoingEventType;
  subject: string;
  environment: string;
  at: string;
  body: string;
}

export interface Origin {
  /** The CloudEvents `source` of this installation. */
  source: string;
  /** Id of the database, so that event ids of two databases differ. */
  instance: string;
}

interface Change {
  type: OutgoingEventType;
  /** Distinguishes the CloudEvents of one stored event. */
  suffix: string;
  data: object;
}

export function cloudEvents(event: SourceEvent, origin: Origin): OutgoingEvent[] {
  const environment = textOf(event.data["environment"]) ?? event.environment ?? "";
  const unitId = textOf(event.data["deploymentUnitId"]) ?? event.unitId;
  const subject = unitId === null ? `plan/${event.planId ?? ""}` : `${environment}/${unitId}`;
  const at = event.at.toISOString();
  return changesOf(event).map(({ type, suffix, data }) => {
    const id = `evt_${origin.instance}_${event.id}${suffix}`;
    const body = JSON.stringify({
      specversion: "1.0",
      id,
      source: origin.source,
      type,
      subject,
      time: at,
      datacontenttype: "application/json",
      ...(event.traceparent === null ? {} : { traceparent: event.traceparent }),
      data: { deploymentUnitId: unitId, environment, ...data },
    });
    return { id, type, subject, environment, at, body };
  });
}

function changesOf(event: SourceEvent): Change[] {
  switch (event.type) {
    case "plan":
      return planChanges(event);
    case "task":
      return taskChanges(event);
    case "component":
      return [componentChange(event, textOf(event.data["status"]) ?? ""), ...unitChange(event)];
    case "outcome":
      return [{ type: "plinth.outcome.settled", suffix: "", data: event.data }];
    case "drift":
      return [{ type: "plinth.drift.found", suffix: "", data: event.data }];
    default:
      return [];
  }
}

const terminal = new Set(["COMPLETED", "FAILED", "TERMINATED"]);

function planChanges(event: SourceEvent): Change[] {
  const { planId, planKind, planAction, descriptorVersion, originator, data } = event;
  const change: Change = {
    type: "plinth.plan.status-changed",
    suffix: "",
    data: {
      planId,
      kind: planKind,
      action: planAction,
      status: data["status"],
      descriptorVersion,
      originator,
      ...(data["reason"] === undefined ? {} : { reason: data["reason"] }),
    },
  };
  return [change, ...unitChange(event)];
}

/** The unit is in progress from the start of an operation; at its end it has the status of its components. */
function unitChange(event: SourceEvent): Change[] {
  const change = (status: string): Change[] => [
    {
      type: "plinth.unit.status-changed",
      suffix: "_unit",
      data: { status, planId: event.planId ?? event.data["planId"] },
    },
  ];
  if (event.type === "component") return event.unitStatus === null ? [] : change(event.unitStatus);
  if (event.planKind !== "PROVISIONING") return [];
  if (event.data["status"] === "RUNNING") return change("PROVISIONING_IN_PROGRESS");
  return event.unitStatus !== null && terminal.has(String(event.data["status"]))
    ? change(event.unitStatus)
    : [];
}

function taskChanges(event: SourceEvent): Change[] {
  const { id, ...rest } = event.data;
  const facts = {
    planId: event.planId,
    taskId: id,
    componentId: rest["componentId"],
    action: rest["action"],
  };
  const changes: Change[] = [
    {
      type: "plinth.task.status-changed",
      suffix: "",
      data: { planId: event.planId, taskId: id, ...rest, adapterId: event.adapterId },
    },
  ];
  const status = componentStatusOf(event);
  if (status !== null) changes.push(componentChange(event, status));
  if (rest["action"] === "UPDATE_ACL" && rest["status"] === "COMPLETED")
    changes.push({ type: "plinth.access.changed", suffix: "_access", data: facts });
  const isEnd = rest["status"] === "FAILED" || rest["status"] === "TERMINATED";
  if (isEnd && event.isOutcomeUnknown === true) {
    const message = textOf(rest["message"]) ?? "";
    changes.push({ type: "plinth.outcome.unknown", suffix: "_outcome", data: { ...facts, message } });
  }
  return changes;
}

/** The new status of the task's component; null when it did not change. */
function componentStatusOf({ data, componentStatus }: SourceEvent): string | null {
  if (data["action"] !== "PROVISION" && data["action"] !== "UNPROVISION") return null;
  switch (data["status"]) {
    case "RUNNING":
      return "PROVISIONING_IN_PROGRESS";
    case "COMPLETED":
    case "FAILED":
    case "TERMINATED":
      // A task that never began changes nothing; after one that the adapter never saw, the stored status is
      // restored.
      if (data["componentStatus"] === undefined && data["startTime"] === undefined) return null;
      return textOf(data["componentStatus"]) ?? componentStatus ?? "NOT_DEPLOYED";
    default:
      return null;
  }
}

const componentChange = ({ planId, data }: SourceEvent, status: string): Change => ({
  type: "plinth.component.status-changed",
  suffix: "_component",
  data: { componentId: data["componentId"], status, planId: planId ?? data["planId"] },
});

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
