/**
 * Prepares every SQL statement of the sources against the migrated schema, in a PostgreSQL of its own, and compares the
 * columns that come back with the row types that the code claims: names, types, and whether they can be null. Prints
 * each fault with its file and line, and ends with 1 when there are any.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { governanceService } from "../src/governance/database.ts";
import { openDatabase, type Connection } from "../src/platform/db/database.ts";
import { startEmbedded } from "../src/platform/db/start/embedded.ts";
import { ensureDatabase, migrate } from "../src/platform/db/migrations/migrate.ts";
import { silentLogger } from "../src/platform/lib/logger.ts";
import { allowances } from "./check-sql/allowances.ts";
import { checkSql } from "./check-sql/check.ts";
import { readProject } from "./check-sql/sources.ts";

const dataDir = await mkdtemp(join(tmpdir(), "plinth-check-sql-"));
const server = await startEmbedded({ dataDir, settings: { fsync: "off", full_page_writes: "off" } });
try {
  const connection: Connection = { ...server, dbname: "checked", schema: "cgp" };
  await ensureDatabase(connection);
  const database = openDatabase({ connection, log: silentLogger, poolSize: 1 });
  await migrate(database);
  await database.close();
  const governed = openDatabase({
    connection: { ...connection, schema: "coordinator" },
    log: silentLogger,
    poolSize: 1,
  });
  await migrate(governed, { service: governanceService });
  await governed.close();
  // Governance's tables have other names, but for those that are the same in both.
  const { host, port, user, password, dbname } = connection;
  const options = "-c search_path=cgp,coordinator";
  const client = new pg.Client({ host, port, user, password, database: dbname, options });
  await client.connect();
  const project = readProject(fileURLToPath(new URL("..", import.meta.url)), "src");
  const { problems, statements, texts, typed } = await checkSql(client, project, allowances);
  await client.end();
  for (const problem of problems) console.error(problem);
  console.log(
    `${statements} statements (${typed} with a row type) in ${texts} texts: ${problems.length} faults`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
