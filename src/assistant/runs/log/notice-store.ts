/** Notices about runs between processes: for workers, and for readers of the log. */
import type { Db } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";

/** Notified when a run waits for a worker. */
export const runsChannel = "plinth_runs";
/** Notified with the id of a run that its worker has to stop. */
export const runControlChannel = "plinth_run_control";
/** Notified with the ids of runs that have new events, comma-separated. */
export const runLogChannel = "plinth_run_log";

export async function notifyWorkers(db: Db): Promise<void> {
  await sql`select pg_notify(${runsChannel}, '')`.execute(db);
}

/** Tells the worker of a run, if it has one, to stop; it can't write any more. */
export async function notifyStop(db: Db, runId: string): Promise<void> {
  await sql`select pg_notify(${runControlChannel}, ${runId})`.execute(db);
}

/** Makes the readers of a run read its log again. */
export async function notifyReaders(db: Db, runId: string): Promise<void> {
  await sql`select pg_notify(${runLogChannel}, ${runId})`.execute(db);
}
