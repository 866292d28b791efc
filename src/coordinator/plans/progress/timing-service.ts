/** Where the time of a plan goes, and how long the rest may take. */
import type { CoordinatorContext } from "../../context.ts";
import { unknownPlan } from "../../errors.ts";
import type { PlanTimingAnswer } from "./timing-schema.ts";
import { readPlanTimes, readTaskTimes, type PlanTimes } from "./timing-store.ts";
import { timingOf } from "./timing.ts";

export async function getPlanTiming(ctx: CoordinatorContext, token: string): Promise<PlanTimingAnswer> {
  const { db } = ctx.coordinator.database;
  const [plan, tasks] = await Promise.all([readPlanTimes(db, token), readTaskTimes(db, token)]);
  if (!plan) throw unknownPlan(token);
  const { statistics } = plan;
  const known = new Map(statistics.map((each) => [keyOf(each), each]));
  const now = ctx.now();
  const timing = timingOf(plan, tasks, { now, durationsOf: (task) => known.get(keyOf(task)) ?? null });
  const critical = new Set(timing.criticalPath.taskIds);
  const begun = plan.startedAt ?? plan.stoppedAt ?? now;
  return {
    executionPlanId: token,
    status: plan.status,
    asOf: now.toISOString(),
    createdAt: plan.createdAt.toISOString(),
    startedAt: plan.startedAt?.toISOString() ?? null,
    stoppedAt: plan.stoppedAt?.toISOString() ?? null,
    beforeStartMs: Math.max(0, begun.getTime() - plan.createdAt.getTime()),
    approvalMs: approvalMs(plan, now),
    tasks: tasks.map(({ id, action, componentId, adapterId, status }) => ({
      taskId: id,
      action,
      componentId,
      adapterId,
      status,
      isCritical: critical.has(id),
      split: timing.splits.get(id) ?? noTime,
      remaining: timing.open.get(id) ?? null,
    })),
    criticalPath: timing.criticalPath,
    remaining: timing.remaining,
    statistics,
  };
}

const keyOf = ({ adapterId, action }: { adapterId: string | null; action: string }): string =>
  JSON.stringify([adapterId, action]);

const noTime = { predecessorsMs: 0, queueMs: 0, retriesMs: 0, callMs: 0, pollMs: 0 };

function approvalMs({ approval, stoppedAt }: PlanTimes, now: Date): number {
  if (approval === null) return 0;
  const until = approval.decidedAt === undefined ? (stoppedAt ?? now) : new Date(approval.decidedAt);
  return Math.max(0, until.getTime() - new Date(approval.since).getTime());
}
