/** Lists what waits for the caller in all areas: hooks, approvals and failed operations. */
import { isOperator } from "../../platform/auth/policy.ts";
import type { CoordinatorContext } from "../context.ts";
import { reconcilesToDecide } from "./reconcile/service.ts";
import { listHeld, type HeldPlan } from "../windows/hold-store.ts";
import type { WaitingItem } from "../ports.ts";
import type { WaitingList } from "./waiting-schema.ts";
import { listFailedOperations, type FailedOperation } from "./waiting-store.ts";

const longestList = 100;

export async function listWaiting(ctx: CoordinatorContext, asked: number): Promise<WaitingList> {
  const limit = Math.min(asked, longestList);
  const { waiting = [] } = ctx.coordinator;
  const found = await Promise.all([
    ownFailures(ctx, limit + 1),
    heldPlans(ctx, limit + 1),
    reconcilesToDecide(ctx, limit + 1),
    ...waiting.map((list) => list(ctx, limit + 1)),
  ]);
  const items = found.flat().sort((a, b) => a.since.getTime() - b.since.getTime());
  return {
    data: items.slice(0, limit).map(({ since, expiresAt, ...item }) => ({
      ...item,
      since: since.toISOString(),
      expiresAt: expiresAt?.toISOString() ?? null,
    })),
    meta: { pagination: { limit, more: items.length > limit } },
  };
}

async function ownFailures(ctx: CoordinatorContext, limit: number): Promise<WaitingItem[]> {
  // Operators see the failed operations of all users.
  const originator = isOperator(ctx.actor) ? null : ctx.actor.ref;
  const rows = await listFailedOperations(ctx.coordinator.database.db, { originator, limit });
  return rows.map(failedItem);
}

async function heldPlans(ctx: CoordinatorContext, limit: number): Promise<WaitingItem[]> {
  const originator = isOperator(ctx.actor) ? null : ctx.actor.ref;
  const rows = await listHeld(ctx.coordinator.database.db, { originator, limit });
  return rows.map(heldItem);
}

const heldItem = ({ planId, unitId, environment, action, hold }: HeldPlan): WaitingItem => ({
  kind: "HELD_PLAN",
  id: planId,
  title: `${verbOf(action)} ${unitId ?? ""} in ${environment} waits. ${hold.reason}`,
  since: new Date(hold.since),
  expiresAt: null,
  path: `/api/coordinator/v1/execution-plans/${encodeURIComponent(planId)}/status`,
});

const verbOf = (action: string): string =>
  action === "UNDEPLOY" || action === "UNPROVISION" ? "Undeploying" : "Deploying";

const failedItem = ({ planId, unitId, environment, ...row }: FailedOperation): WaitingItem => ({
  kind: "FAILED_OPERATION",
  id: planId,
  title: `${verbOf(row.action)} ${unitId} in ${environment} failed. ${row.failure ?? ""}`.trim(),
  since: row.stoppedAt,
  expiresAt: null,
  path: `/api/coordinator/v1/execution-plans/${encodeURIComponent(planId)}/status`,
});
