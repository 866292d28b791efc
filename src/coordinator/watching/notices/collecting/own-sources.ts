/** What of the coordinator waits for people: repairs of drift that ask, and unknown outcomes. And plans that have ended. */
import type { CoordinatorContext } from "../../../context.ts";
import type { NoticeItem, NoticeSource } from "../../../ports.ts";
import { askOwnership } from "../../../starts/ownership/check.ts";
import { listAsked, type ReconcileRow } from "../../reconcile/store.ts";
import { listOpenOutcomes, type EndedPlan, type OpenOutcome } from "./own-store.ts";

export const ownSources = (ctx: CoordinatorContext): NoticeSource[] => [
  {
    kinds: ["RECONCILE"],
    async list(limit) {
      const rows = await listAsked(ctx.coordinator.database.db, limit);
      return rows.map((row) => reconcileItem(ctx, row));
    },
  },
  {
    kinds: ["UNKNOWN_OUTCOME"],
    async list(limit) {
      return (await listOpenOutcomes(ctx.coordinator.database.db, limit)).map(outcomeItem);
    },
  },
];

const reconcileItem = (ctx: CoordinatorContext, row: ReconcileRow): NoticeItem => ({
  kind: "RECONCILE",
  id: row.id,
  title:
    `${row.unitId} in ${row.environment} has drifted. A plan would deploy ${row.components.length} of its components again. ${row.reason ?? ""}`.trim(),
  environment: row.environment,
  since: row.createdAt,
  expiresAt: row.expiresAt,
  path: `/api/coordinator/v1/reconciles/${row.id}`,
  deciders: () => ownersWhoMayStart(ctx, row),
  notTo: null,
  operatorsDecide: true,
  visibleTo: null,
});

/** By the same rules as when they do; operators are asked where no owner may. */
async function ownersWhoMayStart(
  ctx: CoordinatorContext,
  { unitId, environment }: ReconcileRow,
): Promise<string[]> {
  const question = { operations: ["start"], unitId, environment, descriptor: {} } as const;
  const may: string[] = [];
  for (const ref of (await askOwnership(ctx, question))?.owners ?? []) {
    const actor = { ref, roles: ["developer"] as const, provider: "notices" };
    const found = await askOwnership({ ...ctx, actor }, question);
    if (found !== null && found.answer.verdict !== "deny") may.push(ref);
  }
  return may;
}

const outcomeItem = (row: OpenOutcome): NoticeItem => ({
  kind: "UNKNOWN_OUTCOME",
  id: `${row.planId}/${row.taskId}`,
  title: `Nobody knows how ${row.action} of ${row.componentId ?? row.unitId ?? row.taskId} in ${row.environment} has ended.`,
  environment: row.environment,
  since: row.endedAt,
  expiresAt: null,
  path: `/api/coordinator/v1/unknown-outcomes/${encodeURIComponent(row.planId)}/${encodeURIComponent(row.taskId)}`,
  // Only operators settle them.
  deciders: async () => [],
  notTo: null,
  operatorsDecide: true,
  visibleTo: null,
});

export const endedItem = (plan: EndedPlan): NoticeItem => ({
  kind: plan.status === "FAILED" ? "PLAN_FAILED" : "PLAN_ENDED",
  id: plan.id,
  title:
    `${plan.action} of ${plan.unitId ?? "a unit"} in ${plan.environment} is ${plan.status}. ${plan.failure ?? ""}`.trim(),
  environment: plan.environment,
  since: plan.at,
  expiresAt: null,
  path: `/api/coordinator/v1/execution-plans/${encodeURIComponent(plan.id)}/status`,
  deciders: async () => [plan.originator],
  notTo: null,
  operatorsDecide: false,
  visibleTo: null,
});
