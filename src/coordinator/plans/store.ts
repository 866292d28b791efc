/** Reads execution plans for their views. */
import { isoTime } from "../../platform/db/iso-time.ts";
import { severityLevels, type Severity } from "../../platform/events/events.ts";
import type { Db } from "../../platform/db/database.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { planStream } from "../execution/plan-events.ts";
import type { LastError } from "../../platform/run-engine/last-error.ts";
import { plansBefore, repeatsBefore } from "../execution/store.ts";
import type { PlanApproval } from "../execution/approval-store.ts";
import type { Hold } from "../windows/hold-store.ts";
import type { SlotsState } from "../execution/slots.ts";
import type { PlanStatus, TaskAction, TaskStatus, Waiting } from "../execution/types.ts";

export interface PlanView {
  id: string;
  kind: string;
  unitId: string | null;
  environment: string;
  originator: string;
  action: TaskAction;
  status: PlanStatus;
  failure: string | null;
  descriptor: object | null;
  descriptorVersion: string | null;
  terminateMode: string | null;
  createdAt: Date;
  startedAt: Date | null;
  stoppedAt: Date | null;
  /** Queued behind other operations on its unit; has no tasks yet. */
  queued?: boolean;
  /** The plan that this one resumes. */
  originPlan?: string | null;
  /** Set for a plan that waits, or waited, for somebody's approval. */
  approvalStatus?: string | null;
  approval?: PlanApproval | null;
  /** Set while it waits for its environment to open. */
  hold?: Hold | null;
  situation?: Situation;
}

/** The position of a plan among others, and the state of its worker. */
export interface Situation {
  /**
   * For an operation that is queued on its unit, or waits for earlier changes of access. Behind nothing is the first of a free
   * unit, with why it can't begin yet where it has tried to.
   */
  line: { position: number; behind: string | null; lastError?: StartError | null } | null;
  /** A call of an earlier plan that is being made again; it waits for its end, at most until then. */
  repeat: { plan: string; until: string } | null;
  turnAt: Date | null;
  /** A worker has claimed it and sent a heartbeat within its lease. */
  isDriven: boolean;
  /** Why its last worker could not go on; null while one has it. */
  lastError?: LastError | null;
  slots: SlotsState | null;
}

/** Why a start whose turn has come can't begin yet. */
export interface StartError {
  reason: string;
  since: string;
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
  adapterUrl?: string | null;
  intentAt?: Date | null;
  startedAt: Date | null;
  stoppedAt: Date | null;
}

export async function readPlan(db: Db, planId: string, withDescriptors: boolean): Promise<PlanView | null> {
  const { rows } = await sql<PlanView & Situation>`select p.id, p.kind, p.unit_id as "unitId", p.environment,
      p.originator, p.action, p.status, p.failure,
      case when ${withDescriptors} then p.request -> 'descriptor' end as descriptor,
      p.descriptor_version as "descriptorVersion", p.terminate_mode as "terminateMode",
      p.created_at as "createdAt", p.started_at as "startedAt", p.stopped_at as "stoppedAt", p.queued,
      p.origin_plan as "originPlan", p.approval_status as "approvalStatus", p.approval, p.hold, p.turn_at as "turnAt", w.id is not null as "isDriven", w.slots,
      case when p.worker_id is null then p.last_error end as "lastError",
      ${lineOf} as line,
      case when p.started_at is null and not p.queued then ${repeatOf} end as repeat
    from execution_plans p left join workers w on w.id = p.worker_id
      and w.heartbeat_at > now() - make_interval(secs => w.lease_ms / 1000.0)
    where p.id = ${planId}`.execute(db);
  const row = rows[0];
  if (!row) return null;
  const { line, repeat, turnAt, isDriven, lastError, slots, ...plan } = row;
  return { ...plan, situation: { line, repeat, turnAt, isDriven, lastError, slots } };
}

/**
 * For a `from`: rows `q` of the unit's queue up to and including the plan; their count is the plan's
 * position.
 */
export const queueUpTo = (planId: Sql): Sql =>
  sql`queued_starts own join queued_starts q on q.unit_key = own.unit_key
    and q.environment = own.environment and q.number <= own.number where own.plan_id = ${planId}`;

/** Of the rows `before`, the plans that one waits for: the one that is named. */
export const firstOf = sql.raw("(array_agg(before.id order by before.id))[1]");

/** Position in the unit's queue or in the plan's lane; null for a plan that waits in neither. */
const lineOf = sql`case
  when p.queued then (select json_build_object('position', count(*), 'behind', coalesce(
      (select o.plan_id from operations o where o.unit_key = p.unit_key and o.environment = p.environment
        and o.status in ('SCHEDULED', 'RUNNING', 'TERMINATING') and not o.queued),
      nullif((array_agg(q.plan_id order by q.number))[1], p.id)),
      'lastError', (array_agg(q.last_error order by q.number desc))[1])
    from ${queueUpTo(sql`p.id`)})
  when p.started_at is null then (select case when count(*) > 0 then json_build_object(
      'position', count(*) + 1, 'behind', ${firstOf}) end
    from ${plansBefore} as before)
  end`;

const repeatOf = sql`(select json_build_object('plan', before.id, 'until', ${isoTime("before.until")})
  from ${repeatsBefore} as before order by before.until desc limit 1)`;

export async function readTasks(db: Db, planId: string, withDescriptors: boolean): Promise<TaskView[]> {
  const { rows } =
    await sql<TaskView>`select task_id as "taskId", stage, action, component_id as "componentId",
      component_name as "componentName", depends_on as "dependsOn", status, result,
      info -> 'publicInfo' as "publicInfo", token is not null as token, attempts, waiting,
      adapter_url as "adapterUrl", intent_at as "intentAt",
      case when ${withDescriptors} then snapshot #> '{members,0,descriptor}' end as descriptor,
      started_at as "startedAt", stopped_at as "stoppedAt"
    from plan_tasks where plan_id = ${planId} order by position`.execute(db);
  return rows;
}

export interface PlanListQuery {
  unitKey: string;
  environments: readonly string[];
  version: string | undefined;
  actions: readonly string[];
  withSnapshots: boolean;
  order: "asc" | "desc";
  offset: number;
  limit: number;
}

/** Ids of a unit's plans, and how many there are without the page. */
export async function listPlanIds(db: Db, query: PlanListQuery): Promise<{ ids: string[]; count: number }> {
  const { unitKey, environments, version, actions, withSnapshots, order, offset, limit } = query;
  const direction = sql.raw(order);
  const matching = sql`from execution_plans where unit_key = ${unitKey}
    and environment = any(${environments}::text[]) and action = any(${actions}::text[])
    and (${version ?? null}::text is null or descriptor_version = ${version ?? null})
    and (${withSnapshots} or coalesce(descriptor_version, '') !~* '[-.]snapshot([-.+]|$)')`;
  const { rows } = await sql<{ id: string }>`select id ${matching}
    order by created_at ${direction}, id ${direction} limit ${limit} offset ${offset}`.execute(db);
  const counted = await sql<{ count: number }>`select count(*) as count ${matching}`.execute(db);
  return { ids: rows.map((row) => row.id), count: counted.rows[0]?.count ?? 0 };
}

export async function planExists(db: Db, planId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from execution_plans where id = ${planId}`.execute(db);
  return rows.length > 0;
}

/** Whether there are, or may be, events after that one; null for an unknown plan. */
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
  /** Lines that were written after the one with this id. */
  after: number;
  limit: number;
}

export interface LogPage {
  /** JSON text of the lines, in the order of their writing. */
  text: string;
  /** Id of the last line when there are more. */
  next: number | null;
}

/** One page of the log of a plan. */
export async function readLogs(db: Db, query: LogQuery): Promise<LogPage> {
  const { rows } = await logPageSql(query).execute(db);
  return rows[0] ?? { text: "[]", next: null };
}

/**
 * Each level is one index scan in the order of writing, and the page merges these scans: a scan over all
 * levels would have to sort all lines of a long log for every page. Scans are bounded by pairs of level and
 * id, because with a plain equality the query planner may scan the lines of all levels and plans by id.
 */
export function logPageSql({ planId, level, taskId, after, limit }: LogQuery): Sql<LogPage> {
  const levels = Object.values(severityLevels).filter((each) => each >= severityLevels[level]);
  const ofTask = taskId === undefined ? sql`` : sql`and e.data ->> 'task' = ${taskId}`;
  return sql<LogPage>`with found as materialized (
      select line.id from unnest(${levels}::smallint[]) l(level) cross join lateral (
        select e.id from events e where e.stream = ${planStream(planId)} and e.type = 'log'
          and (e.level, e.id) > (l.level, ${after}::bigint) and (e.level, e.id) < ((l.level + 1)::smallint, 0::bigint)
          ${ofTask} order by e.level, e.id limit ${limit + 1}) line
      order by line.id limit ${limit + 1}
    ), page as materialized (select id from found order by id limit ${limit})
    select (select coalesce(json_agg(e.data order by e.id), '[]') from page join events e on e.id = page.id)::text
        as text,
      case when (select count(*) from found) > ${limit} then (select max(id) from page) end as next`;
}
