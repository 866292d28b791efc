/** A server of ours with a PostgreSQL of its own, for programs that run outside the tests. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../../src/platform/config/schema/schema.ts";
import { startEmbedded } from "../../src/platform/db/start/embedded.ts";
import { ensureDatabase } from "../../src/platform/db/migrations/migrate.ts";
import { openMigrated } from "../support/own-postgres.ts";
import { startWholeServer, type WholeServer } from "../support/server.ts";

interface OwnServer {
  server: WholeServer;
  /** Locations of files may be in it, unless configured otherwise. */
  folder: string;
  connection: Parameters<typeof ensureDatabase>[0];
}

export async function withOwnServer(
  work: (own: OwnServer) => Promise<void>,
  configure: (config: Config) => void = () => {},
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "plinth-client-"));
  const postgres = await startEmbedded({ dataDir: join(folder, "database") });
  try {
    const connection = { ...postgres, dbname: "client", schema: "cgp" };
    await ensureDatabase(connection);
    const server = await startWholeServer({
      db: await openMigrated(connection),
      configure(config) {
        config.mesh.builder.catalogue.folders = [folder];
        configure(config);
      },
    });
    try {
      await work({ server, folder, connection });
    } finally {
      await server.close();
    }
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Registers entities as a file of their own. */
export async function registerFile(
  server: WholeServer,
  { folder, name, entities }: { folder: string; name: string; entities: object[] },
): Promise<void> {
  const target = join(folder, `${name}.yaml`);
  await writeFile(target, entities.map((entity) => JSON.stringify(entity)).join("\n---\n"));
  const answer = await server.catalog({ method: "POST", path: "/locations", body: { type: "file", target } });
  assert.equal(answer.status, 201, answer.text);
}

/** Calls every check and prints a line for each; a failed one makes the program end with 1. */
export async function runChecks<T>(
  checks: Readonly<Record<string, (fixture: T) => Promise<void>>>,
  fixture: T,
): Promise<void> {
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check(fixture);
      console.log(`ok     ${name}`);
    } catch (error) {
      console.log(`FAILED ${name}:`, error);
      process.exitCode = 1;
    }
  }
}
