/**
 * Before a migration that older programs cannot work with: asks their workers to stop, and waits for them.
 */
import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { shownNumber } from "../db/migrations/read-migrations.ts";
import { Failure } from "../errors/failure.ts";
import type { Logger } from "../lib/logger.ts";
import { isDeadWorker } from "./worker-lease.ts";

/**
 * Assumed for workers that do not record their schema version: the last version before workers recorded it.
 */
const lastUnrecorded = 15;

export interface LeaveTimes {
  /** A worker notices at its next heartbeat and hands its plans over; both take seconds. */
  longestMs: number;
  lookEveryMs: number;
}

const usual: LeaveTimes = { longestMs: 60_000, lookEveryMs: 250 };

/**
 * Resolves when no worker is alive whose program knows less than `required`. Those that start meanwhile wait for the
 * migration, because the caller holds its lock (worker-lease.ts), and are refused after it.
 */
export async function expelOlderWorkers(
  database: Database,
  { required, migration, log }: { required: number; migration: string; log: Logger },
  { longestMs, lookEveryMs }: LeaveTimes = usual,
): Promise<void> {
  const end = performance.now() + longestMs;
  let reported = 0;
  for (;;) {
    const left = await notifyOlderWorkers(database, required);
    if (left.length === 0) return;
    if (reported !== left.length)
      log.info({ migration, workers: left.length }, "waiting for older workers to leave");
    reported = left.length;
    if (performance.now() > end) throw stillThere(migration, required, left);
    await new Promise((next) => setTimeout(next, lookEveryMs));
  }
}

async function notifyOlderWorkers(database: Database, required: number): Promise<(number | null)[]> {
  const { rows } = await sql<{ version: number | null }>`update workers
    set superseded_by = greatest(coalesce(superseded_by, 0), ${required})
    where coalesce(schema_version, ${lastUnrecorded}) < ${required} and not (${isDeadWorker("workers.id")})
    returning schema_version as version`.execute(database.db);
  return rows.map(({ version }) => version);
}

function stillThere(migration: string, required: number, left: readonly (number | null)[]): Failure {
  const versions = [...new Set(left.map((version) => shownNumber(version ?? lastUnrecorded)))]
    .sort()
    .join(", ");
  const workers = left.length === 1 ? "1 worker is" : `${left.length} workers are`;
  return new Failure({
    kind: "conflict",
    code: "PLATFORM_OLDER_WORKERS",
    message:
      `The migration ${migration} takes programs from schema version ${shownNumber(required)} on, and ${workers} still at ` +
      `work whose program knows ${versions}.`,
    solutions: ["Stop the processes of the older version, then start this one again."],
  });
}
