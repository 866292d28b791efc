/** What the decision about an approval does to the plan that waits for it; in the transaction that decides. */
import { appendEvents } from "../../../platform/events/events.ts";
import type { Db } from "../../../platform/db/database.ts";
import type { RequestContext } from "../../../platform/lib/request-context.ts";
import type { Jobs } from "../../../platform/jobs/jobs.ts";
import { logEvent, planStream } from "../../execution/plan-events.ts";
import { planQueue, type LogLine } from "../../execution/types.ts";
import { requestTermination } from "../../plans/termination-store.ts";
import type { ApprovalDecision } from "../../ports.ts";
import { holdPlan } from "../../windows/hold-store.ts";
import { holdOf } from "../../windows/gate.ts";
import { readPlanGate } from "../../windows/store.ts";
import { closedAt } from "../../windows/window.ts";
import { endApproval } from "../../execution/approval-store.ts";

export async function decideApproval(
  ctx: RequestContext,
  { tx, jobs }: { tx: Db; jobs: Pick<Jobs, "send"> },
  { actionId, status, reason }: ApprovalDecision,
): Promise<void> {
  const at = ctx.now();
  const by = ctx.actor.ref;
  const planId = await endApproval(tx, { actionId, status, by, reason, at });
  if (planId === null) return;
  const isApproved = status === "APPROVED";
  const message = isApproved
    ? `The plan was approved by ${by}.`
    : `The plan was not approved: ${reason ?? by}`;
  await appendEvents(tx, planStream(planId), [logEvent(lineOf(at, isApproved, message))]);
  if (isApproved) await begin(ctx, { tx, jobs }, planId);
  // A worker ends it, without having begun any of its tasks.
  else await requestTermination(tx, planId, { mode: "safe", at });
}

/** Unless its environment is closed by now: then it waits until that is open. */
async function begin(
  ctx: RequestContext,
  { tx, jobs }: { tx: Db; jobs: Pick<Jobs, "send"> },
  planId: string,
): Promise<void> {
  const plan = await readPlanGate(tx, planId);
  const closed = plan && !plan.overrides && closedAt(plan.windows, ctx.now());
  if (closed) await holdPlan(tx, planId, holdOf(closed, ctx.now()));
  if (!closed && !plan?.isHeld) await jobs.send(tx, planQueue, { planId });
}

const lineOf = (at: Date, isApproved: boolean, message: string): LogLine => ({
  at,
  severity: isApproved ? "INFO" : "ERROR",
  taskId: null,
  phase: "APPROVAL",
  message,
});
