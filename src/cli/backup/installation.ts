/** The installation that a configuration describes, without a server: its databases and its data directory. */
import { resolve } from "node:path";
import { governanceConnection, governanceService } from "../../governance/database.ts";
import type { BackedUpService } from "../../platform/backup/service.ts";
import type { Connection } from "../../platform/db/database.ts";
import type { Config } from "../../platform/config/schema/schema.ts";
import { loadConfig } from "../../platform/config/load.ts";
import { platformService } from "../../platform/db/migrations/service.ts";
import { createOpened } from "../../platform/lib/opened.ts";
import type { Logger } from "../../platform/lib/logger.ts";
import { installationKeyFile } from "../../platform/runtime/keys/configured-keys.ts";
import { openDataFolder, openPostgres } from "../../platform/runtime/open-platform.ts";
import { createLogger } from "../../platform/telemetry/logger.ts";
import type { Cli } from "../context.ts";

export interface InstallationOptions {
  config?: string[];
  dataDir?: string;
}

export interface Installation {
  config: Config;
  /** To the platform's database. */
  connection: Connection;
  /** That of the platform last: a restore stores its rows after those of the others. */
  services: BackedUpService[];
  dataDir: string;
  /** File of the key; null where the configuration has it. */
  keyFile: string | null;
  log: Logger;
}

export const configOf = (cli: Cli, { config: files = [], dataDir }: InstallationOptions): Config => {
  const env = dataDir === undefined ? cli.env : { ...cli.env, PLINTH_DATA_DIR: dataDir };
  const { config } = loadConfig({ files, env, cwd: cli.cwd });
  return { ...config, dataDir: resolve(cli.cwd, config.dataDir) };
};

/** The embedded PostgreSQL is started where it does not run, and stopped at the end unless a server uses it. */
export async function withInstallation<T>(
  cli: Cli,
  options: InstallationOptions,
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  const config = configOf(cli, options);
  const log = createLogger({ ...config.log, level: "error" });
  const opened = createOpened({ log, signal: cli.signal });
  const start = { config, log, signal: cli.signal, opened };
  try {
    await openDataFolder(start);
    const { connection } = await openPostgres(start);
    return await work({
      config,
      connection,
      services: [
        { service: governanceService, connection: governanceConnection(config, connection) },
        { service: platformService, connection },
      ],
      dataDir: config.dataDir,
      keyFile: installationKeyFile(config),
      log,
    });
  } finally {
    await opened.close({ totalMs: closeMs });
  }
}

const closeMs = 15_000;
