/**
 * Tells which processes are alive. A worker holds a session lock on a connection of its own, so that the
 * lock is free the moment its process is gone, and writes a heartbeat, so that a worker that is stopped or
 * cut off (and still holds its session) counts as dead when its lease has run out.
 */
import { randomInt } from "node:crypto";
import type pg from "pg";
import type { Database } from "../db/database.ts";
import { sql, type Sql } from "../db/sql.ts";
import { platformService } from "../db/migrations/service.ts";
import { superseded } from "../db/migrations/migration-table.ts";
import { openPersistentConnection } from "../db/persistent-connection.ts";
import type { Failure } from "../errors/failure.ts";
import { DatabaseWait } from "../lib/database-wait.ts";
import { withinDatabaseWait } from "../lib/request-scope.ts";
import { newId } from "../lib/ids.ts";
import type { Logger } from "../lib/logger.ts";

/** First half of the two-part advisory lock; the second half is the worker's own key. */
export const workerLockClass = 0x504c;

export interface WorkerLease {
  id: string;
  /** Whether its session is open; others count it as dead soon when it is not. */
  isHeld(): boolean;
  /** Milliseconds since its last heartbeat was written. */
  heartbeatMs(): number;
  close(): Promise<void>;
}

/** The program that the worker belongs to. */
export interface WorkerProgram {
  /** Number of the newest migration that it knows. */
  schemaVersion: number;
  /** A newer program needs the schema to itself: the worker must hand over its work and end. Called once. */
  onSuperseded: (failure: Failure) => void;
}

/** How long a stop waits for the worker's row to go; one that stays goes after a day. */
const closeTimeoutMs = 1_000;

/** Rejects with the failure of a superseded program where the schema asks for a newer one. */
export async function holdWorkerLease(
  database: Database,
  leaseMs: number,
  log: Logger,
  program?: WorkerProgram,
): Promise<WorkerLease> {
  const id = newId();
  let key = 0;
  let isBeating = false;
  let hasBegun = false;
  let hasLeft = false;
  let beatAt = performance.now();

  /**
   * Also restores the row when it was deleted while the process was paused for very long. Returns why the
   * worker has to stop, or null.
   */
  const beat = async (client: pg.Client, isReopened = false): Promise<Failure | null> => {
    const { rows } = await client.query<{ required: number | null }>(
      `insert into workers (id, lock_key, lease_ms, schema_version, reopened_at)
       values ($1, $2, $3, $4, case when $5 then now() end)
       on conflict (id) do update set lock_key = excluded.lock_key, heartbeat_at = now(),
         reopened_at = coalesce(excluded.reopened_at, workers.reopened_at)
       returning greatest(superseded_by, (select max(compatible_from) from schema_migrations)) as required`,
      [id, key, leaseMs, program?.schemaVersion, isReopened],
    );
    beatAt = performance.now();
    const required = rows[0]?.required ?? 0;
    if (program === undefined || required <= program.schemaVersion) return null;
    return superseded(required, program.schemaVersion);
  };
  const leave = (failure: Failure): void => {
    if (hasLeft) return;
    hasLeft = true;
    program?.onSuperseded(failure);
  };
  /** Waits for a running migration, which relies on no worker joining meanwhile. */
  const enter = async (client: pg.Client, isReopened: boolean): Promise<void> => {
    await client.query("select pg_advisory_lock_shared($1)", [platformService.lock]);
    const failure = await beat(client, isReopened);
    await client.query("select pg_advisory_unlock_shared($1)", [platformService.lock]);
    if (failure === null) return;
    await client.query("delete from workers where id = $1", [id]);
    leave(failure);
    throw failure;
  };
  const lease = await openPersistentConnection({
    connect: (options) => database.connect(options),
    async prepare(client) {
      key = randomInt(1, 2 ** 31 - 1);
      await client.query("select pg_advisory_lock($1, $2)", [workerLockClass, key]);
      await client.query("delete from workers where heartbeat_at < now() - interval '1 day'");
      await enter(client, hasBegun);
      hasBegun = true;
    },
    log,
    what: "the worker's lease",
  });
  const heartbeat = setInterval(() => {
    const client = lease.client();
    // One heartbeat at a time is enough.
    if (client === null || isBeating) return;
    isBeating = true;
    beat(client)
      .then(
        (failure) => failure && leave(failure),
        (error: Error) => log.warn({ reason: error.message }, "a worker heartbeat failed"),
      )
      .finally(() => (isBeating = false));
  }, leaseMs / 5);
  heartbeat.unref();
  return {
    id,
    isHeld: () => lease.client() !== null,
    heartbeatMs: () => performance.now() - beatAt,
    async close() {
      clearInterval(heartbeat);
      await lease.close((client) =>
        withinDatabaseWait(new DatabaseWait(closeTimeoutMs), () =>
          client.query("delete from workers where id = $1", [id]),
        ),
      );
    },
  };
}

/**
 * SQL condition: the worker with that id is dead. The postmaster's age counts because its restart drops
 * every session at once, and the living need a moment to take theirs again.
 */
export const isDeadWorker = (workerId: string) => sql<boolean>`not exists (
  select 1 from workers w
  where w.id = ${sql.raw(workerId)}
    and w.heartbeat_at > now() - make_interval(secs => w.lease_ms / 1000.0)
    and (pg_postmaster_start_time() > now() - interval '3 seconds' or exists (
      select 1 from pg_locks l
      where l.locktype = 'advisory' and l.granted and l.objsubid = 2
        and l.database = (select oid from pg_database where datname = current_database())
        and l.classid = ${sql.lit(workerLockClass)}::oid and l.objid = w.lock_key::oid)))`;

/**
 * SQL condition of a claim: that worker is dead, and the worker `by`, whose claim it is, may take its work. One whose own session
 * was lost, and that has it again since a moment ago or not yet, takes nothing: where the database was away or another took its
 * place, all workers have lost theirs at the same time, and the others are about to be back.
 */
export const mayTakeOver = (
  workerId: string,
  by: Sql,
): Sql<boolean> => sql<boolean>`(${isDeadWorker(workerId)}
  and not exists (select 1 from workers own where own.id = ${by}
    and (own.reopened_at > now() - interval '3 seconds' or ${isDeadWorker("own.id")})))`;

/** The worker that claims due rows, and the ids of those that it works on or leaves alone after a failure. */
export interface RowClaim {
  workerId: string;
  underWay: readonly (string | number)[];
  at: Date;
  limit: number;
}

/**
 * SQL condition of a claim: no live worker has the row with that alias. A row of the claiming worker that is not under
 * way was dropped after an error.
 */
export const isUnclaimed = (alias: string, { workerId, underWay }: RowClaim) => sql<boolean>`case
  when ${sql.raw(alias)}.worker_id is null then true
  when ${sql.raw(alias)}.worker_id = ${workerId}
    then ${sql.raw(alias)}.id::text <> all(${underWay.map(String)}::text[])
  else ${mayTakeOver(`${alias}.worker_id`, sql`${workerId}`)} end`;
