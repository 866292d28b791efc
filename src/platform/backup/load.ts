/** Puts the tables of a backup into an empty schema. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { openDatabase } from "../db/database.ts";
import { migrate } from "../db/migrations/migrate.ts";
import { tablesOf } from "../db/migrations/own-tables.ts";
import { readMigrations } from "../db/migrations/read-migrations.ts";
import type { Logger } from "../lib/logger.ts";
import {
  conflict,
  connectFor,
  withPlainFaults,
  type BackedUpService,
  type ServiceManifest,
} from "./service.ts";
import { columnList, quoted, readSequences, readTables } from "./tables.ts";
import { findUsedTable, markStored, usedFailure } from "./target.ts";

export interface MigrateOptions {
  log: Logger;
  signal?: AbortSignal | undefined;
}

/** A service whose tables are being filled, in one transaction. */
export interface ServiceLoad {
  /** Content of a table, in the order of the backup. */
  take(table: string, content: Buffer): Promise<void>;
  /** Compares what has arrived with the manifest. */
  check(): Promise<void>;
  /** Stores it, and marks the schema with the backup. */
  commit(): Promise<void>;
  /** Takes back what has not been committed. */
  abort(): Promise<void>;
}

/** Makes the schema, or brings it to that migration; to the newest one unless told. */
export const migrateService = (
  target: BackedUpService,
  { log, signal }: MigrateOptions,
  last?: string,
): Promise<void> =>
  withPlainFaults(target, async () => {
    const { service, connection } = target;
    const database = openDatabase({ connection, log });
    try {
      await migrate(database, { service, signal, isRestore: true, ...(last !== undefined && { last }) });
    } finally {
      await database.close();
    }
  });

/** Empties the tables of the backup in the schema; those of others stay as they are. */
export async function loadService(
  target: BackedUpService,
  manifest: ServiceManifest,
  backup: string,
): Promise<ServiceLoad> {
  const plainly = <T>(work: () => Promise<T>): Promise<T> => withPlainFaults(target, work);
  const client = await plainly(() => connectFor(target, "plinth restore"));
  const tables = new Map(manifest.tables.map((table) => [table.name, table]));
  try {
    await plainly(() => emptyTables(client, target, manifest));
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  return {
    take: (name, content) =>
      plainly(async () => {
        const table = tables.get(name);
        if (table === undefined)
          throw conflict(`The backup has content of ${name}, which its manifest does not list.`, damaged);
        const copy = client.query(copyFrom(`copy ${quoted(name)} (${columnList(table)}) from stdin`));
        await pipeline(Readable.from([content]), copy);
      }),
    check: () => plainly(() => checkTables(client, target, manifest)),
    commit: () =>
      plainly(async () => {
        await markStored(client, backup);
        await client.query("commit");
        await client.end();
      }),
    async abort() {
      await client.end().catch(() => undefined);
    },
  };
}

async function emptyTables(
  client: pg.Client,
  target: BackedUpService,
  { tables, migration }: ServiceManifest,
): Promise<void> {
  const migrations = await migrationsUntil(target, migration);
  const own = tablesOf(migrations.map(({ text }) => text));
  const foreign = tables.find(({ name }) => !own.has(name));
  if (foreign) throw conflict(`The backup has the table ${foreign.name}, which no migration makes.`, damaged);
  await client.query("begin");
  const present = await readTables(client, target.connection.schema);
  const wanted = present.filter(({ name }) => tables.some((table) => table.name === name));
  for (const { name } of wanted) await client.query(`alter table ${quoted(name)} disable trigger user`);
  // Nobody can write to the tables from here on: a server may have started since the schema was looked at.
  const names = migrations.map(({ name }) => name);
  const usedTable = await findUsedTable(client, target, names);
  if (usedTable !== null) throw usedFailure(target, usedTable);
  // Only the first rows of migrations are there. `truncate` would refuse where a table of others refers to one of them.
  for (const { name } of wanted.toReversed()) await client.query(`delete from ${quoted(name)}`);
}

async function checkTables(
  client: pg.Client,
  target: BackedUpService,
  { tables, sequences, migration }: ServiceManifest,
): Promise<void> {
  for (const { name, rows: expected } of tables) {
    const { rows } = await client.query<{ count: string }>(
      `select count(*)::text as count from ${quoted(name)}`,
    );
    if (Number(rows[0]?.count) !== expected)
      throw conflict(`${name} has ${rows[0]?.count} rows, and the backup ${expected}.`, damaged);
    await client.query(`alter table ${quoted(name)} enable trigger user`);
  }
  const texts = (await migrationsUntil(target, migration)).map(({ text }) => text);
  // Backups of before have sequences of others too.
  const own = await readSequences(client, target.connection.schema, texts);
  for (const { name, last } of sequences)
    if (last !== null && own.some((each) => each.name === name))
      await client.query("select setval($1::regclass, $2)", [quoted(name), last]);
}

async function migrationsUntil({ service }: BackedUpService, last: string) {
  return (await readMigrations(service.directory)).filter(({ name }) => name <= last);
}

const damaged = ["Use another backup: this one is damaged."];
