/** The server's process: reads the configuration, starts what its role says, and stops it on a signal. */
import { flushCompileCache } from "node:module";
import { startPlinth, type ProcessRole } from "./compose.ts";
import { loadConfig, type ConfigSource } from "./platform/config/load.ts";
import type { Config } from "./platform/config/schema.ts";
import { createLogger } from "./platform/telemetry/logger.ts";

export interface ServeOptions {
  configFiles: string[];
  env: ConfigSource["env"];
  cwd: string;
  role: ProcessRole;
  /** Says how the log is written, over the configuration; undefined leaves it to that. */
  prettyLog?: boolean | undefined;
  /** Its abortion stops the server in order, also while it is still starting. */
  signal: AbortSignal;
  /** Hears the configuration before anything is started. */
  onConfig?: (config: Config) => void;
}

/** Starts the server and resolves when it has stopped. Rejects with a Failure when it can't start. */
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
  const running = await startPlinth(config, role, log);
  if (!signal.aborted) {
    log.info({ url: running.url, areas: role.areas, workers: role.workers }, "plinth is up");
    // Now, because a process that is killed keeps nothing; costs nothing when all was in the cache.
    flushCompileCache();
    const stopped = new Promise((heard) => signal.addEventListener("abort", heard, { once: true }));
    await Promise.race([stopped, running.superseded]);
  }
  log.info({}, "stopping");
  await running.close();
  log.info({}, "stopped");
  // Not in order: whoever keeps the process running must not take it for done.
  if (!signal.aborted) throw await running.superseded;
}
