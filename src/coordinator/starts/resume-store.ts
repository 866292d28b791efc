/** Rows of plans that are resumed. */
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { UnitKey } from "../units/store.ts";
import type { PlanRequest, PlanStatus, TaskAction, OperationEntry } from "../execution/types.ts";

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
  createdAt: Date;
}

export async function readOrigin(db: Db, planId: string): Promise<Origin | null> {
  const { rows } =
    await sql<Origin>`select p.id, p.kind, p.status, p.unit_key as "unitKey", p.unit_id as "unitId",
      p.environment, p.action, p.request, p.descriptor_version as "descriptorVersion", o.components,
      p.created_at as "createdAt"
    from execution_plans p left join operations o on o.plan_id = p.id where p.id = ${planId}`.execute(db);
  return rows[0] ?? null;
}

/** A later plan that changed the unit: it completed, or started a task that changes components. */
export async function findLaterChange(db: Db, at: UnitKey, origin: Origin): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`select p.id from execution_plans p
    where p.unit_key = ${at.unitKey} and p.environment = ${at.environment} and p.id <> ${origin.id}
      and p.kind = 'PROVISIONING' and p.created_at >= ${origin.createdAt}
      and (p.status = 'COMPLETED' or exists (select 1 from plan_tasks t
        where t.plan_id = p.id and t.stage >= 1 and t.started_at is not null))
    order by p.created_at desc limit 1`.execute(db);
  return rows[0]?.id ?? null;
}

/**
 * A later change of access to a component that the plan has still to deploy as not consumable: the plan has
 * no task that revokes it.
 */
export async function findLaterAccess(db: Db, at: UnitKey, origin: Origin): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`select r.plan_id as id from acl_requests r
    where r.unit_key = ${at.unitKey} and r.environment = ${at.environment} and r.created_at >= ${origin.createdAt}
      and r.component_key in (select m.key from plan_tasks t,
          json_to_recordset(t.snapshot -> 'members') as m(key text, consumable boolean)
        where t.plan_id = ${origin.id} and t.action = 'PROVISION' and t.status <> 'COMPLETED'
          and m.consumable is not true)
    order by r.created_at desc limit 1`.execute(db);
  return rows[0]?.id ?? null;
}

export interface OpenTask {
  taskId: string;
  action: TaskAction;
  componentId: string | null;
  adapterId: string | null;
  hasAdapter: boolean;
}

/**
 * The tasks that a resumed plan runs: those that have not completed and, when one of them deploys, all that
 * check policies, because each plan has a verdict of its own.
 */
const isOpen = sql`(t.status <> 'COMPLETED' or t.action = 'POLICY_VALIDATE_COMPONENT' and exists (
  select 1 from plan_tasks o where o.plan_id = t.plan_id and o.action = 'PROVISION' and o.status <> 'COMPLETED'))`;

/**
 * The tasks that a resumed plan runs, each with whether its adapter is still enabled in the environment.
 */
export async function readOpenTasks(db: Db, origin: Origin): Promise<OpenTask[]> {
  const { rows } =
    await sql<OpenTask>`select t.task_id as "taskId", t.action, t.component_id as "componentId",
      t.adapter_id as "adapterId", d.adapter_id is not null as "hasAdapter"
    from plan_tasks t left join adapter_deployments d on d.adapter_id = t.adapter_id
      and d.environment = ${origin.environment} and d.enabled
    where t.plan_id = ${origin.id} and ${isOpen} order by t.position`.execute(db);
  return rows;
}

export async function hasTasks(db: Db, planId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from plan_tasks where plan_id = ${planId} limit 1`.execute(db);
  return rows.length > 0;
}

/** Columns that are reset in the copy of a task; all others are copied. */
const fresh = {
  status: "WAITING",
  intent_at: null,
  attempts: 0,
  may_have_acted: false,
  refused: false,
  unanswered: false,
  token: null,
  accepted_at: null,
  waiting: null,
  result: null,
  info: null,
  started_at: null,
  stopped_at: null,
};

/** Whether the component of the task may have been deployed by now. */
const hasRow = sql`exists (select 1 from execution_plans p join unit_components c on c.unit_key = p.unit_key
  and c.environment = p.environment where p.id = t.plan_id and c.component_key = t.component_key)`;

/** Gives the new plan a fresh copy of each task that it runs, at the address its adapter has now. */
export async function copyOpenTasks(db: Db, from: Origin, planId: string): Promise<void> {
  await sql`update execution_plans set origin_plan = ${from.id} where id = ${planId}`.execute(db);
  await sql`insert into plan_tasks select r.* from plan_tasks t
    left join adapter_deployments d on d.adapter_id = t.adapter_id and d.environment = ${from.environment}
      and d.enabled
    cross join lateral jsonb_populate_record(t, ${JSON.stringify(fresh)}::jsonb || jsonb_build_object(
      'plan_id', ${planId}::text, 'idempotency_key', ${`${planId}:`}::text || t.task_id,
      'adapter_url', coalesce(d.url, t.adapter_url),
      'details', case when ${hasRow} then nullif(t.details::jsonb - 'neverDeployed', '{}') else t.details::jsonb end,
      'depends_on', array(select b.task_id from plan_tasks b where b.plan_id = t.plan_id
        and b.task_id = any(t.depends_on) and b.status <> 'COMPLETED'))) r
    where t.plan_id = ${from.id} and ${isOpen}`.execute(db);
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
