/** The fields of the server's responses that the command line uses. */

export interface PlannedChange {
  componentId: string;
  targetStatus: "DEPLOYED" | "NOT_DEPLOYED";
  action: "DEPLOY" | "REDEPLOY" | "UNDEPLOY" | "NONE";
  reason: string;
  additionalReasons: string[];
  dependencyOf: string[];
  dependantOn: string[];
}

export interface ProvisioningPlan {
  outcome: "OK" | "KO";
  operations: PlannedChange[];
  conflictingOperations: PlannedChange[];
  /** Why nothing begins in the environment now. */
  closed?: { reason: string };
  planHash?: string;
  /** What the policies say of the unit and its components. */
  policyResults?: { componentId: string; status: "COMPLETED" | "FAILED"; errors: ErrorObject }[];
}

export interface ErrorObject {
  errors: string[];
  code: string;
  userMessage: string;
  moreInfo: { problems: string[]; solutions: string[] };
}

export interface ValidationResult {
  results: {
    validationPhaseKind: string;
    /** YAML of the component, or of the whole unit. */
    validatedDescriptor?: string;
    status: string;
    errors: ErrorObject;
    warnings?: string[];
  }[];
}

/** What made a unit or a component CORRUPT. */
export interface StatusFailure {
  executionPlanId: string;
  operationId: string;
  taskId: string;
  action: string;
  componentId: string | null;
  message: string;
}

export interface UnitStatus {
  status: string;
  /** false: no operation was ever started on the unit there. */
  known?: boolean;
  failure?: StatusFailure;
  provisioningDetails: {
    descriptorVersion: string;
    provisioningInfo?: Record<string, unknown>;
    componentsStatus?: {
      componentId: string;
      descriptorVersion: string;
      status: string;
      failure?: StatusFailure;
    }[];
  };
}

export interface UnitList {
  data: { deploymentUnitId: string }[];
}

export interface OperationList {
  data: { operation: { operationId: string; executionPlanId: string; status: string } }[];
}

/** A node of the task graph of a plan's status. */
export interface TaskNode {
  id: string;
  displayName: string;
  status: string;
  startTime: string | null;
  stopTime: string | null;
  result: { message: string };
  waiting?: { reason: string; since: string; nextAttemptAt?: string; attempts?: number; next?: string };
  dependsOnTasks: TaskNode[];
}

export interface PlanStatus {
  environment: string;
  originatorUri: string;
  dag: TaskNode;
}

export interface LogEntry {
  timestamp: string;
  severity: string;
  task: string | null;
  message: string;
  phase: string;
}

export interface TaskEvent {
  id: string;
  status: string;
  action: string;
  componentId: string | null;
  startTime?: string;
  stopTime?: string;
  message?: string;
}

export interface PlanStateEvent {
  id: string;
  status: string;
  at: string;
  reason?: string;
}

export type PlanEvent =
  | { type: "task"; data: TaskEvent }
  | { type: "log"; data: LogEntry }
  | { type: "plan"; data: PlanStateEvent };

/** States that never change again. */
export const hasEnded = (status: string): boolean => /^(?:COMPLETED|FAILED|SKIPPED|TERMINATED)$/.test(status);

export interface HookDetails {
  hookId: string;
  hookName: string;
  actionName: string;
  kind: string;
  status: string;
  requester: string;
  reason: string | null;
  waiting: string | null;
  /** Of a single hook of the action deployment. */
  deployment?: AskedDeployment;
}

export interface AskedDeployment {
  deploymentUnitId: string;
  environment: string;
  planId: string;
  planHash: string;
  removeData: boolean;
  rule: string;
  changes: { componentId: string; action: string; reason: string }[];
  changeCount: number;
  policyResults?: { componentId: string; status: string; problems: string[] }[];
}

export interface AccessRequest {
  id: string;
  operation: "GRANT" | "REVOKE";
  status: string;
  environment: string;
  requester: string;
  identities: string[];
  message: string | null;
  waiting: { reason: string; since: string } | null;
  endedAt: string | null;
  outputPorts: { urn: string; status: string; message: string | null }[];
  /** Not in a list. */
  hooks?: {
    hookId: string;
    hookName: string;
    kind: string;
    status: string;
    reason: string | null;
    waiting: string | null;
  }[];
}
