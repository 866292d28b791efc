/**
 * What a schema that is to be filled has in it. While a restore is unfinished a table of its own says which backup the rows of the
 * schema are from; it is made in the transaction that stores them.
 */
import type pg from "pg";
import { tablesOf } from "../db/migrations/own-tables.ts";
import { readMigrations } from "../db/migrations/read-migrations.ts";
import { hasUnfinishedRestore, unfinishedRestoreTable } from "../db/migrations/unfinished-restore.ts";
import { errorCode } from "../errors/error-code.ts";
import type { Failure } from "../errors/failure.ts";
import {
  conflict,
  connectFor,
  withPlainFaults,
  type BackedUpService,
  type ServiceManifest,
} from "./service.ts";
import { quoted, readTables } from "./tables.ts";

export type TargetState =
  | "empty"
  /** An earlier run has stored the rows of this backup. */
  | "stored"
  | { usedTable: string };

/** Changes nothing. Rejects with a Failure where nothing of this backup can come into the schema. */
export const readState = (
  target: BackedUpService,
  manifest: ServiceManifest,
  backup: string,
): Promise<TargetState> =>
  withPlainFaults(target, async () => {
    await refuseUnknownMigration(target, manifest);
    const client = await connectFor(target, "plinth restore").catch((error: unknown) => {
      if (errorCode(error) === "3D000") return null;
      throw error;
    });
    if (client === null) return "empty";
    try {
      return await stateIn(client, { target, manifest, backup });
    } finally {
      await client.end().catch(() => undefined);
    }
  });

interface Looked {
  target: BackedUpService;
  manifest: ServiceManifest;
  backup: string;
}

async function stateIn(client: pg.Client, { target, manifest, backup }: Looked): Promise<TargetState> {
  const mark = await readMark(client, target);
  if (mark !== null && mark !== backup)
    throw conflict(`${nameOf(target)} has rows of another backup, whose restore is unfinished.`, [
      "Repeat that restore with its backup, or restore into a new database, or a new data directory.",
    ]);
  if (mark !== null) return "stored";
  const applied = await readNames(client);
  const usedTable = await findUsedTable(client, target, applied);
  if (usedTable !== null) return { usedTable };
  const newer = applied.filter((name) => name > manifest.migration).toSorted();
  if (newer.length > 0)
    throw conflict(
      `${nameOf(target)} is at the migration ${newer.at(-1)}, and the backup at ${manifest.migration}, which is older.`,
      ["Restore into a new database, or a new data directory: they are brought up to date afterwards."],
    );
  return "empty";
}

/** Names of the applied migrations; none where the table is missing, or another product's, which migrating then refuses. */
const readNames = (client: pg.Client): Promise<string[]> =>
  client.query<{ name: string }>("select name from schema_migrations").then(
    ({ rows }) => rows.map(({ name }) => name),
    (error: unknown) => {
      if (["42P01", "42703"].includes(errorCode(error))) return [];
      throw error;
    },
  );

async function readMark(client: pg.Client, { connection }: BackedUpService): Promise<string | null> {
  if (!(await hasUnfinishedRestore(client, connection))) return null;
  const { rows } = await client.query<{ backup: string }>(
    `select backup from ${quoted(unfinishedRestoreTable)}`,
  );
  return rows[0]?.backup ?? "";
}

/** A table of the product with rows that no migration made: somebody has begun to work with the schema. Null where there is none. */
export async function findUsedTable(
  client: pg.Client,
  { service, connection }: BackedUpService,
  applied: readonly string[],
): Promise<string | null> {
  const migrations = await readMigrations(service.directory);
  const texts = migrations.filter(({ name }) => applied.includes(name)).map(({ text }) => text);
  const [own, filled] = [tablesOf(texts), filledBy(texts)];
  const present = await readTables(client, connection.schema);
  const looked = present.filter(({ name }) => own.has(name) && !filled.has(name));
  if (looked.length === 0) return null;
  const parts = looked.map(
    ({ name }) => `select ${client.escapeLiteral(name)} as name where exists (select 1 from ${quoted(name)})`,
  );
  const { rows } = await client.query<{ name: string }>(`${parts.join(" union all ")} limit 1`);
  return rows[0]?.name ?? null;
}

/** Pure. The tables into which migrations put first rows; what they copy out of other tables is not among them. */
function filledBy(migrations: readonly string[]): Set<string> {
  const first = /^insert into (\w+)\s*(?:\([^)]*\)\s*)?(?:default\s+)?values\b/gim;
  return new Set(migrations.flatMap((text) => [...text.matchAll(first)].map(([, name = ""]) => name)));
}

export const usedFailure = (target: BackedUpService, table: string): Failure =>
  conflict(`${nameOf(target)} is used by an installation: its table ${table} has rows.`, [
    "Restore into a new database, or a new data directory; nothing is overwritten.",
  ]);

/** Marks the schema in the transaction that stores the rows. */
export const markStored = (client: pg.Client, backup: string): Promise<unknown> =>
  client.query(
    `create table ${quoted(unfinishedRestoreTable)} as select ${client.escapeLiteral(backup)}::text as backup`,
  );

/** The restore is over. */
export const removeMark = (target: BackedUpService): Promise<void> =>
  withPlainFaults(target, async () => {
    const client = await connectFor(target, "plinth restore");
    try {
      await client.query(`drop table if exists ${quoted(unfinishedRestoreTable)}`);
    } finally {
      await client.end().catch(() => undefined);
    }
  });

async function refuseUnknownMigration(
  { service }: BackedUpService,
  { migration }: ServiceManifest,
): Promise<void> {
  const known = await readMigrations(service.directory);
  if (known.some(({ name }) => name === migration)) return;
  throw conflict(
    `The backup has the migration ${migration} of ${service.name}, which this program does not know.`,
    ["Restore it with the version of the product that made it, or a newer one."],
  );
}

const nameOf = ({ connection: { schema, dbname } }: BackedUpService): string =>
  `The schema ${schema} of ${dbname}`;
