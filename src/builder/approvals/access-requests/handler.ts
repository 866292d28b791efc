/**
 * What the end of an `accessRequest` action does to its request. A worker carries the callback out, and is
 * notified when the transaction commits.
 */
import { writeAudit } from "../../context.ts";
import type { Db } from "../../../platform/db/database.ts";
import type { ActionHandler, HookContext } from "../handlers.ts";
import { changeStatus, findByAction, notifyAccessWorkers } from "./store.ts";

export const accessRequestHandler: ActionHandler = {
  async approved(ctx, tx, actionId) {
    const id = await findByAction(tx, actionId);
    if (id !== null) await approve(ctx, tx, { id, from: "PENDING", message: null });
  },
  async refused(ctx, tx, { actionId, status, reason }) {
    const id = await findByAction(tx, actionId);
    if (id === null) return;
    const at = ctx.now();
    const change = { from: ["PENDING"], to: status, message: reason, at, nextLookAt: null } as const;
    if (!(await changeStatus(tx, id, { ...change, by: ctx.actor.ref }))) return;
    const subject = `access-request:${id}`;
    await writeAudit(tx, ctx, { operation: "refuseAccessRequest", subject, detail: { status, reason } });
  },
};

export interface Approval {
  id: string;
  from: "PENDING" | "FAILED";
  message: string | null;
}

/** Hands the request to the workers. */
export async function approve(ctx: HookContext, tx: Db, { id, from, message }: Approval): Promise<boolean> {
  const at = ctx.now();
  const change = { from: [from], to: "APPROVED", message, by: ctx.actor.ref, at, nextLookAt: at } as const;
  if (!(await changeStatus(tx, id, change))) return false;
  await notifyAccessWorkers(tx);
  const subject = `access-request:${id}`;
  const operation = from === "PENDING" ? "approveAccessRequest" : "retryAccessRequest";
  await writeAudit(tx, ctx, { operation, subject });
  return true;
}
