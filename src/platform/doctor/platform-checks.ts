/** The checks that need no area: of the database and the settings, and of a process that runs. */
import type { AuditChain } from "../audit/seal.ts";
import type { Config } from "../config/schema/schema.ts";
import type { Database } from "../db/database.ts";
import { platformService } from "../db/migrations/service.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { SealedPlace } from "../runtime/keys/sealed-place.ts";
import type { Platform } from "../runtime/platform.ts";
import type { UpkeepParts } from "../runtime/upkeep.ts";
import { databaseCheck, type Check } from "../lib/check.ts";
import { configurationChecks } from "./configuration-checks.ts";
import { databaseChecks, migrationsCheck } from "./database-checks.ts";
import { dataFolderCheck, eventLoopCheck, jobsCheck, poolCheck } from "./process-checks.ts";
import { auditCheck, keysCheck, retentionCheck } from "./upkeep-checks.ts";

export interface InstallationParts {
  config: Config;
  database: Database;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Places of secrets that are sealed. */
  places: () => Promise<readonly SealedPlace[]>;
  /** What to do when the database does not answer, where that may name it. */
  adviceOf?: (error: unknown) => string;
}

/** What can be seen without a process that serves. */
export function installationChecks(parts: InstallationParts): Check[] {
  const { config, database, now, places } = parts;
  const { db } = database;
  return [
    ...databaseChecks(parts),
    migrationsCheck({ name: "migrations", database, service: platformService, needs: databaseCheck }),
    ...configurationChecks(config, now),
    dataFolderCheck(config),
    keysCheck({ config, db, places }),
    retentionCheck(db),
  ];
}

export const auditChecks = (chains: readonly AuditChain[], now: () => number): Check[] =>
  chains.map((chain) => auditCheck(chain, now));

export interface AllParts extends UpkeepParts {
  places: InstallationParts["places"];
}

/** Of the platform and of all areas, in the order in which they are shown. */
export async function allChecks(platform: Platform, { modules, audits, places }: AllParts): Promise<Check[]> {
  const { database, jobs, reloads } = platform;
  const now = (): number => platform.now().getTime();
  const ofAreas = await Promise.all(modules.map((module) => module.checks()));
  return [
    // The settings as they are now, after reloads.
    ...installationChecks({ config: reloads.config(), database, now, places }),
    ...auditChecks(audits, now),
    ...processChecks(database, jobs),
    ...ofAreas.flat(),
  ];
}

const processChecks = (database: Database, jobs: Pick<Jobs, "count">): Check[] => [
  eventLoopCheck,
  poolCheck(database.pool),
  jobsCheck(() => jobs.count()),
];
