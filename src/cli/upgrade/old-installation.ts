/** The databases and files of an installation of any release, as its configuration and its variables name them. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { governanceConnection, governanceService } from "../../governance/database.ts";
import { metadataConnection } from "../../data-layer/metadata-database.ts";
import type { Connection } from "../../platform/db/database.ts";
import type { Config } from "../../platform/config/schema/schema.ts";
import { platformService } from "../../platform/db/migrations/service.ts";
import { silentLogger } from "../../platform/lib/logger.ts";
import { createOpened } from "../../platform/lib/opened.ts";
import { installationKeyFile } from "../../platform/runtime/keys/configured-keys.ts";
import { openPostgres } from "../../platform/runtime/open-platform.ts";
import type { ServiceDatabase } from "../../upgrade/database/service-database.ts";
import type { Cli } from "../context.ts";

export interface OldInstallation {
  databases: ServiceDatabase[];
  /** What the data layer tracks, where that is in a database of its own. */
  metadata: Connection | null;
  dataDir: string;
  /** File of the key of stored secrets; null where a setting gives the key. */
  keyFile: string | null;
}

const closeMs = 15_000;

/** The embedded PostgreSQL is started where it does not run, and stopped at the end unless a server uses it. */
export async function withOldInstallation<T>(
  cli: Cli,
  config: Config,
  work: (installation: OldInstallation | null) => Promise<T>,
): Promise<T> {
  const log = silentLogger;
  const opened = createOpened({ log, signal: cli.signal });
  try {
    const { connection } = await openPostgres({ config, log, signal: cli.signal, opened });
    return await work({
      databases: [
        { service: platformService, connection },
        { service: governanceService, connection: governanceConnection(config, connection) },
      ],
      metadata: metadataConnection(config.dataLayer.metadataUrl, connection),
      dataDir: resolve(config.dataDir),
      keyFile: installationKeyFile(config),
    });
  } finally {
    await opened.close({ totalMs: closeMs });
  }
}

/** Whether there is a database at all: one that is configured, or a cluster in the data directory. */
export const hasDatabase = ({ database, dataDir }: Config): boolean =>
  !database.embedded || existsSync(join(resolve(dataDir), "postgres", "PG_VERSION"));
