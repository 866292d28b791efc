/**
 * The session that migrates: waiting for its lock and for long statements, and stopping when the start is
 * cancelled.
 */
import { withoutDatabaseWait } from "../../lib/request-scope.ts";
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { Failure } from "../../errors/failure.ts";
import type { Database } from "../database.ts";
import type { LimitedClient } from "../limited-client.ts";

const lockEveryMs = 200;

/**
 * Takes a lock of the session, asking again and again: a session that waits for a lock within the database does not notice
 * that its client has gone.
 */
export async function takeLock(client: pg.Client, key: number): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
      key,
    ]);
    if (rows[0]?.taken) return;
    await pause(lockEveryMs);
  }
}

/** Closes the connection when the signal aborts, in the middle of a statement too. Returns what takes that back. */
export function endOnAbort(client: LimitedClient, signal: AbortSignal | undefined): () => void {
  const end = (): void => client.abandon(new Error("The start was ended."));
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted) end();
  return () => signal?.removeEventListener("abort", end);
}

const lookEveryMs = 1_000;
/**
 * Checks in a row that must find the database idle; one may fall between the end of the work and its
 * response.
 */
const idleLooks = 2;

/**
 * Runs a statement without a time limit while the database is seen to work on it. When the database no longer
 * knows the statement, it or its response was lost.
 */
export async function runLongStatement(client: pg.Client, text: string, { pool }: Database): Promise<void> {
  const { processID } = client as pg.Client & { processID: number };
  let isDone = false;
  const done = withoutDatabaseWait(() => client.query(text)).finally(() => (isDone = true));
  // Awaited below; until then a failure must not count as an unhandled rejection.
  done.catch(() => undefined);
  for (let idle = 0; idle < idleLooks;) {
    await Promise.race([done, pause(lookEveryMs, undefined, { ref: false })]);
    if (isDone) return void (await done);
    idle = (await isAtWork(pool, processID)) ? 0 : idle + 1;
  }
  throw new Failure({
    kind: "unavailable",
    code: "PLATFORM_DATABASE_UNAVAILABLE",
    message: "The database does not work on a migration that was sent to it.",
    solutions: ["Check the network between here and the database, then start again."],
  });
}

/** True also when the database has no free connection for the question: it is alive. */
async function isAtWork(pool: pg.Pool, processID: number): Promise<boolean> {
  const text = "select state from pg_stat_activity where pid = $1";
  try {
    const { rows } = await pool.query<{ state: string | null }>(text, [processID]);
    return rows[0]?.state === "active";
  } catch (error) {
    return typeof (error as { severity?: unknown }).severity === "string";
  }
}
