/** Shapes of the engine's rows. Statuses and actions are stored with their wire names. */
import type { Severity } from "../../platform/events/events.ts";
import type { RequestOrigin } from "../../platform/lib/request-lines.ts";
import type { LastError } from "../../platform/run-engine/last-error.ts";

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
  | "POLICY_VALIDATE_COMPONENT"
  | "PROVISION"
  | "UNPROVISION"
  | "UPDATE_ACL"
  | "REVERSE_PROVISION"
  | "PUBLISH"
  | "UNPUBLISH";
export type ComponentStatus = "DEPLOYED" | "NOT_DEPLOYED" | "CORRUPT";
export type TerminateMode = "safe" | "forced";

/** Name of the job queue that hands new execution plans to the workers. */
export const planQueue = "execution-plan";

/** Tasks of a stage start when every task of the earlier stages has completed. */
export const stages = { policies: -2, validate: 0, execute: 1, publish: 2 } as const;

/**
 * The component rows that are written when a task ends. The first member is the component itself, the others
 * are its subcomponents without calls of their own.
 */
export interface Snapshot {
  members: SnapshotMember[];
}

export interface SnapshotMember {
  key: string;
  id: string;
  name: string | null;
  /**
   * For a subcomponent, its owner: the component or subcomponent whose call includes it or precedes its own
   * call.
   */
  parentKey: string | null;
  infrastructureTemplateId: string | null;
  descriptor: object;
  hash: string;
  dependsOn: string[];
  descriptorVersion: string | null;
  position: number;
  /** Whether access to it can be granted; absent means no. */
  consumable?: boolean;
  /**
   * A deployed subcomponent that the new descriptor no longer has there; it is removed when its owner is deployed.
   */
  dropped?: true;
  /** All access to it is revoked when the task succeeds. */
  closed?: true;
}

export interface Info {
  publicInfo?: unknown;
  privateInfo?: unknown;
  [key: string]: unknown;
}

/** The last operation of a component, in the shape that adapters receive. */
export interface LastOperation {
  operation: "Deploy" | "Undeploy";
  status: "NotStarted" | "Failed" | "Successful";
}

/** The input of a plan; written once, at its start. */
export interface PlanRequest {
  /** The unit's descriptor as accepted; null for a plan without one. */
  descriptor: { components?: unknown; [key: string]: unknown } | null;
  operations: unknown[];
  removeData: boolean;
  /** Per component key: what its adapter returned before this plan. */
  enrichment: Record<string, { info: Info | null; lastOperation: LastOperation | null }>;
  /** Per component key: the policy that guards its data contract, where its adapter has one. */
  guardians?: Record<string, string>;
}

/** Further input of a task. */
export interface TaskDetails {
  /** The complete body of the call, when it is not made from the unit's descriptor. */
  body?: string;
  /** The adapter offers POST /v2/validate. */
  asyncValidation?: boolean;
  /** The component had never been deployed when the plan was made. */
  neverDeployed?: true;
  /** False: a failure is a warning, and the plan goes on. */
  isBlocking?: boolean;
}

export interface PlanRow extends RequestOrigin {
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
  /** Why it is terminated, where nobody has asked for that. */
  terminateReason: string | null;
  /** Why a worker could not go on; its progress are the tasks that had ended. It stays when another worker goes on with the plan. */
  lastError: LastError | null;
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
  /** Address of the adapter's enabled registration at the last lookup. */
  registeredUrl?: string | null;
  snapshot: Snapshot | null;
  details: TaskDetails | null;
  idempotencyKey: string;
  attempts: number;
  /** A call of this task may have reached the adapter; true also while that is unknown. */
  mayHaveActed: boolean;
  token: string | null;
  result: string | null;
  info: Info | null;
  startedAt: Date | null;
}

/** The row of a task of a new plan. */
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

/** A stored component entry of an operation. */
export interface OperationEntry {
  componentId: string;
  provisioningAction: string;
  /**
   * The task that carries it out; for a subcomponent without a call of its own, that of its owner. Absent for
   * NONE.
   */
  taskId?: string;
}

/** Why a plan or task waits, for users. */
export interface Waiting {
  reason: string;
  since: string;
  nextAttemptAt?: string;
  attempts?: number;
  /** What happens next, as a sentence. */
  next?: string;
  /** Position in its queue, from 1. */
  position?: number;
  /** The plan at the head of that queue. */
  waitsForPlan?: string;
  /** Some of the tasks that have to end first. */
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
  /** Part of the adapter's work, in the adapter's words. */
  adapterPhase?: string;
}
