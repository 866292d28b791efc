/** One PostgreSQL for the whole test run, with a template database that holds the migrations and the job queue. */
import { readFile, rm, writeFile } from "node:fs/promises";
import type { TestProject } from "vitest/node";
import { governanceService } from "../../src/governance/database.ts";
import { openDatabase, type Connection, type Database } from "../../src/platform/db/database.ts";
import { startEmbedded } from "../../src/platform/db/start/embedded.ts";
import { ensureDatabase, migrate } from "../../src/platform/db/migrations/migrate.ts";
import { startJobs } from "../../src/platform/jobs/jobs.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { makeDatabaseFolder } from "./memory-folder.ts";

export const templateName = "plinth_template";

declare module "vitest" {
  export interface ProvidedContext {
    database: Connection;
  }
}

/** No test pulls the power plug, and kill -9 of a process loses nothing that PostgreSQL has been handed. */
const withoutPowerLoss = { fsync: "off", full_page_writes: "off", synchronous_commit: "off" };
/** A database of a test is gone before it would have to be vacuumed, and nothing is replicated. */
const ofShortLife = { autovacuum: "off", wal_level: "minimal", max_wal_senders: "0" };

/** The user of the tests needs no password, which would cost each connection 3 ms of CPU; users that a test makes do. */
async function trustUser(user: string, { pool }: Database): Promise<void> {
  const { rows } = await pool.query("show hba_file");
  const others = await readFile(rows[0].hba_file, "utf8");
  await writeFile(rows[0].hba_file, `local all ${user} trust\nhost all ${user} samehost trust\n${others}`);
  await pool.query("select pg_reload_conf()");
}

/**
 * Vitest calls it for each project that needs a database; they share the first one's. `npm run test:postgres` names the programs
 * of another version.
 */
export async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const run = vitest.getRootProject();
  if ("database" in run.getProvidedContext()) return undefined;
  const dataDir = await makeDatabaseFolder();
  const server = await startEmbedded({
    dataDir,
    programs: process.env["PLINTH_TEST_POSTGRES"],
    settings: { ...withoutPowerLoss, ...ofShortLife, max_connections: "400" },
  });
  const connection: Connection = { ...server, dbname: templateName, schema: "cgp" };
  await ensureDatabase(connection);
  const database = openDatabase({ connection, log: silentLogger, poolSize: 2 });
  await migrate(database);
  // Otherwise the first start on each copy would make the tables and functions of the queue.
  const jobs = await startJobs({ database, log: silentLogger, queues: [], sendOnly: true });
  await jobs.close(0);
  await trustUser(connection.user, database);
  await database.close();
  const governed = openDatabase({
    connection: { ...connection, schema: "coordinator" },
    log: silentLogger,
    poolSize: 2,
  });
  await migrate(governed, { service: governanceService });
  await governed.close();
  const { host, port, user, password, schema } = connection;
  run.provide("database", { host, port, user, password, schema, dbname: templateName });
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
