/** Reads and settles the ledger of unknown outcomes; the engine adds to it when a plan ends. */
import type { Db } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";
import { isAfter, timeOrder, type TimePosition } from "../../../platform/db/time-position.ts";
import { withoutEffect } from "../../execution/end-store.ts";
import { componentStep } from "../../execution/group-store.ts";
import type { OutcomeRow } from "./entry.ts";

const columns = sql.raw(`plan_id as "planId", task_id as "taskId", unit_key as "unitKey", unit_id as "unitId",
  environment, action, component_key as "componentKey", component_id as "componentId", adapter_id as "adapterId",
  adapter_url as "adapterUrl", task_status as "taskStatus", token, idempotency_key as "idempotencyKey", traceparent,
  attempts, since, last_call_at as "lastCallAt", ended_at as "endedAt", last_answer as "lastAnswer", polls,
  last_poll_at as "lastPollAt", last_poll_answer as "lastPollAnswer", retries, next_retry_at as "nextRetryAt", retry_ended as "retryEnded", retry_waiting as "retryWaiting",
  "isRepeatable", coalesce(repeating_until > now(), false) as "isRepeating", settled_at as "settledAt",
  settled_by as "settledBy", outcome, reason`);

/** Entries of the ledger, each with whether its adapter declares that its call may be repeated. */
const ledger = sql`(select o.*, exists (select 1 from adapter_deployments d where d.adapter_id = o.adapter_id
    and d.environment = o.environment and d.enabled and d.url = o.adapter_url
    and d.properties ->> 'safeToRepeat' = 'true') as "isRepeatable" from unknown_outcomes o) o`;

/** Tasks of running plans, in the columns of the ledger. */
const live = sql`select p.id as plan_id, t.task_id, p.unit_key, p.unit_id, p.environment, t.action,
    t.component_key, t.component_id, t.adapter_id, t.adapter_url, t.status as task_status, t.token,
    t.idempotency_key, p.traceparent, t.attempts, coalesce(t.started_at, t.intent_at, p.created_at) as since,
    t.intent_at as last_call_at, null::timestamptz as ended_at,
    left(coalesce(t.result, t.waiting ->> 'reason'), 4000) as last_answer, 0 as polls,
    null::timestamptz as last_poll_at, null as last_poll_answer, 0 as retries, null::timestamptz as next_retry_at,
    null as retry_ended, null as retry_waiting, null::timestamptz as repeating_until, false as "isRepeatable", null::timestamptz as settled_at,
    null as settled_by, null as outcome, null as reason
  from execution_plans p join plan_tasks t on t.plan_id = p.id
  where p.status in ('WAITING', 'RUNNING', 'TERMINATING') and t.may_have_acted
    and t.status in ('RUNNING', 'TERMINATING', 'FAILED', 'TERMINATED') and t.action not in ${withoutEffect}`;

export interface OutcomeQuery {
  environment: string | undefined;
  unitKey: string | undefined;
  settled: boolean;
  limit: number;
  /** The last row of the page before. */
  after: { since: string; planId: string; taskId: string } | null;
}

/** The oldest first. */
export async function listOutcomes(db: Db, query: OutcomeQuery): Promise<OutcomeRow[]> {
  const { environment = null, unitKey = null, after } = query;
  const page = sql`(${environment}::text is null or environment = ${environment})
    and (${unitKey}::text is null or unit_key = ${unitKey})
    and (${after?.since ?? null}::timestamptz is null or (since, plan_id, task_id) >
      (${after?.since ?? null}::timestamptz, ${after?.planId ?? null}, ${after?.taskId ?? null}))
    order by since, plan_id, task_id limit ${query.limit}`;
  const stored = sql`select ${columns} from ${ledger}
    where settled_at is ${sql.raw(query.settled ? "not null" : "null")} and ${page}`;
  const { rows } = query.settled
    ? await sql<OutcomeRow>`${stored}`.execute(db)
    : await sql<OutcomeRow>`select * from ((${stored}) union all
        (select ${columns} from (${live}) l where ${page})) entries
        order by since, "planId", "taskId" limit ${query.limit}`.execute(db);
  return rows;
}

/** Those that wait for a settlement, the oldest first. */
export async function listOpenOutcomes(
  db: Db,
  { limit, after }: { limit: number; after: TimePosition | null },
): Promise<OutcomeRow[]> {
  const { rows } = await sql<OutcomeRow>`select ${columns} from ${ledger}
    where settled_at is null and ${isAfter("since", "plan_id || '/' || task_id", after)}
    order by ${timeOrder("since", "plan_id || '/' || task_id")} limit ${limit}`.execute(db);
  return rows;
}

/** An entry of the ledger, or a task of a running plan. */
export async function readOutcome(db: Db, planId: string, taskId: string): Promise<OutcomeRow | null> {
  const { rows } = await sql<OutcomeRow>`select ${columns} from ${ledger}
      where plan_id = ${planId} and task_id = ${taskId}
    union all select ${columns} from (${live} and p.id = ${planId} and t.task_id = ${taskId}) l`.execute(db);
  return rows[0] ?? null;
}

export async function lockOutcome(db: Db, planId: string, taskId: string): Promise<void> {
  await sql`select 1 from unknown_outcomes where plan_id = ${planId} and task_id = ${taskId} for update`.execute(
    db,
  );
}

export interface Settlement {
  planId: string;
  taskId: string;
  outcome: string;
  reason: string;
  by: string;
  at: Date;
}

export async function settleOutcome(db: Db, settlement: Settlement): Promise<void> {
  const { planId, taskId, outcome, reason, by, at } = settlement;
  await sql`update unknown_outcomes set settled_at = ${at}, settled_by = ${by}, outcome = ${outcome},
      reason = ${reason}
    where plan_id = ${planId} and task_id = ${taskId} and settled_at is null`.execute(db);
}

export interface PollNote {
  planId: string;
  taskId: string;
  answer: string;
  at: Date;
}

export async function notePoll(db: Db, { planId, taskId, answer, at }: PollNote): Promise<void> {
  await sql`update unknown_outcomes set polls = polls + 1, last_poll_at = ${at},
      last_poll_answer = left(${answer}, 4000)
    where plan_id = ${planId} and task_id = ${taskId}`.execute(db);
}

/** Whether another plan has changed the component, and not one that is known to be earlier. */
export async function isSuperseded(db: Db, row: OutcomeRow): Promise<boolean> {
  const { rows } = await sql`select 1 from unit_components c
    where c.unit_key = ${row.unitKey} and c.environment = ${row.environment}
      and c.component_key = ${row.componentKey} and c.plan_id <> ${row.planId}
      and not exists (select 1 from execution_plans p, execution_plans own where p.id = c.plan_id
        and own.id = ${row.planId}
        and (p.accepted_number, p.created_at) < (own.accepted_number, own.created_at))`.execute(db);
  return rows.length > 0;
}

export interface ComponentChange {
  status: string;
  lastOperation: object;
  /** Null keeps the stored info. */
  info: object | null;
  at: Date;
}

/** Writes the component as the entry's call had it, where the plan could not do so itself. */
async function writeComponent(db: Db, row: OutcomeRow, { status, lastOperation }: ComponentChange) {
  await sql<{ count: number }>`with changed as (
      select t.plan_id, t.component_key, t.snapshot, p.unit_key, p.environment, ${status}::text as component_status,
        null::json as component_info, ${JSON.stringify(lastOperation)}::json as last_operation
      from plan_tasks t join execution_plans p on p.id = t.plan_id
      where t.plan_id = ${row.planId} and t.task_id = ${row.taskId} and not exists (select 1 from unit_components c
        where c.unit_key = p.unit_key and c.environment = p.environment and c.component_key = t.component_key
          and c.plan_id = p.id)
    ), ${sql.raw(componentStep)} select count(*)::int as count from changed`.execute(db);
}

/**
 * Sets the component and the subcomponents that are in its call; those that the descriptor had no more are not deployed in
 * any case. Returns the keys of what is not deployed now.
 */
export async function setComponent(db: Db, row: OutcomeRow, change: ComponentChange): Promise<string[]> {
  await writeComponent(db, row, change);
  const info = change.info === null ? null : JSON.stringify(change.info);
  const dropped = sql`(select m.key from plan_tasks t,
      json_to_recordset(t.snapshot -> 'members') as m(key text, dropped boolean)
    where t.plan_id = ${row.planId} and t.task_id = ${row.taskId} and m.dropped)`;
  const { rows } = await sql<{ key: string; status: string }>`update unit_components
    set status = case when ${change.status} = 'DEPLOYED' and component_key in ${dropped} then 'NOT_DEPLOYED'
        else ${change.status} end,
      updated_at = ${change.at}, last_operation = ${JSON.stringify(change.lastOperation)}::json,
      info = case when component_key = ${row.componentKey} then coalesce(${info}::json, info) else info end
    where unit_key = ${row.unitKey} and environment = ${row.environment} and plan_id = ${row.planId}
      and (component_key = ${row.componentKey}
        or (parent_key = ${row.componentKey} and infrastructure_template_id is null))
    returning component_key as key, status`.execute(db);
  return rows.filter(({ status }) => status === "NOT_DEPLOYED").map(({ key }) => key);
}

export interface RetryQuery {
  at: Date;
  /** Between the end of the plan and the first retry. */
  firstDelayMs: number;
  limit: number;
}

/** The entry of a later change of access to the component is open: what is asked about this one brings nothing before that is settled. */
const hasLaterOpenChange = sql`exists (select 1 from unknown_outcomes l where l.unit_key = o.unit_key
  and l.environment = o.environment and l.component_key = o.component_key and l.plan_id <> o.plan_id
  and l.action = 'UPDATE_ACL' and l.settled_at is null and l.ended_at > o.ended_at)`;

/** Open entries whose adapter can be asked again by now, the oldest first; none whose call another process makes again just now. */
export async function findDueRetries(db: Db, { at, firstDelayMs, limit }: RetryQuery): Promise<OutcomeRow[]> {
  const { rows } = await sql<OutcomeRow>`select ${columns} from ${ledger}
    where settled_at is null and retry_ended is null and (token is not null or "isRepeatable")
      and (token is not null or action <> 'UPDATE_ACL' or not ${hasLaterOpenChange})
      and (repeating_until is null or repeating_until <= now())
      and coalesce(next_retry_at, ended_at + make_interval(secs => ${firstDelayMs / 1000})) <= ${at}
    order by since limit ${limit}`.execute(db);
  return rows;
}

export interface RetryTime {
  planId: string;
  taskId: string;
  /** Retries before this one. */
  retries: number;
  nextRetryAt: Date;
}

/** Counts the retry before it is made; false when another process was first. */
export async function claimRetry(db: Db, claim: RetryTime): Promise<boolean> {
  const { planId, taskId, retries, nextRetryAt } = claim;
  const { rows } =
    await sql`update unknown_outcomes set retries = retries + 1, next_retry_at = ${nextRetryAt},
      retry_waiting = null
    where plan_id = ${planId} and task_id = ${taskId} and retries = ${retries} and settled_at is null
    returning 1`.execute(db);
  return rows.length > 0;
}

/**
 * From now on no plan of the unit begins, until the call has been made again or the time is over; false when the retry is not the
 * caller's any more. A plan that begins before is seen by what is asked after this.
 */
export async function beginRepeat(db: Db, row: OutcomeRow, { made, limitMs }: Repeat): Promise<boolean> {
  const { rows } = await sql`update unknown_outcomes
    set repeating_until = now() + make_interval(secs => ${limitMs / 1000})
    where plan_id = ${row.planId} and task_id = ${row.taskId} and retries = ${made} and settled_at is null
    returning 1`.execute(db);
  return rows.length > 0;
}

export async function endRepeat(db: Db, row: OutcomeRow, made: number): Promise<void> {
  await sql`update unknown_outcomes set repeating_until = null
    where plan_id = ${row.planId} and task_id = ${row.taskId} and retries = ${made}`.execute(db);
}

export interface Repeat {
  /** Retries up to and with this one. */
  made: number;
  limitMs: number;
}

/** Puts off a retry that cannot be made now, without counting it. */
export async function postponeRetry(
  db: Db,
  { planId, taskId, retries, nextRetryAt }: RetryTime,
  why: string,
): Promise<void> {
  await sql`update unknown_outcomes set next_retry_at = ${nextRetryAt}, retry_waiting = ${why}
    where plan_id = ${planId} and task_id = ${taskId} and retries = ${retries} and settled_at is null
      and retry_ended is null`.execute(db);
}

/** The token that a repeated call has brought; later retries poll it. */
export async function storeToken(db: Db, row: OutcomeRow, token: string): Promise<void> {
  await sql`update unknown_outcomes set token = ${token}
    where plan_id = ${row.planId} and task_id = ${row.taskId} and settled_at is null`.execute(db);
}

/** The first reason stays. */
export async function endRetries(db: Db, row: OutcomeRow, why: string): Promise<void> {
  await sql`update unknown_outcomes set retry_ended = ${why}, retry_waiting = null, next_retry_at = null
    where plan_id = ${row.planId} and task_id = ${row.taskId} and settled_at is null
      and retry_ended is null`.execute(db);
}
