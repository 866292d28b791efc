/** Rows of an accepted plan of any kind. A worker gets it from the job queue, or finds it in its sweep. */
import type { Db } from "../../platform/db/database.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import type { RequestOrigin } from "../../platform/lib/request-lines.ts";
import { appendEvents } from "../../platform/events/events.ts";
import { planEvent, planStream } from "./plan-events.ts";
import type { NewTask, OperationEntry, TaskAction } from "./types.ts";

export interface NewPlanRow {
  id: string;
  kind: "PROVISIONING" | "VALIDATION" | "ACCESS" | "REVERSE_PROVISIONING";
  unitKey: string | null;
  unitId: string | null;
  environment: string;
  action: TaskAction;
  originator: string;
  request: object;
  descriptorVersion: string;
  traceparent: string;
  origin: RequestOrigin;
  now: Date;
  deadlineAt: Date;
  /** Plans of one lane run one after the other. The caller holds a lock that orders the lane. */
  lane?: string;
  /** Set for a plan that has failed before it starts: the reason. */
  failure?: string;
}

/** Inserts the plan in one statement; `parts` are further inserts or updates of the same statement. */
export async function insertPlanRows(
  db: Db,
  plan: NewPlanRow,
  { tasks, parts = [] }: { tasks: NewTask[]; parts?: Sql[] },
): Promise<void> {
  const failure = plan.failure ?? null;
  const own = sql`insert into execution_plans (id, kind, unit_key, unit_id, environment, action, status, originator,
      request, descriptor_version, traceparent, created_at, deadline_at, failure, stopped_at,
      http_request_id, client_address, lane, lane_seq)
    values (${plan.id}, ${plan.kind}, ${plan.unitKey}, ${plan.unitId}, ${plan.environment}, ${plan.action},
      ${failure === null ? "WAITING" : "FAILED"}, ${plan.originator}, ${JSON.stringify(plan.request)}::json,
      ${plan.descriptorVersion}, ${plan.traceparent}, ${plan.now}, ${plan.deadlineAt}, ${failure},
      ${failure === null ? null : plan.now}, ${plan.origin.httpRequestId}, ${plan.origin.clientAddress},
      ${plan.lane ?? null},
      ${plan.lane === undefined ? null : sql`nextval('execution_plan_lanes')`})`;
  const others = tasks.length === 0 ? parts : [taskInsert(plan.id, tasks), ...parts];
  const first = others.map((part, n) => sql`${sql.ref(`part${n}`)} as (${part})`);
  await (first.length === 0 ? own : sql`with ${sql.join(first)} ${own}`).execute(db);
  if (failure !== null) {
    await appendEvents(db, planStream(plan.id), [planEvent(plan.now, plan.id, "FAILED", failure)]);
  }
}

export interface NewPlan extends NewPlanRow {
  unitKey: string;
  unitId: string;
  operationAction: "DEPLOY" | "UNDEPLOY";
  components: OperationEntry[];
}

/**
 * Inserts the plan, its tasks, operation and audit row; a unique index refuses a second active operation on
 * the unit.
 */
export async function insertPlan(
  db: Db,
  plan: NewPlan,
  { tasks, audit }: { tasks: NewTask[]; audit: Sql },
): Promise<void> {
  const operation = sql`insert into operations (id, plan_id, unit_key, unit_id, environment, action,
      descriptor_version, status, originator, components, start_time)
    values (${plan.id}, ${plan.id}, ${plan.unitKey}, ${plan.unitId}, ${plan.environment},
      ${plan.operationAction}, ${plan.descriptorVersion}, 'SCHEDULED', ${plan.originator},
      ${JSON.stringify(plan.components)}::json, ${plan.now})`;
  const unit = sql`update units set last_plan_id = ${plan.id}, last_plan_status = 'WAITING',
      unit_id = ${plan.unitId}, updated_at = ${plan.now}
    where unit_key = ${plan.unitKey} and environment = ${plan.environment}`;
  await insertPlanRows(db, plan, { tasks, parts: [operation, unit, audit] });
}

export async function insertTasks(db: Db, planId: string, tasks: NewTask[]): Promise<void> {
  if (tasks.length > 0) await taskInsert(planId, tasks).execute(db);
}

const taskInsert = (planId: string, tasks: NewTask[]): Sql =>
  sql`insert into plan_tasks (plan_id, task_id, position, stage, action, component_key, component_id,
      component_name, depends_on, status, adapter_id, adapter_url, snapshot, details, idempotency_key)
    select ${planId}, t.task_id, t.ordinality, t.stage, t.action, t.component_key, t.component_id,
      t.component_name, t.depends_on, 'WAITING', t.adapter_id,
      t.adapter_url, t.snapshot, t.details, t.idempotency_key
    from rows from (json_to_recordset(${JSON.stringify(tasks)}::json) as (task_id text, stage smallint,
      action text, component_key text, component_id text, component_name text, depends_on text[], adapter_id text,
      adapter_url text, snapshot json, details json, idempotency_key text)) with ordinality as
      t(task_id, stage, action, component_key, component_id, component_name, depends_on, adapter_id, adapter_url,
        snapshot, details, idempotency_key, ordinality)`;
