/** Reads live objects from PostgreSQL's catalogue. */
import type { RelationName } from "./descriptor/identifiers.ts";
import { quoteRelation } from "./descriptor/identifiers.ts";
import { postgresLimits } from "./limits.ts";
import type { Session } from "./session.ts";

export type RelationKind = "table" | "view" | "materialized view" | "other";

export interface LiveRelation extends RelationName {
  oid: string;
  kind: RelationKind;
  /** Name of the role that owns it. */
  role: string;
}

export interface LiveColumn {
  name: string;
  /** As `format_type` writes it. */
  type: string;
  notNull: boolean;
  primaryKey: boolean;
  /** Has a unique constraint of its own. */
  unique: boolean;
  description: string | null;
}

const relationFields = `c.oid::text AS oid, n.nspname AS schema, c.relname AS name,
  pg_get_userbyid(c.relowner)::text AS role,
  CASE c.relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'table' WHEN 'v' THEN 'view'
    WHEN 'm' THEN 'materialized view' ELSE 'other' END AS kind`;

export async function findRelation(session: Session, name: RelationName): Promise<LiveRelation | undefined> {
  const [row] = await session.query<LiveRelation>(
    `SELECT ${relationFields} FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relname = $2`,
    [name.schema, name.name],
  );
  return row;
}

/** The columns in their order, without dropped and system ones. */
export function readColumns(session: Session, oid: string): Promise<LiveColumn[]> {
  return session.query<LiveColumn>(
    `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS "notNull",
       EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conrelid = a.attrelid AND k.contype = 'p'
               AND a.attnum = ANY (k.conkey)) AS "primaryKey",
       EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conrelid = a.attrelid AND k.contype = 'u'
               AND k.conkey = ARRAY[a.attnum]) AS "unique",
       col_description(a.attrelid, a.attnum) AS description
     FROM pg_attribute a WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
    [oid],
  );
}

/** Views and materialised views that read the relation directly. */
export function readDependants(session: Session, oid: string): Promise<LiveRelation[]> {
  return session.query<LiveRelation>(
    `SELECT DISTINCT ${relationFields}
     FROM pg_depend d JOIN pg_rewrite w ON w.oid = d.objid JOIN pg_class c ON c.oid = w.ev_class
       JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = $1::oid
       AND c.oid <> $1::oid ORDER BY 2, 3`,
    [oid],
  );
}

/** Relations that a view or materialised view reads and that a role may not. */
export function readForbiddenSources(session: Session, oid: string, role: string): Promise<RelationName[]> {
  return session.query<RelationName>(
    `SELECT DISTINCT n.nspname AS schema, c.relname AS name
     FROM pg_rewrite w JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid
       JOIN pg_class c ON d.refclassid = 'pg_class'::regclass AND c.oid = d.refobjid
       JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE w.ev_class = $1::oid AND c.oid <> $1::oid AND NOT has_table_privilege($2, c.oid, 'SELECT')
       AND NOT has_any_column_privilege($2, c.oid, 'SELECT')`,
    [oid, role],
  );
}

export async function mayRead(session: Session, role: string, oid: string): Promise<boolean> {
  const [row] = await session.query<{ may: boolean }>(
    `SELECT has_table_privilege($1, c.oid, 'SELECT') AND has_schema_privilege($1, c.relnamespace, 'USAGE') AS may
     FROM pg_class c WHERE c.oid = $2::oid`,
    [role, oid],
  );
  return row?.may ?? false;
}

export async function hasRows(session: Session, relation: RelationName): Promise<boolean> {
  const rows = await session.query(`SELECT 1 FROM ${quoteRelation(relation)} LIMIT 1`);
  return rows.length > 0;
}

/** Counts rows up to the limit; at the limit the count is a lower bound. */
export async function countRows(
  session: Session,
  relation: RelationName,
): Promise<{ rows: number; atLeast: boolean }> {
  const limit = postgresLimits.countedRows;
  const [row] = await session.query<{ n: string }>(
    `SELECT count(*) AS n FROM (SELECT 1 FROM ${quoteRelation(relation)} LIMIT ${limit}) counted`,
  );
  const rows = Number(row?.n ?? 0);
  return { rows, atLeast: rows >= limit };
}
