/**
 * Numbered, forward-only SQL migrations; one at a time across all processes, each in its own transaction. A program may
 * run on a schema that has migrations it does not know, unless one of them asks for a newer program.
 */
import type pg from "pg";
import { Failure } from "../../errors/failure.ts";
import { connectTo, type Connection, type Database } from "../database.ts";
import type { LimitedClient } from "../limited-client.ts";
import { endOnAbort, runLongStatement, takeLock } from "./migration-session.ts";
import {
  prepareTable,
  readApplied,
  readColumns,
  recordApplied,
  refuseForeignTable,
  refuseUnfitSchema,
  type Applied,
} from "./migration-table.ts";
import { readMigrations, type Migration } from "./read-migrations.ts";
import { refuseSecondInstallation } from "./second-installation.ts";
import { refuseUnfinishedRestore } from "./unfinished-restore.ts";
import { platformService, type MigratedService } from "./service.ts";

export interface MigrateOptions {
  /** Whose tables they are; the platform's unless given. */
  service?: MigratedService;
  /** In place of the service's own. */
  directory?: string;
  /** The schema's own name, to install into it although another one of the database holds this product's tables. */
  newSchema?: string | undefined;
  /** Name of the newest migration that is applied, in place of all. */
  last?: string;
  /** It is a restore that asks, which may go on with a schema that it has begun to fill. */
  isRestore?: boolean;
  /** Runs before a migration that programs older than `required` cannot work with; rejects when they do not leave. */
  expelOlder?: (required: number, migration: string) => Promise<void>;
  /** Ends the wait for another process's migrations, and the migration under way, which is rolled back. */
  signal?: AbortSignal | undefined;
}

export interface Migrated {
  /** Names of the migrations that were applied just now. */
  applied: string[];
  /** Number of the newest migration that this program knows. */
  schemaVersion: number;
}

/** Makes the database and the schema when missing, then applies what is new. Refuses a schema that this program must not touch. */
export async function migrate(database: Database, options: MigrateOptions = {}): Promise<Migrated> {
  const { connection } = database;
  const { service = platformService } = options;
  const all = await readMigrations(options.directory ?? service.directory);
  const { last } = options;
  const migrations = last === undefined ? all : all.filter(({ name }) => name <= last);
  const schemaVersion = migrations.at(-1)?.number ?? 0;
  const fits = { connection, newest: schemaVersion, service };
  const known = await readApplied(database.pool).catch(nullWhenMissing);
  if (known !== null) {
    await refuseUnfitSchema(known, fits);
    if (options.isRestore !== true) await refuseUnfinishedRestore(database.pool, connection);
    // Nearly every start: no lock and no extra connection are needed.
    if (migrations.every((each) => isApplied(each, known))) return { applied: [], schemaVersion };
  }
  const client = await connectCreating(database);
  const stayOpen = endOnAbort(client, options.signal);
  try {
    await takeLock(client, service.lock);
    const first = migrations[0]?.name ?? "";
    await openSchema(client, { connection, first, newSchema: options.newSchema, service });
    const done = await readApplied(client);
    await refuseUnfitSchema(done, fits);
    const open = migrations.filter((each) => !isApplied(each, done));
    for (const migration of open) {
      if (asksForLeave(migration, done)) await options.expelOlder?.(migration.compatibleFrom, migration.name);
      await apply(client, migration, { database, service });
    }
    return { applied: open.map(({ name }) => name), schemaVersion };
  } finally {
    stayOpen();
    await client.end();
  }
}

/** The first migration after which workers say which schema they know. */
const firstWithVersions = 16;

/** Whether programs may be at work that the migration would break; on a fresh schema there are none. */
const asksForLeave = ({ compatibleFrom }: Migration, done: Applied): boolean =>
  done.size > 0 && compatibleFrom >= firstWithVersions;

interface Opening {
  connection: Connection;
  /** The first migration's name. */
  first: string;
  newSchema: string | undefined;
  service: MigratedService;
}

/** Leaves the schema with a migration table of this service, or refuses and changes nothing. */
async function openSchema(client: pg.Client, opening: Opening): Promise<void> {
  const { connection, service } = opening;
  const columns = await readColumns(client, connection.schema);
  if (columns === null) await refuseSecondInstallation(client, opening);
  else await refuseForeignTable(client, { ...opening, columns });
  const { rows } = await client.query("select 1 from pg_namespace where nspname = $1", [connection.schema]);
  // Checked first, because the statement needs the right to create schemas even when the schema exists.
  if (rows.length === 0) await client.query(`create schema if not exists ${quote(connection.schema)}`);
  await prepareTable(client, service);
}

function isApplied({ name, checksum }: Migration, done: Applied): boolean {
  const known = done.get(name);
  if (known !== undefined && known.checksum !== checksum) throw changed(name);
  return known !== undefined;
}

/** PostgreSQL's codes for a database, a schema, a table and a column that do not exist. */
const missing = { database: "3D000", schema: "3F000", table: "42P01", column: "42703" };

function nullWhenMissing(error: { code?: string }): null {
  if (Object.values(missing).includes(error.code ?? "")) return null;
  throw error;
}

async function connectCreating(database: Database): Promise<LimitedClient> {
  try {
    return await database.connect();
  } catch (error) {
    if ((error as { code?: string }).code !== missing.database) throw error;
    await ensureDatabase(database.connection);
    return database.connect();
  }
}

async function apply(
  client: pg.Client,
  migration: Migration,
  { database, service }: { database: Database; service: MigratedService },
): Promise<void> {
  await client.query("begin");
  await runLongStatement(client, migration.text, database);
  await recordApplied(client, migration, service);
  await client.query("commit");
}

/** Creates the database itself where it is missing, connecting through `postgres`. */
export async function ensureDatabase(connection: Connection): Promise<void> {
  const client = await connectTo({ ...connection, dbname: "postgres" });
  try {
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [
      connection.dbname,
    ]);
    if (rowCount === 0) {
      await client.query(`create database ${quote(connection.dbname)}`).catch((error: { code?: string }) => {
        if (error.code !== "42P04" && error.code !== "23505") throw error;
      });
    }
  } finally {
    await client.end();
  }
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function changed(name: string): Failure {
  return new Failure({
    kind: "internal",
    code: "PLATFORM_MIGRATION_CHANGED",
    message: `The migration ${name} was changed after it had been applied to this database.`,
    solutions: ["Restore the file as it was and put the change into a new migration."],
  });
}
