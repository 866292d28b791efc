/** What can be checked without a server: the configuration, the database, and what both say of the rest. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { auditsOf, sealedPlaces } from "../../areas.ts";
import { assistantChecks } from "../../assistant/upkeep/checks.ts";
import { authChecks } from "../../auth/checks.ts";
import { builderChecks } from "../../builder/numbers.ts";
import { coordinatorChecks } from "../../coordinator/watching/checks.ts";
import { eventReaders } from "../../coordinator/watching/unread.ts";
import { governanceChecks } from "../../governance/module.ts";
import { governanceConnection, governanceService } from "../../governance/database.ts";
import { openDatabase, type Connection, type Database } from "../../platform/db/database.ts";
import { platformService, type MigratedService } from "../../platform/db/migrations/service.ts";
import { startFailure } from "../../platform/db/start/start-failure.ts";
import { auditChecks, installationChecks } from "../../platform/doctor/platform-checks.ts";
import { runChecks, type Checked } from "../../platform/doctor/run-checks.ts";
import { Failure, type Problem } from "../../platform/errors/failure.ts";
import { problem, type Check, type Finding } from "../../platform/lib/check.ts";
import { silentLogger } from "../../platform/lib/logger.ts";
import { createKeyRing } from "../../platform/lib/secrets/secret-box.ts";
import { readConfiguredKeys } from "../../platform/runtime/keys/configured-keys.ts";
import type { Config } from "../../platform/config/schema/schema.ts";
import {
  configOf,
  withInstallation,
  type Installation,
  type InstallationOptions,
} from "../backup/installation.ts";
import type { Cli } from "../context.ts";

/** Changes nothing, and begins no installation where there is none. */
export async function checkInstallation(cli: Cli, options: InstallationOptions): Promise<Checked[]> {
  let config: Config;
  try {
    config = configOf(cli, options);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [alone("configuration", "docs/reference/settings.md", configurationFinding(error))];
  }
  const missing = whatIsMissing(config);
  if (missing !== null)
    return [alone("installation", "docs/guides/troubleshooting.md#the-server-does-not-start", missing)];
  try {
    return await withInstallation(cli, options, (installation) => checkOpened(cli, installation));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { message, solutions } = error;
    const finding = problem(message, solutions.join(" ") || "Read its log.");
    return [alone("database", "docs/guides/troubleshooting.md#the-server-does-not-start", finding)];
  }
}

const alone = (name: string, guide: string, finding: Finding): Checked => ({
  name,
  guide,
  ...finding,
  ms: 0,
});

function configurationFinding({ message, problems, solutions }: Failure): Finding {
  const list = problems.map(({ where, message: text }: Problem) => `${where} ${text}`).join("; ");
  return problem(`${message} ${list}`, solutions[0] ?? "Correct the settings that are named.");
}

/** An opened installation is made where there is none: a database in an empty folder, such as a volume that is not mounted. */
function whatIsMissing({ dataDir, database }: Config): Finding | null {
  const folder = resolve(dataDir);
  const advice =
    "Mount the volume that should be there, name its configuration with --config or its data directory with --data-dir, " +
    "or its server with --url.";
  if (!existsSync(folder)) return problem(`There is no data directory ${folder}.`, advice);
  if (!database.embedded || existsSync(join(folder, "postgres", "PG_VERSION"))) return null;
  return problem(`There is no database in ${folder}, and the configuration names no other.`, advice);
}

async function checkOpened(cli: Cli, { config, connection, log }: Installation): Promise<Checked[]> {
  const own = governanceConnection(config, connection);
  const database = openDatabase({ connection, log: silentLogger, poolSize: 6 });
  const governance = openDatabase({ connection: own, log: silentLogger, poolSize: 3 });
  try {
    const checks = await allChecks(config, { database, governance });
    const { checks: done } = await runChecks(checks, { log, signal: cli.signal, reasonOf: String });
    return done;
  } finally {
    await Promise.all([database.close(), governance.close()]);
  }
}

interface Databases {
  database: Database;
  governance: Database;
}

async function allChecks(config: Config, { database, governance }: Databases): Promise<Check[]> {
  const now = (): number => Date.now();
  const { db } = database;
  const adviceOf = adviceFor(config, { connection: database.connection, service: platformService });
  const ofGovernance = adviceFor(config, { connection: governance.connection, service: governanceService });
  return [
    ...installationChecks({ config, database, now, places: sealedPlaces, adviceOf }),
    ...(await signedChecks(config, { database, governance }, now)),
    ...governanceChecks(governance, ofGovernance),
    ...coordinatorChecks(db, eventReaders(config)),
    ...builderChecks(db),
    ...assistantChecks(db),
    ...authChecks(db, now),
  ];
}

/** Without the installation key the signature of the audit can't be verified; the check of the key says that it is missing. */
async function signedChecks(
  config: Config,
  { database, governance }: Databases,
  now: () => number,
): Promise<Check[]> {
  const { current, former } = await readConfiguredKeys(config).catch(() => noKeys);
  if (current === null) return [];
  const secrets = createKeyRing({ sealing: current, all: [current, ...former], naming: true });
  return auditChecks(auditsOf({ database, secrets }, { database: governance }), now);
}

const noKeys = { current: null, former: [] };

/** What a start would say, with the place of the database: whoever runs the command has the configuration. */
const adviceFor =
  (config: Config, { connection, service }: { connection: Connection; service: MigratedService }) =>
  (error: unknown): string => {
    const failure = startFailure(error, connection, { isEmbedded: config.database.embedded, service });
    const { message, solutions = [] } = failure as Partial<Failure>;
    return [message, ...solutions].join(" ");
  };
