/** Old rows of the assistant. */
import type { Db } from "../../platform/db/database.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

/** Deletes logs of runs that ended before a time; returns of how many runs. */
export async function pruneRunEvents(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`with old as (${oldLogs(before)} order by r.ended_at limit ${limit}),
    gone as (delete from assistant_run_events e using old where e.run_id = old.id)
    select count(*) as n from old`.execute(db);
  return rows[0]?.n ?? 0;
}

const oldLogs = (before: Date): Sql => sql`select r.id from assistant_runs r where r.ended_at < ${before}
  and exists (select 1 from assistant_run_events e where e.run_id = r.id)`;

export async function countOldLogs(db: Db, before: Date, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (${oldLogs(before)} limit ${most})
    found`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Of a session `s`. One with a run that has not ended stays. */
const isOld = (
  before: Date,
): Sql => sql`s.updated_at < ${before} and not exists (select 1 from assistant_runs r
  where r.session_id = s.id and r.status in ('queued', 'running', 'waiting'))`;

export interface PrunedSessions {
  deleted: number;
  /** The last session that was looked at; null when there is none after the position. */
  last: string | null;
  isDone: boolean;
}

/** Looks at the next sessions in the order of their ids, and deletes those that are old, with their runs and messages. */
export async function pruneSessions(
  db: Db,
  before: Date,
  { after, limit }: { after: string | null; limit: number },
): Promise<PrunedSessions> {
  const { rows } = await sql<{ deleted: number; last: string | null; count: number }>`
    with page as materialized (select s.id from assistant_sessions s
      where ${after}::uuid is null or s.id > ${after}::uuid order by s.id limit ${limit}),
    old as (select s.id from assistant_sessions s join page on page.id = s.id where ${isOld(before)}
      for update of s skip locked),
    gone as (delete from assistant_sessions d using old where d.id = old.id returning 1)
    select (select count(*) from gone) as deleted,
      (select id from page order by id desc limit 1) as last, (select count(*) from page) as count`.execute(
    db,
  );
  const { deleted = 0, last = null, count = 0 } = rows[0] ?? {};
  return { deleted, last, isDone: count < limit };
}

export async function countOldSessions(db: Db, before: Date, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (select 1 from assistant_sessions s
    where ${isOld(before)} limit ${most}) found`.execute(db);
  return rows[0]?.n ?? 0;
}

export async function pruneUsage(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await sql`delete from assistant_usage where id in (select id from assistant_usage
    where at < ${before} limit ${limit})`.execute(db);
  return rowCount;
}

export async function countOldUsage(db: Db, before: Date, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (select 1 from assistant_usage
    where at < ${before} limit ${most}) found`.execute(db);
  return rows[0]?.n ?? 0;
}
