/** Reads the times of a plan's tasks, and what earlier tasks of its adapters took. */
import type { Db } from "../../../platform/db/database.ts";
import { sql, type Sql } from "../../../platform/db/sql.ts";
import type { PlanApproval } from "../../execution/approval-store.ts";
import type { TaskTimes } from "./timing.ts";

export interface PlanTimes {
  status: string;
  createdAt: Date;
  startedAt: Date | null;
  stoppedAt: Date | null;
  approval: PlanApproval | null;
  statistics: ActionDurations[];
}

export async function readPlanTimes(db: Db, planId: string): Promise<PlanTimes | null> {
  const { rows } = await sql<PlanTimes>`select status, created_at as "createdAt", started_at as "startedAt",
      stopped_at as "stoppedAt", approval, coalesce((select json_agg(d) from (${durationsSql(planId)}) d), '[]') as statistics
    from execution_plans where id = ${planId}`.execute(db);
  return rows[0] ?? null;
}

export type TaskTimesRow = TaskTimes & { componentId: string | null };

export async function readTaskTimes(db: Db, planId: string): Promise<TaskTimesRow[]> {
  const { rows } = await sql<TaskTimesRow>`select task_id as id, stage, action, component_id as "componentId",
      adapter_id as "adapterId", depends_on as "dependsOn", status, attempts, started_at as "startedAt",
      intent_at as "intentAt", accepted_at as "acceptedAt", stopped_at as "stoppedAt"
    from plan_tasks where plan_id = ${planId} order by position`.execute(db);
  return rows;
}

/** Ended tasks of an adapter that are looked at: the last ones. */
export const maxSamples = 500;

export interface ActionDurations {
  /** Null for what calls no adapter. */
  adapterId: string | null;
  action: string;
  samples: number;
  medianMs: number;
  p90Ms: number;
}

const lastOf = (condition: Sql): Sql =>
  sql`select t.action, t.status, extract(epoch from t.stopped_at - t.started_at)::float8 * 1000 as ms
    from plan_tasks t where ${condition} and t.stopped_at is not null
    order by t.stopped_at desc limit ${maxSamples}`;

/** By adapter of the plan and action, what the last tasks took that completed. */
export const durationsSql = (planId: string): Sql<ActionDurations> =>
  sql<ActionDurations>`select k.adapter_id as "adapterId", e.action, count(*) as samples,
      percentile_cont(0.5) within group (order by e.ms) as "medianMs",
      percentile_cont(0.9) within group (order by e.ms) as "p90Ms"
    from (select adapter_id, array_agg(distinct action) as actions from plan_tasks where plan_id = ${planId}
      group by adapter_id) k
    cross join lateral (
      (${lastOf(sql`t.adapter_id = k.adapter_id`)})
      union all
      (${lastOf(sql`t.adapter_id is null and k.adapter_id is null`)})) e
    where e.status = 'COMPLETED' and e.ms is not null and e.action = any(k.actions)
    group by k.adapter_id, e.action order by k.adapter_id, e.action`;
