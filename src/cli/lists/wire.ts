/** The fields of the entries of lists that the command line shows. */

export interface ListedUnit {
  deploymentUnitId: string;
  environment: string;
  owner: string | null;
  status: string;
  descriptorVersion: string;
  updatedAt: string;
}

export interface ListedOperation {
  operation: {
    operationId: string;
    provisioningAction: string;
    deploymentUnitId: string;
    environment: string;
    status: string;
    executionPlanId: string;
    startTime: string;
    stopTime: string | null;
    waiting?: { reason: string };
  };
  components: { operationStatus: string }[];
}

export interface ListedAdapter {
  id: string;
  version: string;
  name: string;
  deployments: { environments: { environment: string; enabled: boolean }[] };
}

export interface ListedEnvironment {
  name: string;
  deploymentUnits: number;
  activeOperations: number;
}

export interface ListedOutcome {
  planId: string;
  taskId: string;
  environment: string;
  state: string;
  since: string;
  next: string;
}

/** An entry of `GET /v1/waiting`. */
export interface WaitingItem {
  kind: string;
  id: string;
  title: string;
  since: string;
  expiresAt: string | null;
  path: string;
}

export interface PendingException {
  id: string;
  policyId: string;
  reason: string;
  requestedBy: string;
  requestedAt: string;
  until: string;
}
