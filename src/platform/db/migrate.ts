/** Numbered, forward-only SQL migrations; one at a time across all processes, each in its own transaction. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { Failure } from "../errors/failure.ts";
import { connectTo, type Connection, type Database } from "./database.ts";

const lockKey = 0x706c696e;

export const migrationsDirectory = join(import.meta.dirname, "../../../migrations");

/** Makes the database and the schema when missing, then applies what is new. Returns the applied names. */
export async function migrate(
  database: Database,
  directory: string = migrationsDirectory,
): Promise<string[]> {
  const migrations = await readMigrations(directory);
  const known = await readApplied(database.pool).catch(noneWhenMissing);
  // Nearly every start: nothing to lock, and no connection to make for it.
  if (migrations.every((each) => isApplied(each, known))) return [];
  const client = await connectCreating(database);
  try {
    await client.query("select pg_advisory_lock($1)", [lockKey]);
    const schema = quote(database.connection.schema);
    await client.query(`create schema if not exists ${schema}`);
    await client.query(
      `create table if not exists ${schema}.schema_migrations
         (name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    );
    const done = await readApplied(client);
    const open = migrations.filter((each) => !isApplied(each, done));
    for (const migration of open) await apply(client, migration);
    return open.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

interface Migration {
  name: string;
  text: string;
  checksum: string;
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(directory, name), "utf8");
      return { name, text, checksum: createHash("sha256").update(text).digest("hex") };
    }),
  );
}

/** Checksums by name. */
async function readApplied(
  db: Pick<pg.Client, "query"> | Pick<pg.Pool, "query">,
): Promise<Map<string, string>> {
  const { rows } = await db.query<Pick<Migration, "name" | "checksum">>(
    "select name, checksum from schema_migrations",
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

function isApplied({ name, checksum }: Migration, done: ReadonlyMap<string, string>): boolean {
  const known = done.get(name);
  if (known !== undefined && known !== checksum) throw changed(name);
  return known !== undefined;
}

/** PostgreSQL's codes for a database, a schema and a table that do not exist. */
const missing = { database: "3D000", schema: "3F000", table: "42P01" };

function noneWhenMissing(error: { code?: string }): Map<string, string> {
  if (Object.values(missing).includes(error.code ?? "")) return new Map();
  throw error;
}

async function connectCreating(database: Database): Promise<pg.Client> {
  try {
    return await database.connect();
  } catch (error) {
    if ((error as { code?: string }).code !== missing.database) throw error;
    await ensureDatabase(database.connection);
    return database.connect();
  }
}

async function apply(client: pg.Client, { name, text, checksum }: Migration): Promise<void> {
  await client.query("begin");
  await client.query(text);
  await client.query("insert into schema_migrations (name, checksum) values ($1, $2)", [name, checksum]);
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
