/** What several benches share: a PostgreSQL with its durability on, an adapter that does nothing, and numbers. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase, type Connection, type Database } from "../../src/platform/db/database.ts";
import { startEmbedded } from "../../src/platform/db/start/embedded.ts";
import { ensureDatabase, migrate } from "../../src/platform/db/migrations/migrate.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";

export interface BenchDatabase {
  database: Database;
  connection: Connection;
  close(): Promise<void>;
}

export async function benchDatabase(): Promise<BenchDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), "plinth-bench-"));
  const server = await startEmbedded({ dataDir });
  const { host, port, user, password } = server;
  const connection: Connection = { host, port, user, password, dbname: "bench", schema: "cgp" };
  await ensureDatabase(connection);
  const database = openDatabase({ connection, log: silentLogger, poolSize: 70 });
  await migrate(database);
  return {
    database,
    connection,
    async close() {
      await database.close();
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export interface NullAdapter {
  url: string;
  close(): void;
}

/** An adapter in a process of its own that reads each call to its end and answers COMPLETED. */
export async function nullAdapter(): Promise<NullAdapter> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", nullAdapterProgram], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { url: line.toString().trim(), close: () => child.kill() };
}

const nullAdapterProgram = `
import { createServer } from "node:http";
import { spawn } from "node:child_process";
import { once } from "node:events";
const provisioned = JSON.stringify({ status: "COMPLETED", result: "" });
const valid = JSON.stringify({ valid: true });
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    response.setHeader("content-type", "application/json");
    response.end(request.url.endsWith("/validate") ? valid : provisioned);
  });
});
server.keepAliveTimeout = 60000;
server.listen(0, "127.0.0.1", () => console.log("http://127.0.0.1:" + server.address().port));
`;

export interface LayeredTask {
  id: string;
  dependsOn: string[];
}

/** Layers of equal width; each task needs a few of the layer before it, spread evenly. */
export function layeredGraph(layers: number, width: number, needs: number): LayeredTask[] {
  const tasks: LayeredTask[] = [];
  for (let layer = 0; layer < layers; layer++) {
    for (let place = 0; place < width; place++) {
      const dependsOn =
        layer === 0
          ? []
          : Array.from({ length: needs }, (_, n) => `l${layer - 1}-${(place + n * 31) % width}`);
      tasks.push({ id: `l${layer}-${place}`, dependsOn });
    }
  }
  return tasks;
}

export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: number[]): number => percentile(values, 0.5);
