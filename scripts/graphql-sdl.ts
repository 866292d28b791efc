/**
 * Writes docs/reference/data-layer.graphql, the schema of the data layer over the product's own views, from a PostgreSQL of
 * its own. With --check it writes nothing and ends with 1 when the file is not what the views give.
 *
 *   node scripts/graphql-sdl.ts [--check]
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lexicographicSortSchema, printSchema } from "grafast/graphql";
import { readTables } from "../src/data-layer/graph/catalogue-store.ts";
import { readerOf } from "../src/data-layer/graph/reader-store.ts";
import { sourcesOf } from "../src/data-layer/graph/sources.ts";
import { governanceService } from "../src/governance/database.ts";
import { settleGraphileMode } from "../src/platform/config/environment.ts";
import { loadConfig } from "../src/platform/config/load.ts";
import { openDatabase, type Connection } from "../src/platform/db/database.ts";
import { ensureDatabase, migrate } from "../src/platform/db/migrations/migrate.ts";
import { startEmbedded } from "../src/platform/db/start/embedded.ts";
import { silentLogger } from "../src/platform/lib/logger.ts";

const target = new URL("../docs/reference/data-layer.graphql", import.meta.url);
const dataDir = await mkdtemp(join(tmpdir(), "plinth-sdl-"));
const server = await startEmbedded({ dataDir, settings: { fsync: "off", full_page_writes: "off" } });
try {
  const text = await readSdl({ ...server, dbname: "plinth", schema: "cgp" });
  const committed = await readFile(target, "utf8").catch(() => "");
  if (committed !== text) {
    if (process.argv.includes("--check")) {
      console.log(
        "Differs from the views: docs/reference/data-layer.graphql. Run `npm run docs` and commit what it writes.",
      );
      process.exitCode = 1;
    } else {
      await writeFile(target, text);
      console.log("Written: docs/reference/data-layer.graphql");
    }
  }
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function readSdl(connection: Connection): Promise<string> {
  await ensureDatabase(connection);
  const governed = { ...connection, schema: "coordinator" };
  const database = openDatabase({ connection, log: silentLogger });
  const governance = openDatabase({ connection: governed, log: silentLogger, poolSize: 1 });
  await migrate(database);
  await migrate(governance, { service: governanceService });
  await governance.close();
  settleGraphileMode();
  const { buildGraph } = await import("../src/data-layer/graph/build-graph.ts");
  const { config } = loadConfig({ files: [], env: {}, cwd: dataDir });
  const sources = sourcesOf(config, { coordinator: connection, governance: governed });
  const graph = await buildGraph(
    await Promise.all(
      sources.map(async (source) => ({
        name: source.name,
        reader: readerOf(database),
        tables: await readTables(database.db, source),
      })),
    ),
  );
  await database.close();
  // In an order that does not depend on the database's.
  return `${printSchema(lexicographicSortSchema(graph.schema))}\n`;
}
