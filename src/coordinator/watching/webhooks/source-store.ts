/** Copies settled events to the outgoing events; one worker at a time. */
import type { Db } from "../../../platform/db/database.ts";
import { isDatabaseAway } from "../../../platform/db/failures.ts";
import { sql, type Sql } from "../../../platform/db/sql.ts";
import type { OutgoingEvent, SourceEvent } from "./cloud-event.ts";

export interface Position {
  /** Null until a webhook is configured. */
  position: number | null;
  instance: string;
}

/** The position, locked until the transaction ends; null while another worker has it. */
export async function lockPosition(db: Db): Promise<Position | null> {
  const { rows } = await sql<Position>`select position, instance from outgoing_position
    for update skip locked`.execute(db);
  return rows[0] ?? null;
}

/** Sets the first position: webhooks receive events from now on. */
export async function beginPosition(db: Db): Promise<void> {
  await sql`update outgoing_position set position = (select coalesce(max(id), 0) from events)
    where position is null`.execute(db);
}

export async function setPosition(db: Db, position: number): Promise<void> {
  await sql`update outgoing_position set position = ${position}`.execute(db);
}

const isSource = sql.raw("type in ('plan', 'task', 'component', 'outcome', 'drift')");

/** The first event of a page, without what it says. */
export async function readNext(
  db: Db,
  { after, upTo }: { after: number; upTo: number },
): Promise<{ id: number; type: string; stream: string } | null> {
  const { rows } = await sql<{ id: number; type: string; stream: string }>`select id, type, stream from events
    where id > ${after} and id <= ${upTo} and ${isSource} order by id limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Settled events in the order of their ids, joined with their plan, task and component. */
export async function readSource(
  db: Db,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<SourceEvent[]> {
  const { rows } =
    await sql<SourceEvent>`select e.id, e.type, e.at, e.data, p.id as "planId", p.kind as "planKind",
      p.action as "planAction", p.originator, p.descriptor_version as "descriptorVersion",
      coalesce(p.unit_key, substr(e.stream, length(e.data ->> 'environment') + 7)) as "unitKey",
      p.unit_id as "unitId", p.environment, p.traceparent, t.adapter_id as "adapterId",
      t.may_have_acted as "isOutcomeUnknown", c.status as "componentStatus", null as "unitStatus"
    from (select * from events where id > ${after} and id <= ${upTo}
        and ${isSource} order by id limit ${limit}) e
      left join execution_plans p on e.stream like 'plan:%' and p.id = substr(e.stream, 6)
      left join plan_tasks t on e.type = 'task' and t.plan_id = p.id and t.task_id = e.data ->> 'id'
      left join unit_components c on c.unit_key = p.unit_key and c.environment = p.environment
        and c.component_key = t.component_key
    order by e.id`.execute(db);
  return rows;
}

/** In this order; only one transaction at a time inserts here, so that `seq` rises as they become visible. */
export async function insertOutgoing(db: Db, events: OutgoingEvent[]): Promise<void> {
  if (events.length === 0) return;
  await sql`insert into outgoing_events (id, type, subject, environment, at, body)
    select e.id, e.type, e.subject, e.environment, e.at, e.body
    from rows from (json_to_recordset(${JSON.stringify(events)}::json) as (id text, type text, subject text,
      environment text, at timestamptz, body text)) with ordinality as
      e(id, type, subject, environment, at, body, n)
    order by e.n on conflict (id) do nothing`.execute(db);
}

/** What the part would return; null where it fails. Nothing of it is kept. */
export async function withoutEffect<T>(tx: Db, part: () => Promise<T>): Promise<T | null> {
  await sql`savepoint part`.execute(tx);
  const result = await part().catch((error: unknown) => {
    if (isDatabaseAway(error)) throw error;
    return null;
  });
  await sql`rollback to savepoint part`.execute(tx);
  return result;
}

/**
 * Deletes some older deliveries, then older events that have none left. Returns how many of the kind that it deleted more of.
 */
export async function pruneOutgoing(db: Db, before: Date, limit: number): Promise<number> {
  const deliveries = await sql`delete from webhook_deliveries where id in (select id from webhook_deliveries
    where ended_at < ${before} limit ${limit})`.execute(db);
  const events = await sql`delete from outgoing_events where seq in (${oldOutgoing(before)}
    limit ${limit})`.execute(db);
  return Math.max(deliveries.rowCount, events.rowCount);
}

const oldOutgoing = (before: Date): Sql => sql`select e.seq from outgoing_events e where e.at < ${before}
  and not exists (select 1 from webhook_deliveries d where d.event_seq = e.seq)`;

export async function countOutgoing(db: Db, before: Date, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (
    select 1 from ((select id from webhook_deliveries where ended_at < ${before} limit ${most})
      union all (${oldOutgoing(before)} limit ${most})) old limit ${most}) found`.execute(db);
  return rows[0]?.n ?? 0;
}
