/** Rows of access requests and of their ports. */
import { appendEvents } from "../../../platform/events/events.ts";
import type { Db } from "../../../platform/db/database.ts";
import { isoTime } from "../../../platform/db/iso-time.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { RequestOrigin } from "../../../platform/lib/request-lines.ts";
import { isUnclaimed, type RowClaim } from "../../../platform/jobs/worker-lease.ts";

export type RequestStatus =
  | "PENDING"
  | "APPROVED"
  | "APPLYING"
  | "GRANTED"
  | "REVOKED"
  | "REJECTED"
  | "EXPIRED"
  | "WITHDRAWN"
  | "FAILED";

export interface NewRequest {
  id: string;
  operation: "GRANT" | "REVOKE";
  unitId: string;
  environment: string;
  identities: readonly string[];
  reason: string;
  fields: object | null;
  templateRef: string | null;
  requester: string;
  owners: readonly string[];
  idempotencyKey: string | null;
  bodyHash: string;
  origin: RequestOrigin;
  traceparent: string;
  at: Date;
  ports: readonly { urn: string; name: string | null }[];
}

/** False when the requester has already used the key. */
export async function insertRequest(db: Db, request: NewRequest): Promise<boolean> {
  const { id, at } = request;
  const { rows } =
    await sql`insert into access_requests (id, operation, status, unit_id, environment, identities, reason,
      fields, template_ref, requester, owners, idempotency_key, body_hash, http_request_id, client_address, traceparent, created_at,
      updated_at)
    values (${id}, ${request.operation}, 'PENDING', ${request.unitId}, ${request.environment},
      ${[...request.identities]}::text[], ${request.reason},
      ${request.fields === null ? null : JSON.stringify(request.fields)}::json, ${request.templateRef},
      ${request.requester}, ${[...request.owners]}::text[], ${request.idempotencyKey}, ${request.bodyHash},
      ${request.origin.httpRequestId}, ${request.origin.clientAddress}, ${request.traceparent}, ${at}, ${at})
    on conflict (requester, idempotency_key) where idempotency_key is not null do nothing
    returning id`.execute(db);
  if (rows.length === 0) return false;
  for (const [position, { urn, name }] of request.ports.entries()) {
    await sql`insert into access_request_ports (request_id, position, urn, name, status)
      values (${id}, ${position}, ${urn}, ${name}, 'WAITING')`.execute(db);
  }
  return true;
}

export async function findByKey(
  db: Db,
  { requester, key }: { requester: string; key: string },
): Promise<{ id: string; bodyHash: string } | null> {
  const { rows } = await sql<{ id: string; bodyHash: string }>`select id, body_hash as "bodyHash"
    from access_requests where requester = ${requester} and idempotency_key = ${key}`.execute(db);
  return rows[0] ?? null;
}

/** Serialises the requests of one requester, so that the limit holds for requests at once. */
export async function countOpen(db: Db, requester: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`access requests of ${requester}`}, 0))`.execute(
    db,
  );
  const { rows } = await sql<{ count: number }>`select count(*) as count from access_requests
    where requester = ${requester} and status in ('PENDING', 'APPROVED', 'APPLYING')`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function bindAction(db: Db, id: string, actionId: string): Promise<void> {
  await sql`update access_requests set action_id = ${actionId} where id = ${id}`.execute(db);
}

export interface PortRow {
  number: number;
  urn: string;
  name: string | null;
  status: "WAITING" | "APPLYING" | "DONE" | "FAILED";
  planId: string | null;
  message: string | null;
  waiting: string | null;
  waitingSince: string | null;
}

export interface RequestRow {
  id: string;
  actionId: string | null;
  operation: "GRANT" | "REVOKE";
  status: RequestStatus;
  unitId: string;
  environment: string;
  identities: string[];
  reason: string;
  fields: Record<string, unknown> | null;
  templateRef: string | null;
  requester: string;
  owners: string[];
  message: string | null;
  attempt: number;
  looks: number;
  httpRequestId: string;
  clientAddress: string | null;
  traceparent: string;
  createdAt: Date;
  updatedAt: Date;
  approvedAt: Date | null;
  endedAt: Date | null;
  ports: PortRow[];
  /** Names of the hooks that the request waits for. */
  pendingHooks: string[];
}

const columns = sql`r.id, r.action_id as "actionId", r.operation, r.status, r.unit_id as "unitId", r.environment,
  r.identities, r.reason, r.fields, r.template_ref as "templateRef", r.requester, r.owners, r.message, r.attempt,
  r.looks, r.http_request_id as "httpRequestId", r.client_address as "clientAddress", r.traceparent, r.created_at as "createdAt",
  r.updated_at as "updatedAt", r.approved_at as "approvedAt", r.ended_at as "endedAt",
  (select coalesce(json_agg(json_build_object('number', p.number, 'urn', p.urn, 'name', p.name, 'status', p.status,
      'planId', p.plan_id, 'message', p.message, 'waiting', p.waiting,
      'waitingSince', ${isoTime("p.waiting_since")})
    order by p.position), '[]') from access_request_ports p where p.request_id = r.id) as ports,
  array(select h.name from hooks h where h.action_id = r.action_id and h.status = 'pending' order by h.position)
    as "pendingHooks"`;

export async function readRequest(db: Db, id: string): Promise<RequestRow | null> {
  const { rows } = await sql<RequestRow>`select ${columns} from access_requests r where r.id = ${id}`.execute(
    db,
  );
  return rows[0] ?? null;
}

export interface RequestQuery {
  status: string | undefined;
  /** Entity references of requesters or owners; null for all. */
  visibleTo: readonly string[] | null;
  /** The caller's reference, as stored with the request. */
  requester: string;
  after: { createdAt: string; id: string } | null;
  limit: number;
}

/** The latest first. */
export async function listRequests(db: Db, query: RequestQuery): Promise<RequestRow[]> {
  const { status, visibleTo, requester, after, limit } = query;
  const conditions = [sql`true`];
  if (status !== undefined) conditions.push(sql`r.status = ${status}`);
  if (after)
    conditions.push(sql`(r.created_at, r.id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`);
  const fitting = sql.join(conditions, sql` and `);
  const inOrder = sql`order by r.created_at desc, r.id desc limit ${limit}`;
  // Requests of an owner are found by their own index and then sorted: a scan by time could read many rows of
  // others.
  const source =
    visibleTo === null
      ? sql`access_requests r where ${fitting}`
      : sql`access_requests r where r.id in (select id from owned union all select id from asked)`;
  const visible =
    visibleTo === null
      ? sql``
      : sql`with owned as materialized (select r.id from access_requests r
            where r.owners && ${[...visibleTo]}::text[] and ${fitting}), asked as materialized (
          select r.id from access_requests r where r.requester = ${requester} and ${fitting} ${inOrder})`;
  const { rows } = await sql<RequestRow>`${visible} select ${columns} from ${source} ${inOrder}`.execute(db);
  return rows;
}

export interface StatusChange {
  /** The update applies only to a request in one of these statuses. */
  from: readonly RequestStatus[];
  /** It applies to this attempt only: a worker that was stopped for long does not know of a later one. */
  attempt?: number;
  to: RequestStatus;
  message: string | null;
  by: string;
  at: Date;
  /** When a worker next checks the request; null when there is nothing to do. */
  nextLookAt: Date | null;
}

/**
 * The only way to change the status of a request; writes the event too. False when its status is not in
 * `from`, or the attempt is another one.
 */
export async function changeStatus(db: Db, id: string, change: StatusChange): Promise<boolean> {
  const { from, attempt = null, to, message, by, at, nextLookAt } = change;
  const isEnd = !["PENDING", "APPROVED", "APPLYING"].includes(to);
  const { rows } =
    await sql`update access_requests set status = ${to}, message = ${message}, updated_at = ${at},
      approved_at = case when ${to} = 'APPROVED' then ${at}::timestamptz else approved_at end,
      ended_at = ${isEnd ? at : null}, next_look_at = ${nextLookAt}, worker_id = null, looks = 0
    where id = ${id} and status = any(${[...from]}::text[])
      and (${attempt}::int is null or attempt = ${attempt}) returning id`.execute(db);
  if (rows.length === 0) return false;
  await recordStatus(db, id, { status: to, by, message, at });
  return true;
}

/** The caller holds the lock of the request's row. */
export async function recordStatus(
  db: Db,
  id: string,
  { at, ...change }: { status: RequestStatus; by: string; message: string | null; at: Date },
): Promise<void> {
  await appendEvents(db, requestStream(id), [
    { type: "access-request", at, data: { at: at.toISOString(), ...change } },
  ]);
}

export const requestStream = (id: string): string => `access-request:${id}`;

export interface StatusEvent {
  at: string;
  status: RequestStatus;
  by: string;
  message: string | null;
}

export async function readHistory(db: Db, id: string): Promise<StatusEvent[]> {
  const { rows } = await sql<{
    data: StatusEvent;
  }>`select data from events where stream = ${requestStream(id)}
    order by id limit 1000`.execute(db);
  return rows.map(({ data }) => data);
}

export async function findByAction(db: Db, actionId: string): Promise<string | null> {
  const { rows } = await sql<{
    id: string;
  }>`select id from access_requests where action_id = ${actionId}`.execute(db);
  return rows[0]?.id ?? null;
}

/** Ports that failed are tried again, under a new id. */
export async function renewPorts(db: Db, id: string): Promise<void> {
  await sql`update access_requests set attempt = attempt + 1 where id = ${id}`.execute(db);
  await sql`update access_request_ports set status = 'WAITING', plan_id = null, message = null, waiting = null,
      waiting_since = null
    where request_id = ${id} and status = 'FAILED'`.execute(db);
}

/** Notified when a request was approved. */
export const accessChannel = "plinth_access_requests";

export async function notifyAccessWorkers(db: Db): Promise<void> {
  await sql`select pg_notify(${accessChannel}, '')`.execute(db);
}

/** Claims requests that are due and that no live worker is processing. */
export async function claimRequests(db: Db, query: RowClaim): Promise<string[]> {
  const { workerId, at, limit } = query;
  const { rows } = await sql<{ id: string }>`update access_requests set worker_id = ${workerId}
    where id in (select id from access_requests r where next_look_at <= ${at}
      and ${isUnclaimed("r", query)}
      order by next_look_at limit ${limit} for update skip locked)
    returning id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Releases the request until its next check. Counts consecutive checks that changed nothing. */
export async function scheduleCheck(
  db: Db,
  id: string,
  { at, hasMoved }: { at: Date; hasMoved: boolean },
): Promise<void> {
  await sql`update access_requests set worker_id = null, next_look_at = ${at},
      looks = case when ${hasMoved} then 0 else looks + 1 end
    where id = ${id} and next_look_at is not null`.execute(db);
}

/** Woken at once: only one of them can start, the others would find that they still have to wait. */
const wokenAtATime = 3;

/** Access to the unit is free again: wakes the requests that have waited longest for it. */
export async function wakeWaitingRequests(
  db: Db,
  { unitId, environment, at }: { unitId: string; environment: string; at: Date },
): Promise<void> {
  await sql`update access_requests set next_look_at = ${at}, looks = 0
    where id in (select id from access_requests where next_look_at > ${at} and lower(unit_id) = lower(${unitId})
      and environment = ${environment} order by approved_at, id limit ${wokenAtATime} for update skip locked)`.execute(
    db,
  );
}

export interface PortChange {
  number: number;
  /** Attempt number of the request, as in a change of its status. */
  attempt: number;
  from: PortRow["status"];
  to: PortRow["status"];
  planId?: string;
  message?: string | null;
  waiting?: string | null;
  at: Date;
}

/** False when another worker has already advanced the port. */
export async function changePort(db: Db, change: PortChange): Promise<boolean> {
  const { number, attempt, from, to, planId, message = null, waiting = null, at } = change;
  const { rows } = await sql`update access_request_ports p set status = ${to}, message = ${message},
      plan_id = coalesce(${planId ?? null}, plan_id), waiting = ${waiting},
      waiting_since = case when ${waiting}::text is null then null when waiting = ${waiting} then waiting_since
        else ${at}::timestamptz end
    where number = ${number} and status = ${from} and exists (select 1 from access_requests r
      where r.id = p.request_id and r.attempt = ${attempt})
    returning number`.execute(db);
  return rows.length > 0;
}

/** Deletes some requests that ended before that time, with their history; returns how many. */
export async function pruneRequests(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`with old as (
      select id from access_requests where created_at < ${before} and ended_at < ${before}
      order by created_at, id limit ${limit} for update skip locked),
    erased as (delete from events e using old where e.stream = 'access-request:' || old.id),
    gone as (delete from access_requests r using old where r.id = old.id returning 1)
    select count(*) as n from gone`.execute(db);
  return rows[0]?.n ?? 0;
}

export async function countOldRequests(db: Db, before: Date, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (select 1 from access_requests
    where created_at < ${before} and ended_at < ${before} limit ${most}) found`.execute(db);
  return rows[0]?.n ?? 0;
}

export interface OpenRequestNumbers {
  status: string;
  count: number;
  oldestSeconds: number;
}

/** Of those that have not ended, by status; the age counts from the approval where there is one. */
export async function readOpenRequestNumbers(db: Db): Promise<OpenRequestNumbers[]> {
  const { rows } = await sql<OpenRequestNumbers>`select lower(status) as status, count(*),
      extract(epoch from now() - min(coalesce(approved_at, created_at)))::float8 as "oldestSeconds"
    from access_requests where status in ('PENDING', 'APPROVED', 'APPLYING') group by status`.execute(db);
  return rows;
}
