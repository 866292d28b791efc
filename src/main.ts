/**
 * The server's process: reads the configuration, starts the parts of its role, and stops them on a signal. On another signal it
 * reads the configuration again.
 */
import { flushCompileCache } from "node:module";
import { startPlinth } from "./app.ts";
import type { ProcessRole } from "./areas.ts";
import { loadConfig, type ConfigSource, type LoadedConfig } from "./platform/config/load.ts";
import type { Config } from "./platform/config/schema/schema.ts";
import { createOpened } from "./platform/lib/opened.ts";
import { createReloadRequests } from "./platform/runtime/reload-requests.ts";
import { longestStopMs } from "./platform/runtime/stop-limits.ts";
import { createLogger } from "./platform/telemetry/logger.ts";
import { flushSpans } from "./platform/telemetry/spans.ts";

export interface ServeOptions {
  configFiles: string[];
  env: ConfigSource["env"];
  cwd: string;
  role: ProcessRole;
  /** Overrides the log format of the configuration. */
  prettyLog?: boolean | undefined;
  /** Aborting it stops the server in order, or cancels the start. */
  signal: AbortSignal;
  /** Called with the configuration before anything is started. */
  onConfig?: (config: Config) => void;
  /** Registers what a request for a reload does (SIGHUP). */
  onHangup?: (act: () => void) => void;
  /** Ends the process after that time if it still runs; `reason` says what it hangs at. */
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
  const load = (): LoadedConfig => loadConfig({ files: configFiles, env, cwd });
  const { config, warnings } = load();
  options.onConfig?.(config);
  const log = createLogger({ ...config.log, pretty: options.prettyLog ?? config.log.pretty });
  for (const warning of warnings) log.warn({ where: warning.where }, warning.message);
  const reloading = createReloadRequests({ load, log });
  options.onHangup?.(() => reloading.request());
  const opened = createOpened({ log, signal });
  // The first part is closed last: the spans of the stop are sent as well.
  opened.add("the spans", flushSpans);
  const stopMs = longestStopMs(config);
  // The process has ended by then, whatever hangs.
  const limitStop = (): void =>
    options.endWithin?.(stopMs, () => {
      const names = opened.underWay();
      return `the stop took longer than ${stopMs} ms${names.length > 0 ? `, at: ${names.join(", ")}` : ""}`;
    });
  signal.addEventListener("abort", limitStop, { once: true });
  if (signal.aborted) limitStop();
  const running = await startPlinth(config, role, log, { signal, opened });
  if (!signal.aborted) {
    const { url, consoleUrl } = running;
    const served = consoleUrl === null ? {} : { console: consoleUrl };
    log.info({ url, ...served, areas: role.areas, workers: role.workers }, "plinth is up");
    running.reloads.add((next) => () => log.setLevel(next.log.level));
    reloading.begin(running.reloads);
    // Now, because a killed process writes no cache; costs nothing when all was in the cache.
    flushCompileCache();
    const stopped = new Promise((heard) => signal.addEventListener("abort", heard, { once: true }));
    await Promise.race([stopped, running.superseded]);
    if (!signal.aborted) limitStop();
  }
  reloading.end();
  log.info({}, "stopping");
  await running.close();
  log.info({}, "stopped");
  // An exit code other than 0, so that a supervisor does not take it for a normal end.
  if (!signal.aborted) throw await running.superseded;
}
