/** Opens the approval that a plan waits for. */
import type { Transaction } from "../../../platform/db/database.ts";
import type { CoordinatorContext } from "../../context.ts";
import type { PlannedChange } from "../../planning/model.ts";
import { awaitApproval } from "../../execution/approval-store.ts";
import type { NeededApproval } from "./check.ts";

export interface ApprovedPlan {
  planId: string;
  request: { unitId: string; environment: string; body?: { removeData: boolean } };
  approval: NeededApproval;
  shown: { hash: string; plan?: { operations: readonly PlannedChange[] } };
}

/** Maximum number of changes that the deciders are shown; the plan has all of them. */
const maxShown = 200;

/** False when the configuration approves it at once. */
export async function openApprovalOf(
  ctx: CoordinatorContext,
  tx: Transaction,
  { planId, request, approval, shown }: ApprovedPlan,
): Promise<boolean> {
  const { openApproval } = ctx.coordinator;
  if (openApproval === undefined) return false;
  const { rule, approvers, further, policyResults } = approval;
  const changes = shown.plan?.operations ?? [];
  const fields = {
    deploymentUnitId: request.unitId,
    environment: request.environment,
    planId,
    planHash: shown.hash,
    removeData: request.body?.removeData ?? false,
    rule,
    changes: changes
      .slice(0, maxShown)
      .map(({ componentId, action, reason }) => ({ componentId, action, reason })),
    changeCount: changes.length,
    ...(policyResults && { policyResults }),
  };
  const opened = await openApproval(ctx, tx, { approvers, fields });
  if (opened.isApproved) return false;
  await awaitApproval(tx, planId, {
    rule,
    approvers,
    actionId: opened.actionId,
    since: ctx.now().toISOString(),
    expiresAt: opened.expiresAt?.toISOString() ?? null,
    planHash: shown.hash,
    ...(further && { further, fields }),
  });
  return true;
}
