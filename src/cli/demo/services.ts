/** Everything that the demo runs, in one directory, and its clean-up. */
import { randomBytes } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startPlinth } from "../../app.ts";
import { loadConfig } from "../../platform/config/load.ts";
import type { Config } from "../../platform/config/schema/schema.ts";
import type { Connection } from "../../platform/db/database.ts";
import { ensureDatabase } from "../../platform/db/migrations/migrate.ts";
import { logDestination } from "../../platform/telemetry/log-stream.ts";
import { createLogger } from "../../platform/telemetry/logger.ts";
import type { Cli } from "../context.ts";
import { killPostgres } from "../leftovers.ts";
import { startAdapter, type AdapterName, type AdapterProcess } from "./adapter-process.ts";

export interface DemoOptions {
  keep?: boolean;
  dataDir?: string;
  port: number;
  json?: boolean;
}

export interface RunningDemo {
  url: string;
  /** Where people open the console; null where it is not built. */
  consoleUrl: string | null;
  dataDir: string;
  /** Where the PostgreSQL adapter works. */
  target: Connection;
  adapters: Record<AdapterName, AdapterProcess>;
}

/** What has been started so far; filled during the start, so that it can be released at any moment. */
export interface DemoResources {
  dataDir: string;
  /** A temporary directory, removed at the end. */
  isTemporary: boolean;
  closers: (() => Promise<void>)[];
}

const targetDatabase = "fleet";

export async function prepareResources(cli: Cli, options: DemoOptions): Promise<DemoResources> {
  const given = options.dataDir ?? (options.keep ? "./.plinth/demo" : undefined);
  const dataDir =
    given === undefined ? await mkdtemp(join(tmpdir(), "plinth-demo-")) : resolve(cli.cwd, given);
  await mkdir(dataDir, { recursive: true });
  const takeBack = cli.onForce(() => {
    killPostgres(dataDir);
    if (given === undefined) removeNow(dataDir);
  });
  return { dataDir, isTemporary: given === undefined, closers: [async () => takeBack()] };
}

export async function startServices(cli: Cli, resources: DemoResources, port: number): Promise<RunningDemo> {
  const { dataDir, closers } = resources;
  const secret = randomBytes(24).toString("base64url");
  const config = demoConfig({ dataDir, port, secret });
  const log = createLogger(config.log, logDestination(join(dataDir, "plinth.log")));
  const adapter = (name: AdapterName, more: Record<string, string> = {}) =>
    startAdapter({
      name,
      env: { ...cli.env, CORE_BACKEND_PLUGIN_AUTH_SECRET: secret, ...more },
      logFile: join(dataDir, `${name}-adapter.log`),
      signal: cli.signal,
      onStart(stop, kill) {
        const takeBack = cli.onForce(kill);
        // Closed after the server, which finishes its running work with the adapters first.
        closers.splice(1, 0, () => stop().then(takeBack));
      },
    });
  const starting = adapter("mock");
  // Awaited below; until then its failure must not count as an unhandled rejection.
  starting.catch(() => undefined);
  const running = await startPlinth(
    config,
    { areas: ["builder", "assistant", "coordinator", "governance", "data-layer"], workers: "on" },
    log,
    { signal: cli.signal },
  );
  closers.push(() => running.close());
  cli.signal.throwIfAborted();
  const target = { ...running.database, dbname: targetDatabase };
  await ensureDatabase(target);
  const [mock, postgres] = await Promise.all([
    starting,
    adapter("postgres", { POSTGRES_ADAPTER_DATABASE_URL: urlOf(target) }),
  ]);
  const { url, consoleUrl } = running;
  return { url: url!, consoleUrl, dataDir, target, adapters: { mock, postgres } };
}

/** Stops everything, the last first, and removes a temporary directory; after a failure all but the logs. */
export async function releaseResources(
  { dataDir, isTemporary, closers }: DemoResources,
  keepLogs: boolean,
): Promise<void> {
  for (let close = closers.pop(); close; close = closers.pop()) await close();
  if (!isTemporary) return;
  const names = keepLogs ? (await readdir(dataDir)).filter((name) => !name.endsWith(".log")) : ["."];
  for (const name of names) {
    const path = name === "." ? dataDir : join(dataDir, name);
    await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** Synchronous. Files that PostgreSQL still writes while it ends are removed by the next attempt. */
function removeNow(directory: string): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let attempt = 0; attempt < 10; attempt += 1) {
    try {
      rmSync(directory, { recursive: true, force: true });
    } catch {
      // Something was written meanwhile; the next attempt finds it.
    }
    Atomics.wait(pause, 0, 0, 100);
    if (!existsSync(directory)) return;
  }
}

/** From the demo's own settings only, not from the user's files or variables. */
function demoConfig({ dataDir, port, secret }: { dataDir: string; port: number; secret: string }): Config {
  const { config } = loadConfig({
    files: [],
    cwd: dataDir,
    env: {
      PLINTH_SERVER_PORT: String(port),
      PLINTH_SERVER_SHUTDOWN_GRACE_MS: "3000",
      PLINTH_DATA_DIR: dataDir,
      CORE_BACKEND_PLUGIN_AUTH_SECRET: secret,
    },
  });
  return config;
}

function urlOf({ host, port, user, password, dbname }: Connection): string {
  const [name, secret] = [user, password].map((part) => encodeURIComponent(part));
  return `postgres://${name}:${secret}@${host}:${port}/${encodeURIComponent(dbname)}`;
}
