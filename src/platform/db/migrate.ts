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
  const files = (await readdir(directory)).filter((name) => name.endsWith(".sql")).sort();
  const client = await connectCreating(database);
  try {
    await client.query("select pg_advisory_lock($1)", [lockKey]);
    const schema = quote(database.connection.schema);
    await client.query(`create schema if not exists ${schema}`);
    await client.query(
      `create table if not exists ${schema}.schema_migrations
         (name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    );
    const { rows } = await client.query<{ name: string; checksum: string }>(
      "select * from schema_migrations",
    );
    const done = new Map(rows.map((row) => [row.name, row.checksum]));
    const applied: string[] = [];
    for (const name of files) {
      const text = await readFile(join(directory, name), "utf8");
      const checksum = createHash("sha256").update(text).digest("hex");
      const known = done.get(name);
      if (known === undefined) {
        await apply(client, name, { text, checksum });
        applied.push(name);
      } else if (known !== checksum) throw changed(name);
    }
    return applied;
  } finally {
    await client.end();
  }
}

/** Nearly always the database is there, and each connection is a part of the time until a process is up. */
async function connectCreating(database: Database): Promise<pg.Client> {
  try {
    return await database.connect();
  } catch (error) {
    if ((error as { code?: string }).code !== missingDatabase) throw error;
    await ensureDatabase(database.connection);
    return database.connect();
  }
}

/** PostgreSQL's code for a database that does not exist. */
const missingDatabase = "3D000";

async function apply(
  client: pg.Client,
  name: string,
  file: { text: string; checksum: string },
): Promise<void> {
  await client.query("begin");
  await client.query(file.text);
  await client.query("insert into schema_migrations (name, checksum) values ($1, $2)", [name, file.checksum]);
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
