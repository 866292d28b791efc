/** Asks for another reading of the configuration, at any moment in the life of a process. */
import type { LoadedConfig } from "../config/load.ts";
import { Failure } from "../errors/failure.ts";
import type { Logger } from "../lib/logger.ts";
import type { Reloads } from "./reloads.ts";

export interface ReloadRequests {
  /** One more reading. Requests that come while one is under way are answered by one after it; during a start, by one at its end. */
  request(): void;
  /** The process has started. */
  begin(reloads: Reloads): void;
  /** The process stops: nothing is read any more. */
  end(): void;
}

export interface ReloadRequestOptions {
  /** Reads the configuration as the start did; throws a Failure that lists every problem. */
  load: () => LoadedConfig;
  log: Logger;
}

export function createReloadRequests({ load, log }: ReloadRequestOptions): ReloadRequests {
  let reloads: Reloads | null = null;
  let isWanted = false;
  let isUnderWay = false;
  const answer = async (): Promise<void> => {
    if (isUnderWay) return;
    isUnderWay = true;
    while (isWanted && reloads !== null) {
      isWanted = false;
      await reloadOnce(reloads, load, log);
    }
    isUnderWay = false;
  };
  return {
    request() {
      isWanted = true;
      void answer();
    },
    begin(started) {
      reloads = started;
      void answer();
    },
    end() {
      reloads = null;
    },
  };
}

/** Never rejects: whatever is wrong is logged, and the process continues with what it has. */
async function reloadOnce(reloads: Reloads, load: () => LoadedConfig, log: Logger): Promise<void> {
  try {
    const { config, warnings } = load();
    const { changed, needRestart } = await reloads.reload(config);
    for (const { where, message } of warnings) log.warn({ where }, message);
    log.info({ changed }, "the configuration was read again");
    if (needRestart.length > 0)
      log.warn({ settings: needRestart }, `restart to apply: ${needRestart.join(", ")}`);
  } catch (error) {
    const unchanged = "the configuration was not taken, and nothing has changed";
    if (!(error instanceof Failure)) return log.error({ error }, unchanged);
    const { code, message, solutions } = error;
    const problems = error.problems.map(({ where, message: what, solution }) =>
      [`${where} ${what}`, ...(solution === undefined ? [] : [solution])].join(". "),
    );
    log.error({ code, reason: message, problems, solutions }, unchanged);
  }
}
