/** Old notices: what has ended, and the messages about it. */
import type { Db } from "../../../../platform/db/database.ts";
import { sql, type Sql } from "../../../../platform/db/sql.ts";

/** What waits no more, and what has been reported as passed, where no message about it is left. */
const oldNotices = (before: Date): Sql => sql`select n.kind, n.subject_id from notices n
  where coalesce(n.ended_at, case when n.kind in ('PLAN_FAILED', 'PLAN_ENDED') then n.found_at end) < ${before}
    and not exists (select 1 from notice_entries e join notice_messages m on m.id = e.message_id
      where e.kind = n.kind and e.subject_id = n.subject_id)`;

/** Deletes up to that many of each kind of rows; returns how many of the largest kind went. */
export async function pruneNotices(db: Db, before: Date, limit: number): Promise<number> {
  const messages = await sql`delete from notice_messages where id in (select id from notice_messages
    where ended_at < ${before} limit ${limit})`.execute(db);
  const notices = await sql`with old as (${oldNotices(before)} limit ${limit}), entries as (
      delete from notice_entries e using old where e.kind = old.kind and e.subject_id = old.subject_id
    )
    delete from notices n using old where n.kind = old.kind and n.subject_id = old.subject_id`.execute(db);
  return Math.max(messages.rowCount, notices.rowCount);
}

export async function countOldNotices(db: Db, before: Date, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (
    select 1 from ((select id::text from notice_messages where ended_at < ${before} limit ${most})
      union all (select subject_id from (${oldNotices(before)}) old limit ${most})) old limit ${most}) found`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}
