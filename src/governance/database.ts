/** Governance's tables: a schema with migrations of its own, in the coordinator's database or another one. */
import { join } from "node:path";
import type { Config } from "../platform/config/schema/schema.ts";
import { connectionLimits } from "../platform/db/connection-limits.ts";
import { changingPassword } from "../platform/db/changing-password.ts";
import { openDatabase, type Connection, type Database } from "../platform/db/database.ts";
import { migrate } from "../platform/db/migrations/migrate.ts";
import { migrationsFolder, type MigratedService } from "../platform/db/migrations/service.ts";
import { startFailure } from "../platform/db/start/start-failure.ts";
import type { PlatformBase } from "../platform/runtime/platform.ts";

export const governanceService: MigratedService = {
  name: "governance",
  directory: join(migrationsFolder, "governance"),
  lock: 0x706c6967,
  marks: [
    ["policies", "grace_until"],
    ["policy_versions", "policy_id"],
  ],
  variables: "CGP_DB",
  setting: "database.governance",
};

/**
 * As configured; what is not given is as for the coordinator. On a server of its own beside the embedded one it is as that
 * would be configured: port and password of the embedded one are of no use there.
 */
export function governanceConnection(
  { database }: Pick<Config, "database">,
  coordinator: Connection,
): Connection {
  const { newSchema: _newSchema, ...own } = database.governance;
  const { newSchema: _coordinators, ...configured } = database.coordinator;
  const given = Object.entries(own).filter(([, value]) => value !== undefined);
  const isElsewhere = database.embedded && own.host !== undefined;
  return { ...coordinator, ...(isElsewhere ? configured : {}), ...Object.fromEntries(given) };
}

function passwordIn(config: Config, { database: { connection } }: PlatformBase): string {
  const { embedded, coordinator } = config.database;
  const password = embedded ? connection.password : coordinator.password;
  return governanceConnection(config, { ...connection, password }).password;
}

/** Opens it with all migrations applied; another process that migrates is waited for. */
export async function openGovernanceDatabase(
  platform: PlatformBase,
  signal: AbortSignal | undefined,
): Promise<Database> {
  const { config, log, opened, reloads } = platform;
  const { connection, prepare } = changingPassword(
    governanceConnection(config, platform.database.connection),
    (next) => passwordIn(next, platform),
    // A refusal names the setting that the password is from.
    config.database.governance.password === undefined ? undefined : governanceService,
  );
  const database = openDatabase({ connection, log, poolSize: connectionLimits.governance });
  opened.add("the database of governance", () => database.close());
  reloads.add(prepare);
  const { host, newSchema } = config.database.governance;
  const { applied } = await opened.wait("the migrations of governance", () =>
    migrate(database, { service: governanceService, newSchema, signal }).catch((error: unknown) => {
      const isEmbedded = config.database.embedded && host === undefined;
      throw startFailure(error, connection, { isEmbedded, service: governanceService });
    }),
  );
  if (applied.length > 0) log.info({ applied }, "governance's database migrated");
  return database;
}
