/** How far events can be read across all streams, and what holds that back. */
import type { Db } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { preparedWriter, type EventSnapshot } from "./watermark.ts";

/** Locks of transactions that have inserted events, also of prepared ones, which have no process. */
const writerLocks = sql`(select pid, virtualtransaction from pg_locks where locktype = 'relation' and granted
  and database = (select oid from pg_database where datname = current_database())
  and relation = 'events'::regclass and mode = 'RowExclusiveLock') l`;

/** One statement, so that the locks are read after the snapshot that shows the highest id. */
export async function readEventSnapshot(db: Db): Promise<EventSnapshot> {
  const { rows } = await sql<EventSnapshot>`select coalesce((select max(id) from events), 0) as top,
    array(select case when l.pid is null then ${preparedWriter} else l.virtualtransaction end
      from ${writerLocks}) as writers`.execute(db);
  return rows[0] ?? { top: 0, writers: [] };
}

export interface EventWriter {
  /** Null for a prepared transaction. */
  pid: number | null;
  /** Name of a prepared transaction. */
  prepared: string | null;
  /** Since it began; null where this user may not see that. */
  seconds: number | null;
}

/** A transaction that writes takes less. Among many writers some are open at any time, each for an instant. */
export const longSeconds = 60;

/** Transactions that hold back what comes after their events: prepared, open for so long, or of unknown age; the oldest first. */
export async function listEventWriters(
  db: Db,
  { limit, forSeconds }: { limit: number; forSeconds: number },
): Promise<EventWriter[]> {
  const { rows } = await sql<EventWriter>`select pid, prepared, seconds from (select l.pid,
        left(p.gid, 100) as prepared,
        extract(epoch from now() - coalesce(a.xact_start, p.prepared))::float8 as seconds
      from ${writerLocks}
        left join pg_stat_activity a on a.pid = l.pid
        left join pg_locks t on l.pid is null and t.pid is null and t.virtualtransaction = l.virtualtransaction
          and t.locktype = 'transactionid'
        left join pg_prepared_xacts p on p.transaction = t.transactionid) w
    where pid is null or seconds is null or seconds >= ${forSeconds}
    order by seconds desc nulls last limit ${limit}`.execute(db);
  return rows;
}
