/** Rows of plans that are resumed. */
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { UnitKey } from "../units/store.ts";
import type { PlanRequest, PlanStatus, TaskAction, OperationEntry } from "../execution/types.ts";
import type { OriginTask } from "./acceptance/resumed-tasks.ts";

export interface Origin {
  id: string;
  kind: string;
  status: PlanStatus;
  unitKey: string | null;
  unitId: string | null;
  environment: string;
  action: TaskAction;
  request: PlanRequest;
  descriptorVersion: string | null;
  components: OperationEntry[] | null;
}

export async function readOrigin(db: Db, planId: string): Promise<Origin | null> {
  const { rows } =
    await sql<Origin>`select p.id, p.kind, p.status, p.unit_key as "unitKey", p.unit_id as "unitId",
      p.environment, p.action, p.request, p.descriptor_version as "descriptorVersion", o.components
    from execution_plans p left join operations o on o.plan_id = p.id where p.id = ${planId}`.execute(db);
  return rows[0] ?? null;
}

/** Whether the plan `p` was accepted after the other one, whatever the clocks of their processes say. */
const isLaterThan = (origin: Origin) =>
  sql`(p.accepted_number, p.created_at) >= (select e.accepted_number, e.created_at from execution_plans e
    where e.id = ${origin.id})`;

/** A later plan that changed the unit: it completed, or started a task that changes components. */
export async function findLaterChange(db: Db, at: UnitKey, origin: Origin): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`select p.id from execution_plans p
    where p.unit_key = ${at.unitKey} and p.environment = ${at.environment} and p.id <> ${origin.id}
      and p.kind = 'PROVISIONING' and ${isLaterThan(origin)}
      and (p.status = 'COMPLETED' or exists (select 1 from plan_tasks t
        where t.plan_id = p.id and t.stage >= 1 and t.started_at is not null))
    order by p.accepted_number desc, p.created_at desc limit 1`.execute(db);
  return rows[0]?.id ?? null;
}

/** The outcome of the task `t` was unknown, and was settled since as the one that it aimed at. */
const isSettledAsDone = sql`exists (select 1 from unknown_outcomes u
  where u.plan_id = t.plan_id and u.task_id = t.task_id and u.outcome = case t.action
    when 'PROVISION' then 'DEPLOYED' when 'UNPROVISION' then 'NOT_DEPLOYED' when 'UPDATE_ACL' then 'APPLIED' end)`;

/**
 * A later change of access to a component that the plan has still to deploy as not consumable: the plan has
 * no task that revokes it.
 */
export async function findLaterAccess(db: Db, at: UnitKey, origin: Origin): Promise<string | null> {
  const { rows } = await sql<{
    id: string;
  }>`select p.id from acl_requests r join execution_plans p on p.id = r.plan_id
    where r.unit_key = ${at.unitKey} and r.environment = ${at.environment} and ${isLaterThan(origin)}
      and r.component_key in (select m.key from plan_tasks t,
          json_to_recordset(t.snapshot -> 'members') as m(key text, consumable boolean)
        where t.plan_id = ${origin.id} and t.action = 'PROVISION' and t.status <> 'COMPLETED'
          and not ${isSettledAsDone} and m.consumable is not true)
    order by p.accepted_number desc, p.created_at desc limit 1`.execute(db);
  return rows[0]?.id ?? null;
}

/** All tasks of the plan; without the snapshots of those that have completed. */
export async function readOriginTasks(db: Db, { id, environment }: Origin): Promise<OriginTask[]> {
  const { rows } =
    await sql<OriginTask>`select t.task_id, t.stage, t.action, t.component_key, t.component_id, t.component_name,
      t.depends_on, t.adapter_id, t.adapter_url, case when t.status <> 'COMPLETED' then t.snapshot end as snapshot,
      t.details, d.url as registered_url, t.status = 'COMPLETED' as completed,
      ${isSettledAsDone} as settled_as_done
    from plan_tasks t left join adapter_deployments d on d.adapter_id = t.adapter_id
      and d.environment = ${environment} and d.enabled
    where t.plan_id = ${id} order by t.position`.execute(db);
  return rows;
}

/** Ids of the services that the plan, or one that it had resumed, has notified. */
export async function readNotified(db: Db, planId: string): Promise<Set<string | null>> {
  const { rows } = await sql<{ id: string | null }>`with recursive chain as (
      select p.id, p.origin_plan from execution_plans p where p.id = ${planId}
      union select p.id, p.origin_plan from execution_plans p join chain c on p.id = c.origin_plan
    )
    select distinct t.adapter_id as id from chain c join plan_tasks t on t.plan_id = c.id
    where t.action in ('PUBLISH', 'UNPUBLISH') and t.status = 'COMPLETED'`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

export async function nameOrigin(db: Db, planId: string, { id }: Origin): Promise<void> {
  await sql`update execution_plans set origin_plan = ${id} where id = ${planId}`.execute(db);
}

export interface EarlierOperation {
  id: string;
  unitKey: string;
  environment: string;
  status: string;
  request: PlanRequest;
}

export async function readOperation(db: Db, id: string): Promise<EarlierOperation | null> {
  const { rows } = await sql<EarlierOperation>`select o.id, o.unit_key as "unitKey", o.environment, o.status,
      p.request
    from operations o join execution_plans p on p.id = o.plan_id where o.id = ${id}`.execute(db);
  return rows[0] ?? null;
}
