/** Reads of execution plans for the outside: rows as the views need them. */
import { sql } from "kysely";
import { severityLevels, type Severity } from "../../platform/events/events.ts";
import type { Db } from "../../platform/db/database.ts";
import { planStream } from "../execution/plan-events.ts";
import type { PlanStatus, TaskAction, TaskStatus, Waiting } from "../execution/types.ts";

export interface PlanView {
  id: string;
  kind: string;
  unitId: string | null;
  environment: string;
  originator: string;
  action: string;
  status: PlanStatus;
  failure: string | null;
  descriptor: object | null;
  descriptorVersion: string | null;
  terminateMode: string | null;
  createdAt: Date;
  startedAt: Date | null;
  stoppedAt: Date | null;
}

export interface TaskView {
  taskId: string;
  stage: number;
  action: TaskAction;
  componentId: string | null;
  componentName: string | null;
  dependsOn: string[];
  status: TaskStatus;
  result: string | null;
  publicInfo: unknown;
  descriptor: object | null;
  token: boolean;
  attempts: number;
  waiting: Waiting | null;
  startedAt: Date | null;
  stoppedAt: Date | null;
}

export async function readPlan(db: Db, planId: string, withDescriptors: boolean): Promise<PlanView | null> {
  const { rows } = await sql<PlanView>`select id, kind, unit_id as "unitId", environment, originator, action,
      status, failure, case when ${withDescriptors} then request -> 'descriptor' end as descriptor,
      descriptor_version as "descriptorVersion", terminate_mode as "terminateMode",
      created_at as "createdAt", started_at as "startedAt", stopped_at as "stoppedAt"
    from execution_plans where id = ${planId}`.execute(db);
  return rows[0] ?? null;
}

export async function readTasks(db: Db, planId: string, withDescriptors: boolean): Promise<TaskView[]> {
  const { rows } =
    await sql<TaskView>`select task_id as "taskId", stage, action, component_id as "componentId",
      component_name as "componentName", depends_on as "dependsOn", status, result,
      info -> 'publicInfo' as "publicInfo", token is not null as token, attempts, waiting,
      case when ${withDescriptors} then snapshot #> '{members,0,descriptor}' end as descriptor,
      started_at as "startedAt", stopped_at as "stoppedAt"
    from plan_tasks where plan_id = ${planId} order by position`.execute(db);
  return rows;
}

export async function planExists(db: Db, planId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from execution_plans where id = ${planId}`.execute(db);
  return rows.length > 0;
}

/** Whether events can still come after that one; null when there is no such plan. */
export async function hasEventsAfter(db: Db, planId: string, after: number): Promise<boolean | null> {
  const { rows } = await sql<{ more: boolean }>`select status not in ('COMPLETED', 'FAILED', 'TERMINATED')
      or exists (select 1 from events where stream = ${planStream(planId)} and id > ${after}) as more
    from execution_plans where id = ${planId}`.execute(db);
  return rows[0]?.more ?? null;
}

export interface LogQuery {
  planId: string;
  /** Lines at or above it. */
  level: Severity;
  taskId: string | undefined;
}

/** The log of a plan as one JSON text, in the order of its writing. */
export async function readLogs(db: Db, query: LogQuery): Promise<string> {
  const { rows } = await sql<{ text: string }>`select coalesce(json_agg(data order by id), '[]')::text as text
    from events where stream = ${planStream(query.planId)} and type = 'log'
      and level >= ${severityLevels[query.level]}
      and (${query.taskId ?? null}::text is null or data ->> 'task' = ${query.taskId ?? null})`.execute(db);
  return rows[0]?.text ?? "[]";
}
