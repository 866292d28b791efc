/** The database: whether it answers, how fast, and whether it is one that this program can work with. */
import { maxConnections as neededConnections } from "../db/connection-limits.ts";
import { ping, type Database } from "../db/database.ts";
import { readApplied, type Applied } from "../db/migrations/migration-table.ts";
import { readMigrations, type Migration } from "../db/migrations/read-migrations.ts";
import type { MigratedService } from "../db/migrations/service.ts";
import { readPlatformNumbers } from "../jobs/worker-store.ts";
import {
  ageOf,
  counted,
  databaseCheck,
  ok,
  problem,
  sizeOf,
  warning,
  type Check,
  type Finding,
} from "../lib/check.ts";
import { readServer } from "./server-store.ts";

export interface DatabaseParts {
  database: Database;
  /** Milliseconds since 1970, by this process's clock. */
  now: () => number;
  /** What to do when it does not answer. */
  adviceOf?: (error: unknown) => string;
}

/** A round trip that is longer makes every task of a plan slow. */
const slowMs = 50;
const oldestMajor = 15;
const skewSeconds = { warning: 5, problem: 60 };
/** Parts of max_connections. */
const usedPart = { warning: 0.85, problem: 0.97 };

export function databaseChecks(parts: DatabaseParts): Check[] {
  const { database, now } = parts;
  const needs = databaseCheck;
  return [
    { ...answers(databaseCheck, parts), guide: "monitoring.md#plinthdatabaseaway" },
    {
      name: "database version",
      guide: "operating.md",
      needs,
      look: async () => versionFinding(await readServer(database.db)),
    },
    {
      name: "clock",
      guide: "monitoring.md#plinthclockskew",
      needs,
      async look() {
        const askedAt = now();
        const { clock } = await readPlatformNumbers(database.db);
        return clockFinding((askedAt + now()) / 2_000 - clock);
      },
    },
    {
      name: "connections",
      guide: "monitoring.md#plinthconnectionsnearlyused",
      needs,
      look: async () => connectionsFinding(await readPlatformNumbers(database.db)),
    },
    {
      name: "database size",
      guide: "retention.md",
      needs,
      look: async () =>
        ok(
          `It has ${sizeOf((await readServer(database.db)).bytes)}. How much room its disk has is not visible from here.`,
        ),
    },
    {
      name: "workers",
      guide: "monitoring.md#plinthnoworker",
      needs,
      look: async () => workersFinding(await readPlatformNumbers(database.db)),
    },
  ];
}

/** Whether a database answers; three round trips, of which the shortest counts. */
export const answers = (name: string, { database, adviceOf }: Omit<DatabaseParts, "now">) => ({
  name,
  async look(): Promise<Finding> {
    const times = [];
    try {
      for (let round = 0; round < 3; round += 1) {
        const beganAt = performance.now();
        await ping(database);
        times.push(performance.now() - beganAt);
      }
    } catch (error) {
      const advice = adviceOf?.(error) ?? "Look whether it runs, and whether this process reaches it.";
      return problem("It does not answer.", advice);
    }
    const ms = Math.min(...times);
    const found = `It answers within ${ms < 1 ? "1" : ms.toFixed(0)} ms.`;
    return ms < slowMs
      ? ok(found)
      : warning(
          found,
          "Bring the processes nearer to the database: each task of a plan takes several round trips.",
        );
  },
});

export function versionFinding({ version }: { version: number }): Finding {
  const major = Math.floor(version / 10_000);
  const found = `It is PostgreSQL ${major}.${version % 10_000}.`;
  return major >= oldestMajor
    ? ok(found)
    : problem(found, `Upgrade it to PostgreSQL ${oldestMajor} or newer.`);
}

export function clockFinding(ahead: number): Finding {
  const apart = Math.abs(ahead);
  if (apart < skewSeconds.warning) return ok("The clocks of this process and of the database agree.");
  const found = `The clock of this process is ${ageOf(apart)} ${ahead > 0 ? "ahead of" : "behind"} the database's.`;
  const advice = "Let both machines follow NTP: tokens and maintenance windows go by these clocks.";
  return apart < skewSeconds.problem ? warning(found, advice) : problem(found, advice);
}

export function connectionsFinding(numbers: { connections: number; maxConnections: number }): Finding {
  const { connections, maxConnections } = numbers;
  const found = `${connections} of ${maxConnections} connections are used.`;
  const advice = `Raise max_connections, or run fewer processes: each needs up to ${neededConnections({ isWorker: true })}.`;
  const part = connections / maxConnections;
  if (part < usedPart.warning) return ok(found);
  return part < usedPart.problem ? warning(found, advice) : problem(found, advice);
}

interface WorkerNumbers {
  aliveWorkers: number;
  deadWorkers: number;
  oldestHeartbeatSeconds: number;
}

export function workersFinding({
  aliveWorkers,
  deadWorkers,
  oldestHeartbeatSeconds,
}: WorkerNumbers): Finding {
  const dead =
    deadWorkers === 0
      ? ""
      : ` ${counted(deadWorkers, "worker")} ended without a farewell within the last day, by a kill or a crash.`;
  if (aliveWorkers === 0)
    return problem(
      `No worker is alive, so plans, instantiations and runs wait.${dead}`,
      "Start a process with workers: `plinth start`, or `plinth start --workers only`.",
    );
  const alive = aliveWorkers === 1 ? "1 worker is alive" : `${aliveWorkers} workers are alive`;
  return ok(`${alive}; the oldest heartbeat came ${ageOf(oldestHeartbeatSeconds)} ago.${dead}`);
}

export interface MigrationParts {
  name: string;
  database: Database;
  service: MigratedService;
  needs: string;
}

export const migrationsCheck = ({ name, database, service, needs }: MigrationParts): Check => ({
  name,
  guide: "operating.md#upgrade-and-go-back",
  needs,
  async look() {
    const applied = await readApplied(database.pool).catch((error: { code?: string }) => {
      if (error.code === noSuchTable) return null;
      throw error;
    });
    return migrationsFinding(await readMigrations(service.directory), applied);
  },
});

const noSuchTable = "42P01";

export function migrationsFinding(known: readonly Migration[], applied: Applied | null): Finding {
  const start = "Start a server of this version: it applies what is missing.";
  if (applied === null) return problem("The schema has no tables of Plinth.", start);
  const newest = known.at(-1)?.number ?? 0;
  const changed = known.filter(
    ({ name, checksum }) => (applied.get(name)?.checksum ?? checksum) !== checksum,
  );
  const missing = known.filter(({ name }) => !applied.has(name));
  const asks = Math.max(0, ...[...applied.values()].map(({ compatibleFrom }) => compatibleFrom ?? 0));
  if (asks > newest)
    return problem(
      "A newer program has migrated the schema, and this one cannot work with it.",
      "Run the newer program everywhere, or restore the backup of before.",
    );
  if (changed.length > 0)
    return problem(
      `Other than what was applied: ${counted(changed.length, "migration")}, first ${changed[0]?.name}.`,
      "Run the program as it was released.",
    );
  if (missing.length > 0)
    return problem(`Not applied: ${counted(missing.length, "migration")}, first ${missing[0]?.name}.`, start);
  if (applied.size > known.length)
    return warning(
      "All are applied, and newer ones that this program does not know but can work with.",
      "Finish the upgrade: run the newer program everywhere.",
    );
  return ok(`All ${applied.size} are applied.`);
}
