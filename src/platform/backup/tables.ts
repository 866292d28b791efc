/** The tables of a schema, for a copy of what is in them. */
import type pg from "pg";
import { tablesOf } from "../db/migrations/own-tables.ts";

export interface TableShape {
  name: string;
  /** In order; those that the database computes are left out. */
  columns: string[];
}

export interface Sequence {
  name: string;
  /** Null while it has given no number. */
  last: string | null;
}

/** Tables before those that refer to them; the table of migrations is left out. */
export async function readTables(client: pg.Client, schema: string): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape>(
    `select c.relname as name,
        coalesce(array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = ''), '{}') as columns
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where n.nspname = $1 and c.relkind = 'r' and c.relname <> 'schema_migrations'
      group by c.relname order by c.relname`,
    [schema],
  );
  const { rows: references } = await client.query<{ from: string; to: string }>(
    `select distinct f.relname as "from", t.relname as "to" from pg_constraint k
        join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
        join pg_namespace n on n.oid = f.relnamespace
      where n.nspname = $1 and t.relnamespace = f.relnamespace and k.contype = 'f' and f.oid <> t.oid`,
    [schema],
  );
  return inOrder(rows, references);
}

function inOrder(
  tables: readonly TableShape[],
  references: readonly { from: string; to: string }[],
): TableShape[] {
  const placed = new Set<string>();
  const ordered: TableShape[] = [];
  let open = [...tables];
  while (open.length > 0) {
    const free = open.filter(({ name }) =>
      references.every(({ from, to }) => from !== name || placed.has(to)),
    );
    if (free.length === 0)
      throw new Error(`The tables ${open.map(({ name }) => name).join(", ")} refer to each other.`);
    for (const table of free) placed.add(table.name);
    ordered.push(...free);
    open = open.filter(({ name }) => !placed.has(name));
  }
  return ordered;
}

/** Those of the product: of columns of its tables, or made by its migrations. */
export async function readSequences(
  client: pg.Client,
  schema: string,
  migrations: readonly string[],
): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence & { table: string | null }>(
    `select s.sequencename as name, s.last_value::text as last, t.relname as table
      from pg_sequences s join pg_namespace n on n.nspname = s.schemaname
        join pg_class c on c.relnamespace = n.oid and c.relname = s.sequencename
        left join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i')
          and d.refclassid = 'pg_class'::regclass and d.refobjsubid > 0
        left join pg_class t on t.oid = d.refobjid
      where s.schemaname = $1 order by 1`,
    [schema],
  );
  const [tables, made] = [tablesOf(migrations), sequencesOf(migrations)];
  return rows
    .filter(({ name, table }) => (table === null ? made.has(name) : tables.has(table)))
    .map(({ name, last }) => ({ name, last }));
}

const sequencesOf = (migrations: readonly string[]): Set<string> =>
  new Set(
    migrations.flatMap((text) =>
      [...text.matchAll(/^create sequence (?:if not exists )?(\w+)/gim)].map(([, name = ""]) => name),
    ),
  );

/** A name within a statement. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const columnList = ({ columns }: TableShape): string => columns.map(quoted).join(", ");
