/**
 * `node test/upgrade/make-database.ts`: writes fixtures/database.json, the rows of an installation of release 2.1.0: what the demo
 * leaves behind, in the schema of then, and access that was given to parents.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { to as copyTo } from "pg-copy-streams";
import { connectTo, openDatabase, type Connection } from "../../src/platform/db/database.ts";
import { ensureDatabase } from "../../src/platform/db/migrations/migrate.ts";
import { startEmbedded } from "../../src/platform/db/start/embedded.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { readTables } from "../../src/platform/backup/tables.ts";
import { migrateToBefore } from "../acl/migrated.ts";
import { fixtureFile, type OldRows } from "./old-database.ts";

/** Of processes of the demo, or made again by every start. */
const leftOut = new Set([
  "schema_migrations",
  "workers",
  "assistant_documents",
  "assistant_vectors",
  "assistant_index",
  "assistant_index_sources",
]);

const dataDir = await mkdtemp(join(tmpdir(), "plinth-old-"));
const demo = spawn(
  process.execPath,
  ["src/cli/main.ts", "demo", "--keep", "--data-dir", dataDir, "--port", "0"],
  {
    cwd: join(import.meta.dirname, "../.."),
    stdio: ["ignore", "pipe", "inherit"],
  },
);
try {
  demo.stdout.setEncoding("utf8");
  for await (const chunk of demo.stdout) if (String(chunk).includes("Ctrl-C")) break;
  const server = await startEmbedded({ dataDir });
  const now = { ...server, dbname: "provisioning_coordinator", schema: "cgp" };
  const then = { ...now, dbname: "old" };
  await ensureDatabase(then);
  const old = openDatabase({ connection: then, log: silentLogger });
  await migrateToBefore(old, /^0016/);
  await old.close();
  await writeFile(fixtureFile, `${JSON.stringify(await rowsOf(now, then), null, 1)}\n`);
  await server.stop();
} finally {
  const ended = once(demo, "exit");
  demo.kill("SIGINT");
  await ended;
  await rm(dataDir, { recursive: true, force: true });
}

async function rowsOf(now: Connection, then: Connection): Promise<OldRows> {
  const [from, to] = [await connectTo(now), await connectTo(then)];
  try {
    const present = await readTables(from, "cgp");
    const found: OldRows = [];
    for (const { name, columns } of await readTables(to, "cgp")) {
      if (leftOut.has(name)) continue;
      const there = present.find((each) => each.name === name)?.columns ?? [];
      const shared = columns.filter((column) => there.includes(column));
      const content = await text(from.query(copyTo(`copy ${name} (${shared.join(", ")}) to stdout`)));
      if (content !== "") found.push({ table: name, columns: shared, rows: content.trimEnd().split("\n") });
    }
    return found;
  } finally {
    await Promise.all([from.end(), to.end()]);
  }
}
