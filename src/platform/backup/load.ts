/** Puts the tables of a backup into an empty installation. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { openDatabase } from "../db/database.ts";
import { migrate } from "../db/migrations/migrate.ts";
import { readMigrations } from "../db/migrations/read-migrations.ts";
import { Failure } from "../errors/failure.ts";
import type { Logger } from "../lib/logger.ts";
import { connectFor, type BackedUpService, type ServiceManifest } from "./service.ts";
import { columnList, quoted, readTables } from "./tables.ts";

export interface LoadOptions {
  log: Logger;
  signal?: AbortSignal | undefined;
}

/** A service whose tables are being filled, in one transaction. */
export interface ServiceLoad {
  /** Content of a table, in the order of the backup. */
  take(table: string, content: Buffer): Promise<void>;
  /** Compares what has arrived with the manifest, and commits; then newer migrations are applied. */
  finish(): Promise<void>;
  /** Takes back what has not been committed. */
  abort(): Promise<void>;
}

/** Brings the schema to the migration of the backup. Refuses one that this program does not know, and a schema that is used. */
export async function prepareService(
  target: BackedUpService,
  { migration }: ServiceManifest,
  { log, signal }: LoadOptions,
): Promise<void> {
  const { service, connection, usedTable } = target;
  const known = await readMigrations(service.directory);
  if (!known.some(({ name }) => name === migration))
    throw refusal(
      `The backup has the migration ${migration} of ${service.name}, which this program does not know.`,
      ["Restore it with the version of the product that made it, or a newer one."],
    );
  const database = openDatabase({ connection, log });
  try {
    if (usedTable !== undefined && (await isUsed(database.pool, usedTable)))
      throw refusal(`The schema ${connection.schema} of ${connection.dbname} is used by an installation.`, [
        "Restore into a new database, or a new data directory; nothing is overwritten.",
      ]);
    await migrate(database, { service, last: migration, signal });
  } finally {
    await database.close();
  }
}

async function isUsed(pool: pg.Pool, table: string): Promise<boolean> {
  try {
    const { rows } = await pool.query(`select 1 from ${quoted(table)} limit 1`);
    return rows.length > 0;
  } catch (error) {
    // No database, no schema, no table.
    if (["3D000", "3F000", "42P01"].includes((error as { code?: string }).code ?? "")) return false;
    throw error;
  }
}

export async function loadService(
  target: BackedUpService,
  manifest: ServiceManifest,
  { log, signal }: LoadOptions,
): Promise<ServiceLoad> {
  const { service, connection } = target;
  const client = await connectFor(target, "plinth restore");
  const tables = new Map(manifest.tables.map((table) => [table.name, table]));
  try {
    await client.query("begin");
    const present = await readTables(client, connection.schema);
    for (const { name } of present) await client.query(`alter table ${quoted(name)} disable trigger user`);
    await client.query(`truncate ${present.map(({ name }) => quoted(name)).join(", ")}`);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  return {
    async take(name, content) {
      const table = tables.get(name);
      if (table === undefined)
        throw refusal(`The backup has content of ${name}, which its manifest does not list.`, []);
      const copy = client.query(copyFrom(`copy ${quoted(name)} (${columnList(table)}) from stdin`));
      await pipeline(Readable.from([content]), copy);
    },
    async finish() {
      for (const { name, rows: expected } of manifest.tables) {
        const { rows } = await client.query<{ count: string }>(
          `select count(*)::text as count from ${quoted(name)}`,
        );
        if (Number(rows[0]?.count) !== expected)
          throw refusal(`${name} has ${rows[0]?.count} rows, and the backup ${expected}.`, [
            "Use another backup: this one is damaged.",
          ]);
        await client.query(`alter table ${quoted(name)} enable trigger user`);
      }
      for (const { name, last } of manifest.sequences)
        if (last !== null) await client.query("select setval($1::regclass, $2)", [quoted(name), last]);
      await client.query("commit");
      await client.end();
      const database = openDatabase({ connection, log });
      try {
        await migrate(database, { service, signal });
      } finally {
        await database.close();
      }
    },
    async abort() {
      await client.end().catch(() => undefined);
    },
  };
}

const refusal = (message: string, solutions: string[]): Failure =>
  new Failure({ kind: "conflict", code: "PLATFORM_BACKUP", message, solutions });
