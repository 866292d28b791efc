/**
 * The adapter's own tables, in a schema of the target database, so that they change in the same transaction
 * as the objects: which component created which object, which schemas the adapter created, which workloads
 * have run.
 */
import type { Owner } from "./descriptor/component.ts";
import { bookkeepingSchema as schema } from "./descriptor/identifiers.ts";
import type { RelationName } from "./descriptor/identifiers.ts";
import type { RelationKind } from "./live-schema.ts";
import type { Database, Session, TransactionOptions } from "./session.ts";

export interface KnownObject extends RelationName {
  environment: string;
  unitId: string;
  componentId: string;
  kind: RelationKind;
  /** Kept: a table whose component was undeployed without removing its data. */
  state: "live" | "kept";
  /** Hash of what a view or materialised view was made from. */
  definition: string | null;
}

export interface Fill {
  componentId: string;
  environment: string;
  targetOid: string;
  definition: string;
  /** Rows of the target that the workload has written and not replaced since. */
  rows: string;
  finishedAt: Date;
}

const statements = [
  `CREATE SCHEMA IF NOT EXISTS ${schema}`,
  `CREATE TABLE IF NOT EXISTS ${schema}.objects (
     schema_name text NOT NULL, object_name text NOT NULL, environment text NOT NULL, unit_id text NOT NULL,
     component_id text NOT NULL, kind text NOT NULL, state text NOT NULL CHECK (state IN ('live', 'kept')),
     definition text, changed_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (schema_name, object_name))`,
  `CREATE INDEX IF NOT EXISTS objects_of_component ON ${schema}.objects (environment, component_id)`,
  `CREATE TABLE IF NOT EXISTS ${schema}.schemas (schema_name text PRIMARY KEY)`,
  `CREATE TABLE IF NOT EXISTS ${schema}.fills (
     environment text NOT NULL, component_id text NOT NULL, target_oid oid NOT NULL, definition text NOT NULL,
     rows bigint NOT NULL, finished_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (environment, component_id))`,
];

/**
 * Runs one transaction with the adapter's tables in place. Missing tables are created first, in a transaction
 * of their own, so that others do not wait for the end of a long first operation.
 */
export async function withBookkeeping<T>(
  database: Database,
  options: TransactionOptions,
  run: (session: Session) => Promise<T>,
): Promise<T> {
  for (;;) {
    const done = await database.transaction(options, async (session) =>
      (await isThere(session)) ? { value: await run(session) } : undefined,
    );
    if (done) return done.value;
    await database.transaction({}, async (session) => {
      await session.lock("bookkeeping");
      for (const statement of statements) await session.query(statement);
    });
  }
}

async function isThere(session: Session): Promise<boolean> {
  const [row] = await session.query<{ there: boolean }>(
    `SELECT to_regclass('${schema}.fills') IS NOT NULL AS there`,
  );
  return row?.there === true;
}

const objectFields = `schema_name AS schema, object_name AS name, environment, unit_id AS "unitId",
  component_id AS "componentId", kind, state, definition`;

export async function findObject(
  session: Session,
  { schema: s, name }: RelationName,
): Promise<KnownObject | undefined> {
  const [row] = await session.query<KnownObject>(
    `SELECT ${objectFields} FROM ${schema}.objects WHERE schema_name = $1 AND object_name = $2`,
    [s, name],
  );
  return row;
}

/** All existing objects of a component, the newest first. */
export function listObjects(session: Session, owner: Owner): Promise<KnownObject[]> {
  return session.query<KnownObject>(
    `SELECT ${objectFields} FROM ${schema}.objects WHERE environment = $1 AND lower(component_id) = lower($2)
     ORDER BY changed_at DESC, object_name DESC`,
    [owner.environment, owner.componentId],
  );
}

export async function rememberObject(
  session: Session,
  owner: Owner,
  object: RelationName & { kind: RelationKind; state?: "live" | "kept"; definition?: string },
): Promise<void> {
  await session.query(
    `INSERT INTO ${schema}.objects
       (schema_name, object_name, environment, unit_id, component_id, kind, state, definition)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (schema_name, object_name) DO UPDATE SET environment = excluded.environment,
       unit_id = excluded.unit_id, component_id = excluded.component_id, kind = excluded.kind,
       state = excluded.state, definition = excluded.definition, changed_at = clock_timestamp()`,
    [
      object.schema,
      object.name,
      owner.environment,
      owner.unitId,
      owner.componentId,
      object.kind,
      object.state ?? "live",
      object.definition ?? null,
    ],
  );
}

export async function forgetObject(session: Session, { schema: s, name }: RelationName): Promise<void> {
  await session.query(`DELETE FROM ${schema}.objects WHERE schema_name = $1 AND object_name = $2`, [s, name]);
}

export async function rememberSchema(session: Session, name: string): Promise<void> {
  await session.query(`INSERT INTO ${schema}.schemas VALUES ($1) ON CONFLICT DO NOTHING`, [name]);
}

/** @returns whether the schema is one that the adapter made, and forgets it. */
export async function forgetSchema(session: Session, name: string): Promise<boolean> {
  const rows = await session.query(`DELETE FROM ${schema}.schemas WHERE schema_name = $1 RETURNING 1`, [
    name,
  ]);
  return rows.length > 0;
}

const fillFields = `environment, component_id AS "componentId", target_oid::text AS "targetOid", definition,
  rows::text AS rows, finished_at AS "finishedAt"`;

export async function findFill(session: Session, owner: Owner): Promise<Fill | undefined> {
  const [row] = await session.query<Fill>(
    `SELECT ${fillFields} FROM ${schema}.fills WHERE environment = $1 AND lower(component_id) = lower($2)`,
    [owner.environment, owner.componentId],
  );
  return row;
}

/** The runs of other components into the same table. */
export async function listOtherFills(session: Session, owner: Owner, targetOid: string): Promise<Fill[]> {
  return session.query<Fill>(
    `SELECT ${fillFields} FROM ${schema}.fills
     WHERE target_oid = $1::oid AND NOT (environment = $2 AND lower(component_id) = lower($3))`,
    [targetOid, owner.environment, owner.componentId],
  );
}

export async function rememberFill(
  session: Session,
  owner: Owner,
  fill: { targetOid: string; definition: string; rows: number },
): Promise<void> {
  await session.query(
    `INSERT INTO ${schema}.fills (environment, component_id, target_oid, definition, rows)
     VALUES ($1, $2, $3::oid, $4, $5)
     ON CONFLICT (environment, component_id) DO UPDATE SET target_oid = excluded.target_oid,
       definition = excluded.definition, rows = excluded.rows, finished_at = now()`,
    [owner.environment, owner.componentId, fill.targetOid, fill.definition, fill.rows],
  );
}

export async function forgetFill(session: Session, owner: Owner): Promise<void> {
  await session.query(
    `DELETE FROM ${schema}.fills WHERE environment = $1 AND lower(component_id) = lower($2)`,
    [owner.environment, owner.componentId],
  );
}

/** Runs into a dropped table are obsolete; a later table could even get its oid. */
export async function forgetFillsOf(session: Session, targetOid: string): Promise<void> {
  await session.query(`DELETE FROM ${schema}.fills WHERE target_oid = $1::oid`, [targetOid]);
}
