/** Old events: log lines of ended plans, and what happened to units. The events table is read once, in the order of its ids. */
import type { Db } from "../../../platform/db/database.ts";
import { sql, type Sql } from "../../../platform/db/sql.ts";

export interface OldEvents {
  before: Date;
  /** Whether events are still read for outgoing events; those that were not read yet stay. */
  areEventsRead: boolean;
}

/** Of the event `e`. The other events of a plan go with the plan, and those of other streams with their owners. */
const canGo: Sql = sql`(e.type = 'log' and e.stream like 'plan:%' and exists (select 1 from execution_plans p
    where p.id = substr(e.stream, 6) and p.stopped_at is not null)
  or e.type in ('outcome', 'drift') and e.stream like 'unit:%')`;

const unread = ({ areEventsRead }: OldEvents): Sql =>
  sql`(${areEventsRead} and e.id > (select coalesce(w.position, e.id) from outgoing_position w))`;

export async function countOldEvents(db: Db, old: OldEvents, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (select 1 from events e
    where e.at < ${old.before} and ${canGo} and not ${unread(old)} limit ${most}) found`.execute(db);
  return rows[0]?.n ?? 0;
}

export interface DeletedEvents {
  deleted: number;
  /** The last event that was looked at. */
  position: number;
  isDone: boolean;
}

/** Looks at the next `limit` events and deletes those that are old. The first that is not old yet ends the pass. */
export async function deleteEvents(
  db: Db,
  old: OldEvents,
  { after, limit }: { after: number; limit: number },
): Promise<DeletedEvents> {
  const { rows } = await sql<{ deleted: number; last: number | null; count: number; young: number | null }>`
    with page as materialized (select e.id, e.at >= ${old.before} or ${unread(old)} as young,
        ${canGo} as can_go
      from events e where e.id > ${after} order by e.id limit ${limit}),
    stop as (select min(id) as id from page where young),
    gone as (delete from events d using page, stop where d.id = page.id and page.can_go
      and (stop.id is null or page.id < stop.id) returning 1)
    select (select count(*) from gone) as deleted, (select max(id) from page) as last,
      (select count(*) from page) as count, (select id from stop) as young`.execute(db);
  const { deleted = 0, last = null, count = 0, young = null } = rows[0] ?? {};
  const position = young === null ? (last ?? after) : young - 1;
  return { deleted, position, isDone: young !== null || count < limit };
}
