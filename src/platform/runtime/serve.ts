/** What a process that listens shows: its areas, the console, its health and its metrics. */
import { join } from "node:path";
import { readPageFolder, type PageFolder } from "../http/pages/read-folder.ts";
import { readPlatformNumbers } from "../jobs/worker-store.ts";
import { registerRetentionMetrics } from "../jobs/retention-metrics.ts";
import { createDatabaseNumbers } from "../telemetry/database-numbers.ts";
import { createMetrics, type Metrics } from "../telemetry/metrics.ts";
import type { EarlyListener } from "../http/listening/early-listener.ts";
import { openHttpServer, type ServerParts } from "./http-server.ts";
import { registerPlatformMetrics, registerPools } from "./platform-metrics.ts";
import type { AreaModule, Platform } from "./platform.ts";

export interface ServeParts extends Pick<
  ServerParts,
  "areas" | "otherDocuments" | "governance" | "notReady"
> {
  /** Of all areas, those that are not served too: their numbers are shown. */
  modules: readonly AreaModule[];
  listener: EarlyListener;
  /** Of the program. */
  version: string;
}

export interface Served {
  /** Whether the console is built and served. */
  hasConsole: boolean;
}

/** Resolves once requests are answered. */
export async function serve(platform: Platform, parts: ServeParts): Promise<Served> {
  const { areas, otherDocuments, governance, notReady, listener } = parts;
  const metrics = await registerMetrics(platform, parts);
  const pages = areas.length === 0 ? undefined : await openConsole(platform);
  const server = await openHttpServer(platform, {
    areas,
    otherDocuments,
    governance,
    notReady,
    console: pages,
    metrics,
    earlyListener: listener,
  });
  await server.listen();
  return { hasConsole: pages != null };
}

async function registerMetrics(
  platform: Platform,
  { modules, governance, version }: ServeParts,
): Promise<Metrics> {
  const { config, database, instruments, jobs, log } = platform;
  const metrics = createMetrics({ instruments });
  registerPools(instruments, { coordinator: database.pool, governance: governance.database.pool });
  const numbers = createDatabaseNumbers(instruments, config.metrics, log);
  registerPlatformMetrics({
    ...platform,
    numbers,
    version,
    now: () => Date.now(),
    read: () => readPlatformNumbers(database.db),
    countJobs: () => jobs.count(),
  });
  registerRetentionMetrics(numbers, database.db);
  for (const module of modules) await module.registerMetrics(numbers);
  return metrics;
}

/** The files of the console: null when it has not been built, undefined when `console.enabled` is false. */
async function openConsole({ config, log }: Platform): Promise<PageFolder | null | undefined> {
  const { enabled, folder = shippedConsole } = config.console;
  if (!enabled) return undefined;
  const found = await readPageFolder(folder);
  if (found === null && config.console.folder !== undefined)
    log.warn({ folder }, "console.folder has no index.html: the console is not served");
  return found;
}

const shippedConsole = join(import.meta.dirname, "../../../console/dist");
