/** What the decision about an approval does to the plan that waits for it; in the transaction that decides. */
import { appendEvents } from "../../../platform/events/events.ts";
import type { Db } from "../../../platform/db/database.ts";
import type { RequestContext } from "../../../platform/lib/request-context.ts";
import type { Jobs } from "../../../platform/jobs/jobs.ts";
import { logEvent, planStream } from "../../execution/plan-events.ts";
import { planQueue, type LogLine } from "../../execution/types.ts";
import { requestTermination } from "../../plans/termination-store.ts";
import type { ApprovalDecision, OpenApproval } from "../../ports.ts";
import { holdPlan } from "../../windows/hold-store.ts";
import { holdOf } from "../../windows/gate.ts";
import { readPlanGate } from "../../windows/store.ts";
import { closedAt } from "../../windows/window.ts";
import { awaitApproval, endApproval, lockWithFurther } from "../../execution/approval-store.ts";

export async function decideApproval(
  ctx: RequestContext,
  { tx, jobs, openApproval }: { tx: Db; jobs: Pick<Jobs, "send">; openApproval?: OpenApproval | undefined },
  { actionId, status, reason }: ApprovalDecision,
): Promise<void> {
  if (status === "APPROVED" && (await askFurther(ctx, { tx, openApproval }, actionId))) return;
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
  else await requestTermination(tx, planId, { mode: "safe", at, why: message });
}

/** Asks the people of the next rule, as whoever started the plan. False where nobody else is to be asked. */
async function askFurther(
  ctx: RequestContext,
  { tx, openApproval }: { tx: Db; openApproval: OpenApproval | undefined },
  actionId: string,
): Promise<boolean> {
  const plan = await lockWithFurther(tx, actionId);
  const [next, ...further] = plan?.approval.further ?? [];
  if (plan === null || next === undefined) return false;
  if (openApproval === undefined) throw new Error("The process has no approvals.");
  const { planId, originator, approval } = plan;
  const requester = { ref: originator, roles: [], provider: "plan" };
  const fields = { ...approval.fields, rule: next.rule };
  const wanted = { approvers: next.approvers, fields };
  const opened = await openApproval({ ...ctx, actor: requester }, tx, wanted);
  // By now the configuration approves without anybody.
  if (opened.isApproved) return false;
  const at = ctx.now();
  const { rule, approvers, earlier = [], planHash } = approval;
  const given = { rule, approvers, decidedBy: ctx.actor.ref, decidedAt: at.toISOString() };
  await awaitApproval(tx, planId, {
    ...next,
    actionId: opened.actionId,
    since: at.toISOString(),
    expiresAt: opened.expiresAt?.toISOString() ?? null,
    planHash,
    ...(further.length > 0 ? { further, fields } : {}),
    earlier: [given, ...earlier],
  });
  const message = `${ctx.actor.ref} approved the plan by the rule "${rule}"; the rule "${next.rule}" asks further.`;
  await appendEvents(tx, planStream(planId), [logEvent(lineOf(at, true, message))]);
  return true;
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
