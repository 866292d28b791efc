/** Approvals of deployments: the plan that waits for one belongs to the coordinator. */
import type { Db } from "../../platform/db/database.ts";
import type { DecideApproval } from "../ports.ts";
import type { ActionHandler, HookContext } from "./handlers.ts";
import { openAction } from "./service.ts";
import { endAction, lockAction, readHooksOf } from "./store.ts";

export const deploymentHandler = (decide: DecideApproval): ActionHandler => ({
  approved: (ctx, tx, actionId) => decide(ctx, tx, { actionId, status: "APPROVED", reason: null }),
  refused: (ctx, tx, refused) => decide(ctx, tx, refused),
});

export interface WantedApproval {
  approvers: readonly string[];
  fields: object;
}

export async function openDeploymentApproval(
  ctx: HookContext,
  tx: Db,
  { approvers, fields }: WantedApproval,
): Promise<{ actionId: string; isApproved: boolean; expiresAt: Date | null }> {
  const shown = { ...fields, requester: ctx.actor.ref };
  const opened = await openAction(ctx, tx, { name: "deployment", owners: approvers, fields: shown });
  const hooks = await readHooksOf(tx, opened.actionId);
  const first = hooks.map(({ expiresAt }) => expiresAt).toSorted((a, b) => a.getTime() - b.getTime())[0];
  return { ...opened, expiresAt: first ?? null };
}

/** For a plan that has ended while it waited: nobody is asked any more. */
export async function closeDeploymentApproval(
  ctx: Pick<HookContext, "now">,
  tx: Db,
  { actionId, reason }: { actionId: string; reason: string },
): Promise<void> {
  if ((await lockAction(tx, actionId)) === "PENDING")
    await endAction(tx, { actionId, status: "REJECTED", reason, at: ctx.now() });
}
