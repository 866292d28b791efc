/** The tables of a schema, for a copy of what is in them. */
import type pg from "pg";

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
      where n.nspname = $1 and k.contype = 'f' and f.oid <> t.oid`,
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

export async function readSequences(client: pg.Client, schema: string): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select sequencename as name, last_value::text as last from pg_sequences where schemaname = $1 order by 1`,
    [schema],
  );
  return rows;
}

/** A name within a statement. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const columnList = ({ columns }: TableShape): string => columns.map(quoted).join(", ");
