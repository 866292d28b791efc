/** The server's process: reads the configuration, starts what its role says, and stops it on a signal. */
import { flushCompileCache } from "node:module";
import { startPlinth, type ProcessRole } from "./app.ts";
import { loadConfig, type ConfigSource } from "./platform/config/load.ts";
import type { Config } from "./platform/config/schema.ts";
import { createOpened } from "./platform/lib/opened.ts";
import { longestStopMs } from "./platform/runtime/stop-limits.ts";
import { createLogger } from "./platform/telemetry/logger.ts";

export interface ServeOptions {
  configFiles: string[];
  env: ConfigSource["env"];
  cwd: string;
  role: ProcessRole;
  /** Says how the log is written, over the configuration; undefined leaves it to that. */
  prettyLog?: boolean | undefined;
  /** Its abortion stops the server in order, and ends a start under way. */
  signal: AbortSignal;
  /** Hears the configuration before anything is started. */
  onConfig?: (config: Config) => void;
  /** Ends the process after that time if it still lives; `tell` says then what it hangs at. */
  endWithin?: (ms: number, reason: () => string) => void;
}

/**
 * Starts the server and resolves when it has stopped. Rejects with a Failure when it can't start, and with the signal's
 * reason when its start was ended.
 */
export async function serve({
  configFiles,
  env,
  cwd,
  role,
  signal,
  ...options
}: ServeOptions): Promise<void> {
  const { config, warnings } = loadConfig({ files: configFiles, env, cwd });
  options.onConfig?.(config);
  const log = createLogger({ ...config.log, pretty: options.prettyLog ?? config.log.pretty });
  for (const warning of warnings) log.warn({ where: warning.where }, warning.message);
  const opened = createOpened({ log, signal });
  const stopMs = longestStopMs(config);
  // Whatever the process is at, and whatever hangs, it has ended by then.
  const limitStop = (): void =>
    options.endWithin?.(stopMs, () => {
      const names = opened.underWay();
      return `the stop took longer than ${stopMs} ms${names.length > 0 ? `, at: ${names.join(", ")}` : ""}`;
    });
  signal.addEventListener("abort", limitStop, { once: true });
  if (signal.aborted) limitStop();
  const running = await startPlinth(config, role, log, { signal, opened });
  if (!signal.aborted) {
    log.info({ url: running.url, areas: role.areas, workers: role.workers }, "plinth is up");
    // Now, because a process that is killed keeps nothing; costs nothing when all was in the cache.
    flushCompileCache();
    const stopped = new Promise((heard) => signal.addEventListener("abort", heard, { once: true }));
    await Promise.race([stopped, running.superseded]);
    if (!signal.aborted) limitStop();
  }
  log.info({}, "stopping");
  await running.close();
  log.info({}, "stopped");
  // Not in order: whoever keeps the process running must not take it for done.
  if (!signal.aborted) throw await running.superseded;
}
