/** A PostgreSQL for one run of a program outside the tests. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase, type Connection } from "../../src/platform/db/database.ts";
import { ensureDatabase, migrate } from "../../src/platform/db/migrations/migrate.ts";
import { startEmbedded } from "../../src/platform/db/start/embedded.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import type { TestDatabase } from "./database.ts";

/** Works with an empty database of that name; the server and its files are gone afterwards. */
export async function withOwnPostgres<T>(
  name: string,
  work: (connection: Connection) => Promise<T>,
  settings: Record<string, string> = {},
): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), `plinth-${name}-`));
  const server = await startEmbedded({ dataDir, settings, programs: process.env["PLINTH_TEST_POSTGRES"] });
  try {
    const connection = { ...server, dbname: name, schema: "cgp" };
    await ensureDatabase(connection);
    return await work(connection);
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** With all migrations; `drop` only closes it. */
export async function openMigrated(connection: Connection): Promise<TestDatabase> {
  const database = openDatabase({ connection, log: silentLogger });
  await migrate(database);
  return { database, connection, url: "", drop: () => database.close() };
}
