/** Rows of access requests as callers see them. */
import type { HookRow } from "../store.ts";
import { waitingOf as hookWaiting } from "../view.ts";
import type { AccessRequest, AccessRequestSummary } from "./schema.ts";
import type { RequestRow, StatusEvent } from "./store.ts";

export const summaryOf = (row: RequestRow): AccessRequestSummary => ({
  id: row.id,
  operation: row.operation,
  status: row.status,
  deploymentUnitId: row.unitId,
  environment: row.environment,
  outputPorts: row.ports.map((port) => ({
    urn: port.urn,
    name: port.name,
    status: port.status,
    executionPlanId: port.planId,
    message: port.message,
    waiting: port.waiting,
    waitingSince: port.waitingSince,
  })),
  identities: row.identities,
  reason: row.reason,
  templateRef: row.templateRef,
  accessControlFields: row.fields,
  requester: row.requester,
  owners: row.owners,
  message: row.message,
  waiting: waitingOf(row),
  attempt: row.attempt,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
});

export const requestOf = (
  row: RequestRow,
  { hooks, history, now }: { hooks: readonly HookRow[]; history: readonly StatusEvent[]; now: Date },
): AccessRequest => ({
  ...summaryOf(row),
  hooks: hooks.map((hook) => ({
    hookId: hook.id,
    hookName: hook.name,
    kind: hook.kind,
    status: hook.status,
    expiresAt: hook.expiresAt.toISOString(),
    endedBy: hook.endedBy,
    reason: hook.reason,
    waiting: hookWaiting(hook, now),
  })),
  history: [...history],
});

function waitingOf(row: RequestRow): { reason: string; since: string } | null {
  switch (row.status) {
    case "PENDING": {
      const names = row.pendingHooks.join(", ");
      return { reason: `Waits for the hooks: ${names}.`, since: row.createdAt.toISOString() };
    }
    case "APPROVED":
      return { reason: "Waits for a worker.", since: (row.approvedAt ?? row.updatedAt).toISOString() };
    case "APPLYING": {
      const port = row.ports.find(({ status }) => status === "WAITING" || status === "APPLYING");
      const doing = port?.planId ? `Waits for the end of plan ${port.planId}.` : "Waits for a worker.";
      const since = port?.waitingSince ?? row.updatedAt.toISOString();
      return { reason: port?.waiting ?? doing, since };
    }
    default:
      return null;
  }
}
