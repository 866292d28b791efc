/** Messages to people: made of what they are to be told about, claimed, ended, listed, sent again. */
import type { NoticeKind } from "../../../../platform/config/schema/schema-notices.ts";
import { isUnclaimed, type RowClaim } from "../../../../platform/jobs/worker-lease.ts";
import type { Db } from "../../../../platform/db/database.ts";
import { sql } from "../../../../platform/db/sql.ts";

export type MessageStatus = "PENDING" | "SENT" | "DEAD" | "WITHDRAWN";

export interface Composing {
  channel: string;
  /** A recipient gets at most one message in this time. */
  digestMs: number;
  at: Date;
}

/**
 * Makes a message for every recipient who is due one: of all that has become due for it. One that waits for its next
 * attempt is ended first.
 */
export async function composeMessages(db: Db, { channel, digestMs, at }: Composing): Promise<void> {
  const since = new Date(at.getTime() - digestMs);
  await sql`with due as (
      select distinct e.recipient from notice_entries e
      where e.channel = ${channel} and e.message_id is null and e.due_at <= ${at}
        and not exists (select 1 from notice_messages m where m.channel = e.channel and m.recipient = e.recipient
          and not m.is_test
          and (m.status = 'PENDING' or m.status = 'SENT' and coalesce(m.ended_at, m.created_at) > ${since}))
    ), made as (
      insert into notice_messages (id, channel, recipient, status, next_attempt_at, created_at)
      select gen_random_uuid(), ${channel}, recipient, 'PENDING', ${at}, ${at} from due
      returning id, recipient
    )
    update notice_entries e set message_id = made.id from made
    where e.channel = ${channel} and e.recipient = made.recipient and e.message_id is null
      and e.due_at <= ${at}`.execute(db);
}

/** Held while messages are made, so that no two processes make them of the same entries; false while another has it. */
export async function lockComposing(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from notice_look for update skip locked`.execute(db);
  return rows.length > 0;
}

export interface ClaimedMessage {
  id: string;
  channel: string;
  recipient: string;
  isTest: boolean;
  attempts: number;
}

export interface MessageClaim extends RowClaim {
  channel: string;
}

/** Claims due messages that no live worker is sending, and counts the attempt before it is made. */
export async function claimMessages(db: Db, query: MessageClaim): Promise<ClaimedMessage[]> {
  const { channel, workerId, at, limit } = query;
  const { rows } = await sql<ClaimedMessage>`with due as (
      select id from notice_messages m where channel = ${channel} and status = 'PENDING'
        and next_attempt_at <= ${at} and ${isUnclaimed("m", query)}
      order by next_attempt_at, id limit ${limit} for update skip locked
    )
    update notice_messages m set worker_id = ${workerId}, attempts = m.attempts + 1, last_attempt_at = ${at}
    from due where m.id = due.id
    returning m.id, m.channel, m.recipient, m.is_test as "isTest", m.attempts`.execute(db);
  return rows;
}

export interface MessageEntry {
  kind: NoticeKind;
  title: string;
  environment: string | null;
  path: string;
  since: Date;
  expiresAt: Date | null;
  visibleTo: string[] | null;
  operatorsSee: boolean;
}

/** What the message is about and still waits, the oldest first. */
export async function readMessageEntries(
  db: Db,
  messageId: string,
  { at, limit }: { at: Date; limit: number },
): Promise<{ entries: MessageEntry[]; total: number }> {
  const { rows } = await sql<
    MessageEntry & { total: number }
  >`select n.kind, n.title, n.environment, n.path, n.since,
      n.expires_at as "expiresAt", n.visible_to as "visibleTo", n.operators_see as "operatorsSee",
      count(*) over () as total
    from notice_entries e join notices n on n.kind = e.kind and n.subject_id = e.subject_id
    where e.message_id = ${messageId} and n.ended_at is null and (n.expires_at is null or n.expires_at > ${at})
    order by n.since, n.kind, n.subject_id limit ${limit}`.execute(db);
  return { entries: rows, total: rows[0]?.total ?? 0 };
}

export interface MessageEnd {
  id: string;
  workerId: string;
  attempts: number;
  status: MessageStatus;
  error: string | null;
  nextAttemptAt: Date | null;
  at: Date;
}

/** Writes the result of the worker's latest attempt. False when another worker has made a later one. */
export async function endMessageAttempt(db: Db, end: MessageEnd): Promise<boolean> {
  const { rows } = await sql`update notice_messages set status = ${end.status}, worker_id = null,
      last_error = ${end.error}, next_attempt_at = ${end.nextAttemptAt},
      ended_at = case when ${end.status} = 'PENDING' then null else ${end.at}::timestamptz end
    where id = ${end.id} and worker_id = ${end.workerId} and attempts = ${end.attempts} and status = 'PENDING'
    returning id`.execute(db);
  return rows.length > 0;
}

/** Notified when there is a message to send. */
export const noticesChannel = "plinth_notices";

export async function wakeNotices(db: Db): Promise<void> {
  await sql`select pg_notify(${noticesChannel}, '')`.execute(db);
}

export async function insertTest(
  db: Db,
  { id, channel, recipient, at }: { id: string; channel: string; recipient: string; at: Date },
): Promise<void> {
  await sql`insert into notice_messages (id, channel, recipient, status, is_test, next_attempt_at, created_at)
    values (${id}, ${channel}, ${recipient}, 'PENDING', true, ${at}, ${at})`.execute(db);
}

/** Makes a message that has ended due again, under the same id; false when it waits already. */
export async function sendAgain(db: Db, id: string, at: Date): Promise<boolean> {
  const { rows } =
    await sql`update notice_messages set status = 'PENDING', attempts = 0, next_attempt_at = ${at},
      ended_at = null, last_error = null
    where id = ${id} and status <> 'PENDING' returning id`.execute(db);
  return rows.length > 0;
}

export interface MessageRow {
  id: string;
  channel: string;
  recipient: string;
  status: MessageStatus;
  isTest: boolean;
  attempts: number;
  isUnderWay: boolean;
  createdAt: Date;
  lastAttemptAt: Date | null;
  lastError: string | null;
  nextAttemptAt: Date | null;
  endedAt: Date | null;
  notices: { kind: NoticeKind; id: string }[];
}

const columns = sql.raw(`m.id, m.channel, m.recipient, m.status, m.is_test as "isTest", m.attempts,
  m.worker_id is not null as "isUnderWay", m.created_at as "createdAt", m.last_attempt_at as "lastAttemptAt",
  m.last_error as "lastError", m.next_attempt_at as "nextAttemptAt", m.ended_at as "endedAt",
  (select coalesce(json_agg(json_build_object('kind', e.kind, 'id', e.subject_id) order by e.kind, e.subject_id), '[]')
    from (select * from notice_entries where message_id = m.id order by kind, subject_id limit 100) e) as notices`);

export interface MessageQuery {
  channel: string | undefined;
  status: MessageStatus | undefined;
  after: { createdAt: string; id: string } | null;
  limit: number;
}

/** The latest first. */
export async function listMessages(db: Db, query: MessageQuery): Promise<MessageRow[]> {
  const { channel = null, status = null, after, limit } = query;
  const { rows } = await sql<MessageRow>`select ${columns} from notice_messages m
    where (${channel}::text is null or m.channel = ${channel}) and (${status}::text is null or m.status = ${status})
      and (${after?.createdAt ?? null}::timestamptz is null
        or (m.created_at, m.id) < (${after?.createdAt ?? null}::timestamptz, ${after?.id ?? null}::uuid))
    order by m.created_at desc, m.id desc limit ${limit}`.execute(db);
  return rows;
}

export async function readMessage(db: Db, id: string): Promise<MessageRow | null> {
  const { rows } = await sql<MessageRow>`select ${columns} from notice_messages m where m.id = ${id}`.execute(
    db,
  );
  return rows[0] ?? null;
}

export interface ChannelNumbers {
  channel: string;
  pending: number;
  dead: number;
  oldestPendingAt: Date | null;
}

export async function readChannelNumbers(db: Db): Promise<ChannelNumbers[]> {
  const { rows } =
    await sql<ChannelNumbers>`select channel, count(*) filter (where status = 'PENDING') as pending,
      count(*) filter (where status = 'DEAD') as dead,
      min(created_at) filter (where status = 'PENDING') as "oldestPendingAt"
    from notice_messages where status in ('PENDING', 'DEAD') group by channel`.execute(db);
  return rows;
}

export interface MessageNumbers {
  channel: string;
  status: string;
  count: number;
  oldestSeconds: number;
}

/** How many wait, were sent within the retention, or are dead. */
export async function readMessageNumbers(db: Db): Promise<MessageNumbers[]> {
  const { rows } = await sql<MessageNumbers>`select channel, lower(status) as status, count(*),
      extract(epoch from now() - min(created_at))::float8 as "oldestSeconds"
    from notice_messages where status in ('PENDING', 'DEAD') group by channel, status`.execute(db);
  return rows;
}
