/**
 * The database with what is tracked: the platform's, or the one that ENGINE_GRAPHQL_METADATA_DATABASE_URL names. That is opened, and
 * its table made, when something is first asked of it.
 */
import { join } from "node:path";
import { openDatabase, type Connection, type Database } from "../platform/db/database.ts";
import { migrate } from "../platform/db/migrations/migrate.ts";
import { migrationsFolder, type MigratedService } from "../platform/db/migrations/service.ts";
import type { Logger } from "../platform/lib/logger.ts";
import { connectionOf } from "./graph/sources.ts";

export interface MetadataDatabase {
  /** Rejects while it is away. */
  open: () => Promise<Database>;
  close: () => Promise<void>;
}

export const metadataService: MigratedService = {
  name: "data-layer",
  directory: join(migrationsFolder, "data-layer"),
  lock: 0x706c6964,
  marks: [["data_layer_metadata", "revision"]],
  variables: "ENGINE_GRAPHQL_METADATA",
  setting: "dataLayer.metadataUrl",
};

/** Where it is; null where it is the platform's own database, so that nothing is opened for an address that is computed. */
export function metadataConnection(url: string | undefined, platform: Connection): Connection | null {
  if (url === undefined) return null;
  const named = connectionOf(url, "plinth_data_layer");
  const isSame = (["host", "port", "dbname"] as const).every((key) => named[key] === platform[key]);
  return isSame ? null : named;
}

export function openMetadataDatabase(
  platform: Database,
  url: string | undefined,
  log: Logger,
): MetadataDatabase {
  const connection = metadataConnection(url, platform.connection);
  if (connection === null) return { open: async () => platform, close: async () => undefined };
  const database = openDatabase({ connection, log, poolSize: 2, applicationName: "plinth data layer" });
  let opening: Promise<Database> | undefined;
  return {
    open() {
      opening ??= migrate(database, { service: metadataService }).then(() => database);
      // The next one tries again.
      opening.catch(() => (opening = undefined));
      return opening;
    },
    close: () => database.close(),
  };
}
