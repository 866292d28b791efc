import type { Db } from "./database.ts";
import { sql } from "./sql.ts";

/**
 * For each group of tables a text that changes soon after their rows have changed, without reading any row. It is made of the
 * server's statistics counters, which are written after the commit, so the changed rows can be read. The
 * counters may be some seconds late, and do not change where `track_counts` is off.
 */
export async function readTableMarks(db: Db, groups: readonly (readonly string[])[]): Promise<string[]> {
  const given = groups.flatMap((tables, n) => tables.map((name) => ({ group: n, name })));
  const { rows } = await sql<{ group: number; mark: string }>`select t."group", string_agg(concat_ws('.',
      pg_stat_get_tuples_inserted(t.id), pg_stat_get_tuples_updated(t.id), pg_stat_get_tuples_deleted(t.id)),
      ' ' order by t.name) as mark
    from (select "group", name, to_regclass(name)::oid as id
      from json_to_recordset(${JSON.stringify(given)}::json) as given ("group" int, name text)) t
    group by t."group"`.execute(db);
  const marks = new Map(rows.map(({ group, mark }) => [group, mark]));
  return groups.map((_, n) => marks.get(n) ?? "");
}
