/** Queries of actions and of the hooks that must be OK for them. */
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { isAfter, timeOrder, type TimePosition } from "../../platform/db/time-position.ts";
import type { RequestOrigin } from "../../platform/lib/request-lines.ts";
import { isUnclaimed, type RowClaim } from "../../platform/jobs/worker-lease.ts";
import type { ActionName } from "../context.ts";
import type { AskedAbout, AskedDeployment } from "./schema.ts";

export type HookStatus = "pending" | "OK" | "KO";
export type HookKind = "notification" | "remote";
export type ActionStatus = "PENDING" | "APPROVED" | "REJECTED" | "EXPIRED";

export interface NewAction {
  id: string;
  name: ActionName;
  status: ActionStatus;
  requester: string;
  owners: readonly string[];
  fields: object;
  traceparent: string;
  origin: RequestOrigin;
  at: Date;
}

export interface NewHook {
  id: string;
  position: number;
  name: string;
  kind: HookKind;
  requestHash: string | null;
  requestSeed: string | null;
  isSigned: boolean;
  expiresAt: Date;
}

export async function insertAction(db: Db, action: NewAction, hooks: readonly NewHook[]): Promise<void> {
  const endedAt = action.status === "PENDING" ? null : action.at;
  await sql`insert into hook_actions (id, name, status, requester, owners, fields, traceparent,
      http_request_id, client_address, created_at, ended_at)
    values (${action.id}, ${action.name}, ${action.status}, ${action.requester}, ${[...action.owners]}::text[],
      ${JSON.stringify(action.fields)}::json, ${action.traceparent},
      ${action.origin.httpRequestId}, ${action.origin.clientAddress}, ${action.at}, ${endedAt})`.execute(db);
  for (const hook of hooks) {
    const dueAt = hook.kind === "remote" ? action.at : null;
    await sql`insert into hooks (id, action_id, position, name, kind, status, request_hash, request_seed, is_signed,
        next_attempt_at, expires_at, created_at, updated_at)
      values (${hook.id}, ${action.id}, ${hook.position}, ${hook.name}, ${hook.kind}, 'pending',
        ${hook.requestHash}, ${hook.requestSeed}, ${hook.isSigned}, ${dueAt}, ${hook.expiresAt}, ${action.at},
        ${action.at})`.execute(db);
  }
}

export interface HookRow {
  id: string;
  name: string;
  kind: HookKind;
  status: HookStatus;
  actionId: string;
  actionName: ActionName;
  actionStatus: ActionStatus;
  requester: string;
  owners: string[];
  about: AskedAbout;
  isSigned: boolean;
  attempts: number;
  isUnderWay: boolean;
  nextAttemptAt: Date | null;
  sentAt: Date | null;
  sentInfo: object | null;
  lastError: string | null;
  response: object | null;
  endedBy: string | null;
  reason: string | null;
  expiresAt: Date;
  createdAt: Date;
  updatedAt: Date;
}

/** One of them, with what is asked for where it is a deployment. */
export interface SingleHookRow extends HookRow {
  deployment: AskedDeployment | null;
}

const columns = sql.raw(`h.id, h.name, h.kind, h.status, h.action_id as "actionId", a.name as "actionName",
  a.status as "actionStatus", a.requester, a.owners, h.is_signed as "isSigned", h.attempts,
  h.worker_id is not null as "isUnderWay", h.next_attempt_at as "nextAttemptAt", h.sent_at as "sentAt",
  h.sent_info as "sentInfo", h.last_error as "lastError", h.response, h.ended_by as "endedBy", h.reason,
  h.expires_at as "expiresAt", h.created_at as "createdAt", h.updated_at as "updatedAt",
  json_build_object('deploymentUnitId', a.fields ->> 'deploymentUnitId', 'environment', a.fields ->> 'environment',
    'accessRequestId', a.fields ->> 'accessRequestId', 'planId', a.fields ->> 'planId',
    'removeData', coalesce(a.fields ->> 'removeData' = 'true', false)) as about`);

const readOne = async (db: Db, condition: ReturnType<typeof sql>): Promise<SingleHookRow | null> => {
  const { rows } = await sql<SingleHookRow>`select ${columns},
      case when a.name = 'deployment' then a.fields::jsonb - 'requester' end as deployment from hooks h join hook_actions a on a.id = h.action_id
    where ${condition}`.execute(db);
  return rows[0] ?? null;
};

export const readHook = (db: Db, id: string): Promise<SingleHookRow | null> => readOne(db, sql`h.id = ${id}`);

export const readHookByHash = (db: Db, hash: string): Promise<SingleHookRow | null> =>
  readOne(db, sql`h.request_hash = ${hash}`);

export async function readHooksOf(db: Db, actionId: string): Promise<HookRow[]> {
  const { rows } = await sql<HookRow>`select ${columns} from hooks h join hook_actions a on a.id = h.action_id
    where h.action_id = ${actionId} order by h.position`.execute(db);
  return rows;
}

export interface HookQuery {
  status: HookStatus | undefined;
  /** The requester, as it is stored, or references of owners; null for all. */
  visibleTo: { requester: string; owners: readonly string[] } | null;
  after: { createdAt: string; id: string } | null;
  limit: number;
}

/** The latest first. */
export async function listHooks(db: Db, query: HookQuery): Promise<HookRow[]> {
  const { status, visibleTo, after, limit } = query;
  const conditions = [sql`true`];
  if (status !== undefined) conditions.push(sql`h.status = ${status}`);
  if (visibleTo !== null) {
    const { requester, owners } = visibleTo;
    conditions.push(sql`(a.owners && ${[...owners]}::text[] or a.requester = ${requester})`);
  }
  if (after)
    conditions.push(sql`(h.created_at, h.id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`);
  const { rows } = await sql<HookRow>`select ${columns} from hooks h join hook_actions a on a.id = h.action_id
    where ${sql.join(conditions, sql` and `)} order by h.created_at desc, h.id desc limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** Pending hooks, the oldest first: all, or the notifications to one of the owners. */
export async function listAnswerableHooks(
  db: Db,
  { owners, limit, after }: { owners: readonly string[] | null; limit: number; after: TimePosition | null },
): Promise<PendingHook[]> {
  const mine = owners && sql`and h.kind = 'notification' and a.owners && ${[...owners]}::text[]`;
  const { rows } =
    await sql<PendingHook>`select ${columns}, a.fields from hooks h join hook_actions a on a.id = h.action_id
    where h.status = 'pending' ${mine ?? sql``} and ${isAfter("h.created_at", "h.id::text", after)}
    order by ${timeOrder("h.created_at", "h.id::text")} limit ${limit}`.execute(db);
  return rows;
}

export interface PendingHook extends HookRow {
  /** What is asked for. */
  fields: Record<string, unknown>;
}

/** All that are pending, the oldest first. */
export async function listPendingHooks(db: Db, limit: number): Promise<PendingHook[]> {
  const { rows } =
    await sql<PendingHook>`select ${columns}, a.fields from hooks h join hook_actions a on a.id = h.action_id
    where h.status = 'pending' order by h.created_at, h.id limit ${limit}`.execute(db);
  return rows;
}

/** Prevents every other end of the action's hooks until the transaction is over. */
export async function lockAction(db: Db, actionId: string): Promise<ActionStatus | null> {
  const { rows } = await sql<{
    status: ActionStatus;
  }>`select status from hook_actions where id = ${actionId} for update`.execute(db);
  return rows[0]?.status ?? null;
}

export interface HookEnd {
  hookId: string;
  status: "OK" | "KO";
  response: object | null;
  endedBy: string;
  reason: string | null;
  at: Date;
  /** Whether it must not have expired, or must have. */
  expired: boolean;
}

/** The only update that ends a hook, and conditional; false when it is no longer pending, or not in time. */
export async function endPending(db: Db, end: HookEnd): Promise<boolean> {
  const inTime = end.expired ? sql`expires_at <= ${end.at}` : sql`expires_at > ${end.at}`;
  const { rows } = await sql`update hooks set status = ${end.status},
      response = ${end.response === null ? null : JSON.stringify(end.response)}::json, ended_by = ${end.endedBy},
      reason = ${end.reason}, updated_at = ${end.at}, next_attempt_at = null, request_seed = null
    where id = ${end.hookId} and status = 'pending' and ${inTime}
    returning id`.execute(db);
  return rows.length > 0;
}

export async function hasPendingHooks(db: Db, actionId: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from hooks where action_id = ${actionId} and status = 'pending' limit 1`.execute(db);
  return rows.length > 0;
}

export interface ActionEnd {
  actionId: string;
  status: "APPROVED" | "REJECTED" | "EXPIRED";
  reason: string | null;
  at: Date;
}

/** Ends the action and its remaining pending hooks. */
export async function endAction(db: Db, { actionId, status, reason, at }: ActionEnd): Promise<void> {
  await sql`update hook_actions set status = ${status}, reason = ${reason}, ended_at = ${at}
    where id = ${actionId}`.execute(db);
  const why = `The action has ended: ${status}.`;
  await sql`update hooks set status = 'KO', ended_by = 'service:default/plinth', reason = ${why}, updated_at = ${at},
      next_attempt_at = null, request_seed = null
    where action_id = ${actionId} and status = 'pending'`.execute(db);
}

export interface DueCall extends RequestOrigin {
  id: string;
  name: string;
  actionId: string;
  actionName: ActionName;
  fields: Record<string, unknown>;
  attempts: number;
  requestHash: string;
  requestSeed: string;
  isSigned: boolean;
  expiresAt: Date;
  traceparent: string;
}

/** Notified when there is a call to make. */
export const hooksChannel = "plinth_hooks";

export async function notifyHookWorkers(db: Db): Promise<void> {
  await sql`select pg_notify(${hooksChannel}, '')`.execute(db);
}

/** Claims due calls that no live worker has in progress, and counts the attempt before it is made. */
export async function claimCalls(db: Db, query: RowClaim): Promise<DueCall[]> {
  const { workerId, at, limit } = query;
  const { rows } = await sql<DueCall>`with due as (
      select id from hooks h where next_attempt_at <= ${at} and status = 'pending' and expires_at > ${at}
        and ${isUnclaimed("h", query)}
      order by next_attempt_at limit ${limit} for update skip locked
    )
    update hooks h set worker_id = ${workerId}, attempts = h.attempts + 1, updated_at = ${at}
    from due, hook_actions a where h.id = due.id and a.id = h.action_id
    returning h.id, h.name, h.action_id as "actionId", a.name as "actionName", a.fields, h.attempts,
      h.request_hash as "requestHash", h.request_seed as "requestSeed", h.is_signed as "isSigned",
      h.expires_at as "expiresAt", a.traceparent,
      a.http_request_id as "httpRequestId", a.client_address as "clientAddress"`.execute(db);
  return rows;
}

export interface CallResult {
  id: string;
  workerId: string;
  attempts: number;
  /** The body of a 202 response; null when the call was not accepted. */
  accepted: { info: object | null } | null;
  error: string | null;
  nextAttemptAt: Date | null;
  at: Date;
}

/**
 * Writes the result of a call if it is still the latest one. The third party may have answered before its 202
 * arrived, so the status is not changed.
 */
export async function writeCallResult(db: Db, result: CallResult): Promise<void> {
  const { accepted, at } = result;
  const info = accepted?.info ?? null;
  await sql`update hooks set worker_id = null, last_error = ${result.error}, updated_at = ${at},
      next_attempt_at = case when status = 'pending' then ${result.nextAttemptAt}::timestamptz end,
      sent_at = ${accepted ? at : null}, sent_info = ${info === null ? null : JSON.stringify(info)}::json,
      request_seed = case when ${accepted !== null} then null else request_seed end
    where id = ${result.id} and worker_id = ${result.workerId} and attempts = ${result.attempts}`.execute(db);
}

/** Expired hooks that are not among `except`, the oldest first. */
export async function findExpired(
  db: Db,
  at: Date,
  { except, limit }: { except: readonly string[]; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{
    id: string;
  }>`select id from hooks where status = 'pending' and expires_at <= ${at} and id <> all(${[...except]}::uuid[])
    order by expires_at limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Ended actions are retained for a while; after that their hooks are unknown. */
export async function pruneActions(db: Db, endedBefore: Date, limit: number): Promise<number> {
  const { rowCount } = await sql`delete from hook_actions where id in (
    select id from hook_actions where ended_at < ${endedBefore} limit ${limit})`.execute(db);
  return rowCount;
}

export async function countOldActions(db: Db, endedBefore: Date, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (select 1 from hook_actions
    where ended_at < ${endedBefore} limit ${most}) found`.execute(db);
  return rows[0]?.n ?? 0;
}

export interface PendingNumbers {
  action: string;
  kind: string;
  count: number;
  oldestSeconds: number;
}

export async function readPendingNumbers(db: Db): Promise<PendingNumbers[]> {
  const { rows } = await sql<PendingNumbers>`select a.name as action, h.kind, count(*) as count,
      extract(epoch from now() - min(h.created_at))::float8 as "oldestSeconds"
    from hooks h join hook_actions a on a.id = h.action_id where h.status = 'pending'
    group by a.name, h.kind`.execute(db);
  return rows;
}
