import type { Db } from "./database.ts";
import { sql } from "./sql.ts";

/**
 * A text that changes soon after rows of the tables have changed, without reading any row. It is made of the
 * server's statistics counters, which are written after the commit, so the changed rows can be read. The
 * counters may be some seconds late, and do not change where `track_counts` is off.
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
