/** Deliveries of outgoing events to webhooks: created, claimed, ended, listed, replayed. */
import { isUnclaimed, type RowClaim } from "../../../platform/jobs/worker-lease.ts";
import type { Db } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { WebhookTarget } from "../../context.ts";
import { goneError, lockWebhook, stopWebhook } from "./webhook-store.ts";

const matches = (
  target: WebhookTarget,
) => sql`(${target.events}::text[] is null or e.type = any(${target.events}::text[]))
  and (${target.environments}::text[] is null or e.environment = any(${target.environments}::text[]))`;

/** The id of the event that an outgoing event was made from; it is a part of its own id. */
const sourceId = sql`split_part(e.id, '_', 3)::bigint`;

/** The first delivery of a subject is due at once, the next when the one before it has ended. */
const firstDue = (webhook: string, at: Date) => sql`case when e.turn = 1 and not exists (
    select 1 from webhook_deliveries w where w.webhook = ${webhook} and w.subject = e.subject
      and w.status = 'PENDING') then ${at}::timestamptz end`;

const deliveryColumns = sql.raw(
  "webhook, event_seq, event_id, type, subject, environment, status, next_attempt_at, last_error, ended_at",
);

/**
 * Creates deliveries for the webhook from the outgoing events after its position, in the caller's
 * transaction. A new webhook starts with events from now on, whenever those of before become outgoing ones. Returns whether
 * there may be more.
 */
export async function enqueueDeliveries(
  db: Db,
  target: WebhookTarget,
  { at, limit }: { at: Date; limit: number },
): Promise<boolean> {
  const hook = await lockWebhook(db, target, at);
  const { rows } = await sql<{ seen: number }>`with batch as materialized (
      select * from outgoing_events where seq > ${hook.position} order by seq limit ${limit}
    ), fitting as (
      select e.*, row_number() over (partition by e.subject order by e.seq) as turn from batch e
      where ${matches(target)} and ${sourceId} > ${hook.beginsAfter}
    ), handed as (
      insert into webhook_deliveries (${deliveryColumns})
      select ${target.name}, e.seq, e.id, e.type, e.subject, e.environment,
        case when ${hook.isGone} then 'DEAD' else 'PENDING' end,
        case when not ${hook.isGone} then ${firstDue(target.name, at)} end,
        case when ${hook.isGone} then ${goneError} end, case when ${hook.isGone} then ${at}::timestamptz end
      from fitting e order by e.seq
    ), moved as (
      update webhooks set position = (select max(seq) from batch)
      where name = ${target.name} and exists (select 1 from batch)
    )
    select count(*) as seen from batch`.execute(db);
  return (rows[0]?.seen ?? 0) === limit;
}

export interface ClaimedDelivery {
  id: number;
  webhook: string;
  eventId: string;
  attempts: number;
  body: string;
}

export interface DeliveryClaim extends RowClaim {
  webhook: string;
}

/** Claims due deliveries that no live worker is sending, and counts the attempt before it is made. */
export async function claimDeliveries(db: Db, query: DeliveryClaim): Promise<ClaimedDelivery[]> {
  const { webhook, workerId, at, limit } = query;
  const { rows } = await sql<ClaimedDelivery>`with due as (
      select id from webhook_deliveries d where webhook = ${webhook} and status = 'PENDING'
        and next_attempt_at <= ${at}
        and ${isUnclaimed("d", query)}
      order by next_attempt_at, id limit ${limit} for update skip locked
    )
    update webhook_deliveries d set worker_id = ${workerId}, attempts = d.attempts + 1, last_attempt_at = ${at}
    from due, outgoing_events e where d.id = due.id and e.seq = d.event_seq
    returning d.id, d.webhook, d.event_id as "eventId", d.attempts, e.body`.execute(db);
  return rows;
}

export interface DeliveryResult {
  id: number;
  webhook: string;
  workerId: string;
  attempts: number;
  status: "PENDING" | "DELIVERED" | "DEAD";
  httpStatus: number | null;
  error: string | null;
  nextAttemptAt: Date | null;
  at: Date;
  isGone: boolean;
}

/**
 * Writes the result of the worker's latest attempt, and makes the subject's next delivery due when this one
 * has ended. False when another worker has made a later attempt.
 */
export async function endAttempt(db: Db, result: DeliveryResult): Promise<boolean> {
  const { id, webhook, at, status } = result;
  const lock = sql.raw(result.isGone ? "update" : "share");
  await sql`select 1 from webhooks where name = ${webhook} for ${lock}`.execute(db);
  const { rows } = await sql<{
    subject: string;
  }>`update webhook_deliveries set status = ${status}, worker_id = null,
      last_status = ${result.httpStatus}, last_error = ${result.error}, next_attempt_at = ${result.nextAttemptAt},
      ended_at = case when ${status} = 'PENDING' then null else ${at}::timestamptz end
    where id = ${id} and worker_id = ${result.workerId} and attempts = ${result.attempts} and status = 'PENDING'
    returning subject`.execute(db);
  const subject = rows[0]?.subject;
  if (subject === undefined) return false;
  if (result.isGone) await stopWebhook(db, webhook, at);
  else if (status !== "PENDING") {
    await sql`update webhook_deliveries set next_attempt_at = ${at}
      where next_attempt_at is null and id = (select id from webhook_deliveries where webhook = ${webhook}
        and subject = ${subject} and status = 'PENDING' order by id limit 1)`.execute(db);
  }
  return true;
}

export interface DeliveryRow {
  id: number;
  webhook: string;
  eventId: string;
  type: string;
  subject: string;
  environment: string;
  status: "PENDING" | "DELIVERED" | "DEAD";
  isReplay: boolean;
  attempts: number;
  isUnderWay: boolean;
  createdAt: Date;
  lastAttemptAt: Date | null;
  lastStatus: number | null;
  lastError: string | null;
  nextAttemptAt: Date | null;
  endedAt: Date | null;
}

export interface DeliveryQuery {
  webhook: string | undefined;
  status: string | undefined;
  /** Below this id. */
  before: number | null;
  limit: number;
}

/** The latest first. */
export async function listDeliveries(db: Db, query: DeliveryQuery): Promise<DeliveryRow[]> {
  const conditions = [sql`true`];
  if (query.webhook !== undefined) conditions.push(sql`webhook = ${query.webhook}`);
  if (query.status !== undefined) conditions.push(sql`status = ${query.status}`);
  if (query.before !== null) conditions.push(sql`id < ${query.before}`);
  const { rows } =
    await sql<DeliveryRow>`select id, webhook, event_id as "eventId", type, subject, environment,
      status, is_replay as "isReplay", attempts, worker_id is not null as "isUnderWay", created_at as "createdAt",
      last_attempt_at as "lastAttemptAt", last_status as "lastStatus", last_error as "lastError",
      next_attempt_at as "nextAttemptAt", ended_at as "endedAt"
    from webhook_deliveries where ${sql.join(conditions, sql` and `)}
    order by id desc limit ${query.limit}`.execute(db);
  return rows;
}

export interface WebhookNumbers {
  name: string;
  pending: number;
  dead: number;
  oldestPendingAt: Date | null;
  stoppedAt: Date | null;
}

/** A webhook that stopped at another address than its present one goes on with the next event. */
export async function readWebhookNumbers(
  db: Db,
  targets: readonly WebhookTarget[],
): Promise<WebhookNumbers[]> {
  const names = targets.map(({ name }) => name);
  const urls = targets.map(({ url }) => url);
  const { rows } = await sql<WebhookNumbers>`select t.name, coalesce(d.pending, 0) as pending,
      coalesce(d.dead, 0) as dead, d.oldest as "oldestPendingAt", w.gone_at as "stoppedAt"
    from unnest(${names}::text[], ${urls}::text[]) t (name, url)
    left join webhooks w on w.name = t.name and w.url = t.url
    left join (select webhook, count(*) filter (where status = 'PENDING') as pending,
        count(*) filter (where status = 'DEAD') as dead, min(created_at) filter (where status = 'PENDING') as oldest
      from webhook_deliveries where status in ('PENDING', 'DEAD') and webhook = any(${names}::text[])
      group by webhook) d on d.webhook = t.name`.execute(db);
  return rows;
}

export async function readDelivery(
  db: Db,
  webhook: string,
  id: number,
): Promise<{ seq: number; status: string } | null> {
  const { rows } = await sql<{
    seq: number;
    status: string;
  }>`select event_seq as seq, status from webhook_deliveries
    where id = ${id} and webhook = ${webhook}`.execute(db);
  return rows[0] ?? null;
}

export interface Replay {
  at: Date;
  /** Replays one event; null to replay a period. */
  seq: number | null;
  from: Date | null;
  to: Date | null;
  includeDelivered: boolean;
  limit: number;
}

/**
 * Adds events to the webhook's deliveries again, after the pending ones. Returns how many were found; adds
 * none beyond the limit.
 */
export async function replayEvents(db: Db, target: WebhookTarget, replay: Replay): Promise<number> {
  await lockWebhook(db, target, replay.at);
  await sql`update webhooks set gone_at = null where name = ${target.name}`.execute(db);
  const wanted = sql`select e.* from outgoing_events e
    where (${replay.seq}::bigint is null or e.seq = ${replay.seq})
      and (${replay.from}::timestamptz is null or e.at >= ${replay.from})
      and (${replay.to}::timestamptz is null or e.at < ${replay.to})
      and (${replay.seq}::bigint is not null or ${matches(target)})
      and not exists (select 1 from webhook_deliveries d where d.event_seq = e.seq and d.webhook = ${target.name}
        and (d.status = 'PENDING' or (d.status = 'DELIVERED' and not ${replay.includeDelivered})))
    order by e.seq limit ${replay.limit + 1}`;
  const { rows } = await sql<{ found: number }>`with wanted as materialized (${wanted}), e as (
      select *, row_number() over (partition by subject order by seq) as turn from wanted
      where (select count(*) from wanted) <= ${replay.limit}
    ), handed as (
      insert into webhook_deliveries (${deliveryColumns}, is_replay)
      select ${target.name}, e.seq, e.id, e.type, e.subject, e.environment, 'PENDING',
        ${firstDue(target.name, replay.at)}, null, null, true
      from e order by e.seq
    ) select count(*) as found from wanted`.execute(db);
  return rows[0]?.found ?? 0;
}

export const webhooksChannel = "plinth_webhooks";

/** Wakes the workers when the transaction commits. */
export async function wakeWebhooks(db: Db): Promise<void> {
  await sql`select pg_notify(${webhooksChannel}, '')`.execute(db);
}
