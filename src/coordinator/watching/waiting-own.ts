/** What waits for somebody in the coordinator itself: failed operations, held plans and unknown outcomes. */
import { isAllowed, isOperator } from "../../platform/auth/policy.ts";
import type { CoordinatorContext } from "../context.ts";
import type { WaitingItem, WaitingPage } from "../ports.ts";
import { listHeld, type HeldPlan } from "../windows/hold-store.ts";
import type { OutcomeRow } from "./outcomes/entry.ts";
import { listOpenOutcomes } from "./outcomes/store.ts";
import { listFailedOperations, type FailedOperation } from "./waiting-store.ts";

/** Operators see those of all users. */
const originatorOf = ({ actor }: CoordinatorContext): string | null => (isOperator(actor) ? null : actor.ref);

export async function ownFailures(ctx: CoordinatorContext, page: WaitingPage): Promise<WaitingItem[]> {
  const query = { originator: originatorOf(ctx), ...page };
  return (await listFailedOperations(ctx.coordinator.database.db, query)).map(failedItem);
}

export async function heldPlans(ctx: CoordinatorContext, page: WaitingPage): Promise<WaitingItem[]> {
  const query = { originator: originatorOf(ctx), ...page };
  const { longestHoldMs } = ctx.coordinator.settings;
  return (await listHeld(ctx.coordinator.database.db, query)).map((row) => heldItem(row, longestHoldMs));
}

/** For those who may settle them. */
export async function openOutcomes(ctx: CoordinatorContext, page: WaitingPage): Promise<WaitingItem[]> {
  if (!isAllowed(ctx.actor, "settleUnknownOutcome")) return [];
  return (await listOpenOutcomes(ctx.coordinator.database.db, page)).map(outcomeItem);
}

const statusPath = (planId: string): string =>
  `/api/coordinator/v1/execution-plans/${encodeURIComponent(planId)}/status`;

const verbOf = (action: string): string =>
  action === "UNDEPLOY" || action === "UNPROVISION" ? "Undeploying" : "Deploying";

const heldItem = (
  { planId, unitId, environment, action, originator, hold }: HeldPlan,
  longestHoldMs: number,
): WaitingItem => {
  const since = new Date(hold.since);
  const until = hold.until === null ? "" : ` It is expected to open at ${hold.until}.`;
  return {
    kind: "HELD_PLAN",
    id: planId,
    subject: "HELD_PLAN",
    title: `${verbOf(action)} ${unitId ?? ""} in ${environment} waits. ${hold.reason}`,
    reason: `${hold.reason}${until}`,
    since,
    expiresAt: new Date(since.getTime() + longestHoldMs),
    atDeadline: "The plan ends without having begun.",
    environment,
    deploymentUnitId: unitId,
    requester: originator,
    whoMayAct: { refs: [], operators: true, rule: null },
    link: { planId },
    path: statusPath(planId),
  };
};

const failedItem = (row: FailedOperation): WaitingItem => ({
  kind: "FAILED_OPERATION",
  id: row.planId,
  subject: "FAILED_OPERATION",
  title: `${verbOf(row.action)} ${row.unitId} in ${row.environment} failed. ${row.failure ?? ""}`.trim(),
  reason: "The unit stays as the plan has left it until it is resumed, rolled back or deployed again.",
  since: row.stoppedAt,
  expiresAt: null,
  atDeadline: null,
  environment: row.environment,
  deploymentUnitId: row.unitId,
  requester: row.originator,
  whoMayAct: { refs: [row.originator], operators: true, rule: null },
  link: { planId: row.planId },
  path: statusPath(row.planId),
});

function outcomeItem(row: OutcomeRow): WaitingItem {
  const { planId, taskId, unitId, componentId, environment, since, nextRetryAt, retryEnded } = row;
  const what = componentId ?? unitId ?? taskId;
  const next =
    nextRetryAt === null ? (retryEnded ?? "") : `It is asked again at ${nextRetryAt.toISOString()}.`;
  return {
    kind: "UNKNOWN_OUTCOME",
    id: `${planId}/${taskId}`,
    subject: "UNKNOWN_OUTCOME",
    title: `It is not known how ${row.action} of ${what} in ${environment} ended.`,
    reason: `Its adapter may have acted without saying so. ${next}`.trim(),
    since,
    expiresAt: null,
    atDeadline: null,
    environment,
    deploymentUnitId: unitId,
    requester: null,
    whoMayAct: { refs: [], operators: true, rule: null },
    link: { planId, taskId },
    path: `/api/coordinator/v1/unknown-outcomes?environment=${encodeURIComponent(environment)}${
      unitId === null ? "" : `&deployment-unit-id=${encodeURIComponent(unitId)}`
    }`,
  };
}
