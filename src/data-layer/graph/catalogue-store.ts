/** What a database has that could be shown, read from its catalogue; no privilege is needed for that. */
import { createHash } from "node:crypto";
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { FoundTable } from "./metadata.ts";
import type { Source } from "./sources.ts";

interface TableRow {
  schema: string;
  name: string;
  description: string;
  filtersRows: boolean;
}

/** Tables and views of the source that may be read, by schema and name. */
export async function readTables(db: Db, source: Source): Promise<FoundTable[]> {
  if (source.excludeSchemas.includes("*")) return [];
  const allowed = await schemasOf(db, source);
  const { rows } = await sql<TableRow>`
    select n.nspname as schema, c.relname as name,
      c.relrowsecurity and (c.relforcerowsecurity or not pg_has_role(c.relowner, 'usage'))
        and not exists (select from pg_roles where rolname = current_user and (rolsuper or rolbypassrls))
        as "filtersRows",
      json_build_array(c.relkind, obj_description(c.oid, 'pg_class'), pg_get_viewdef(c.oid),
        (select json_agg(json_build_array(a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
            col_description(c.oid, a.attnum)) order by a.attnum)
          from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
        (select json_agg(pg_get_constraintdef(k.oid) order by k.conname)
          from pg_constraint k where k.conrelid = c.oid))::text as description
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition
      and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      and (cardinality(${allowed}::text[]) = 0 or n.nspname = any(${allowed}::text[]))
      and n.nspname <> all(${[...source.excludeSchemas]}::text[])
      and has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select')
    order by n.nspname collate "C", c.relname collate "C"`.execute(db);
  return rows
    .filter(
      ({ description }) =>
        !source.isOwn || description.includes(`@plinthSource ${source.name.toLowerCase()}`),
    )
    .map(({ schema, name, description, filtersRows }) => ({
      schema,
      name,
      hash: createHash("sha256").update(description).digest("hex"),
      filtersRows,
    }));
}

/** A second installation in a database has its views in a schema beside `data_layer`. */
async function schemasOf(db: Db, { isOwn, allowSchemas, connection }: Source): Promise<string[]> {
  if (!isOwn || !allowSchemas.includes(sharedSchema)) return [...allowSchemas];
  const beside = `${connection.schema.slice(0, 52)}_${sharedSchema}`;
  const { rows } = await sql<{ name: string }>`select nspname as name from pg_namespace
    where nspname = ${beside}`.execute(db);
  return allowSchemas.map((name) => (name === sharedSchema && rows.length > 0 ? beside : name));
}

const sharedSchema = "data_layer";
