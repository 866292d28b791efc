/** Shapes of the engine's rows. The wire names of statuses and actions are the stored ones. */
import type { Severity } from "../../../platform/events/events.ts";

export type TaskStatus =
  | "WAITING"
  | "RUNNING"
  | "COMPLETED"
  | "FAILED"
  | "SKIPPED"
  | "TERMINATING"
  | "TERMINATED";
export type PlanStatus = Exclude<TaskStatus, "SKIPPED">;
export type TaskAction =
  | "VALIDATE_COMPONENT"
  | "PROVISION"
  | "UNPROVISION"
  | "UPDATE_ACL"
  | "REVERSE_PROVISION"
  | "PUBLISH"
  | "UNPUBLISH";
export type ComponentStatus = "DEPLOYED" | "NOT_DEPLOYED" | "CORRUPT";
export type TerminateMode = "safe" | "forced";

/** Tasks of a stage start when every task of the earlier stages has completed. */
export const stages = { validate: 0, execute: 1, publish: 2 } as const;

/**
 * What becomes of a component's row when its task ends. The first member is the component itself, the others are the
 * subcomponents that have no calls of their own.
 */
export interface Snapshot {
  members: SnapshotMember[];
}

export interface SnapshotMember {
  key: string;
  id: string;
  name: string | null;
  /** Of a subcomponent, its owner: the component or subcomponent in whose call it is, or after whose call its own comes. */
  parentKey: string | null;
  infrastructureTemplateId: string | null;
  descriptor: object;
  hash: string;
  dependsOn: string[];
  descriptorVersion: string | null;
  position: number;
  /** Whether others may be given access to it; absent is no. */
  consumable?: boolean;
  /** A deployed subcomponent that the new descriptor has no more: it goes when its owner is deployed. */
  dropped?: true;
  /** Nobody has access to it any more once the task has succeeded. */
  closed?: true;
}

export interface Info {
  publicInfo?: unknown;
  privateInfo?: unknown;
  [key: string]: unknown;
}

/** What is known of a component's last operation, as the adapters get to see it. */
export interface LastOperation {
  operation: "Deploy" | "Undeploy";
  status: "NotStarted" | "Failed" | "Successful";
}

/** What a plan was made from; written once, at its start. */
export interface PlanRequest {
  /** The unit's descriptor as accepted; null where the plan is about none. */
  descriptor: { components?: unknown; [key: string]: unknown } | null;
  operations: unknown[];
  removeData: boolean;
  /** Per component key: what its adapter had returned before this plan. */
  enrichment: Record<string, { info: Info | null; lastOperation: LastOperation | null }>;
  /** Per component key: the policy that guards its data contract, where its adapter has one. */
  guardians?: Record<string, string>;
}

/** What a task needs beyond its component; null for plain ones. */
export interface TaskDetails {
  /** The whole body of the call, where it is not made from the unit. */
  body?: string;
  /** The adapter offers POST /v2/validate. */
  asyncValidation?: boolean;
  /** The component had never been deployed when the plan was made. */
  neverDeployed?: true;
  /** False: a failure is a warning, and the plan goes on. */
  isBlocking?: boolean;
}

export interface PlanRow {
  id: string;
  kind: string;
  unitKey: string | null;
  unitId: string | null;
  environment: string;
  action: string;
  status: PlanStatus;
  request: PlanRequest;
  traceparent: string;
  terminateMode: TerminateMode | null;
  terminateAt: Date | null;
  deadlineAt: Date;
  fence: number;
  writeSeq: number;
}

export interface TaskRow {
  taskId: string;
  position: number;
  stage: number;
  action: TaskAction;
  componentKey: string | null;
  componentId: string | null;
  componentName: string | null;
  dependsOn: string[];
  status: TaskStatus;
  adapterId: string | null;
  adapterUrl: string | null;
  /** Where its adapter was registered and enabled when it was looked up last. */
  registeredUrl?: string | null;
  snapshot: Snapshot | null;
  details: TaskDetails | null;
  idempotencyKey: string;
  attempts: number;
  /** Some call of this task may have reached the adapter; also while it is not known. */
  mayHaveActed: boolean;
  token: string | null;
  result: string | null;
  info: Info | null;
  startedAt: Date | null;
}

/** A task of a plan that is about to start, as its row. */
export interface NewTask {
  task_id: string;
  stage: number;
  action: TaskAction;
  component_key: string | null;
  component_id: string | null;
  component_name: string | null;
  depends_on: string[];
  adapter_id: string | null;
  adapter_url: string | null;
  snapshot: Snapshot | null;
  details: TaskDetails | null;
  idempotency_key: string;
}

/** Why something waits, for people: shown in the plan and in the console. */
export interface Waiting {
  reason: string;
  since: string;
  nextAttemptAt?: string;
  attempts?: number;
  /** What comes next, in words. */
  next?: string;
  /** Place in the line that it stands in. */
  position?: number;
  /** The plan at the head of that line. */
  waitsForPlan?: string;
  /** Tasks that have to end first; of many, some. */
  blockedBy?: string[];
  /** The setting whose limit is reached. */
  limit?: string;
}

export interface LogLine {
  at: Date;
  severity: Severity;
  taskId: string | null;
  phase: string;
  message: string;
  /** When the adapter wrote the line, by its own clock. */
  adapterTimestamp?: string;
}
