import { sql } from "kysely";
import type { Db } from "./database.ts";

/**
 * A text that becomes another one soon after rows of the tables have changed, without a look at any row. It is made of the
 * server's own counters, which are written once a change is committed: what a mark tells of can be read. They may be some
 * seconds late, and stand still where `track_counts` is off.
 */
export async function readTableMark(db: Db, tables: readonly string[]): Promise<string> {
  const { rows } = await sql<{ mark: string }>`select coalesce(string_agg(concat_ws('.',
      pg_stat_get_tuples_inserted(t.id), pg_stat_get_tuples_updated(t.id), pg_stat_get_tuples_deleted(t.id)),
      ' ' order by t.n), '') as mark
    from (select to_regclass(name)::oid as id, n from unnest(${[...tables]}::text[]) with ordinality as given (name, n)) t`.execute(
    db,
  );
  return rows[0]?.mark ?? "";
}
