import { afterAll, beforeAll, expect, it } from "vitest";
import { testDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { sql } from "../db/sql.ts";
import { newId } from "../lib/ids.ts";
import { silentLogger } from "../lib/logger.ts";
import { holdWorkerLease, mayTakeOver, workerLockClass, type WorkerLease } from "./worker-lease.ts";

let db: TestDatabase;
let lease: WorkerLease;
const dead = newId();

beforeAll(async () => {
  db = await testDatabase();
  lease = await holdWorkerLease(db.database, 60_000, silentLogger);
  await sql`insert into workers (id, lock_key, lease_ms, heartbeat_at)
    values (${dead}, 1, 10000, now() - interval '1 hour')`.execute(db.database.db);
});
afterAll(async () => {
  await lease.close();
  await db.drop();
});

const takesOver = async (by: string = lease.id): Promise<boolean> => {
  const { rows } = await sql<{ may: boolean }>`select ${mayTakeOver("d.id", sql`${by}`)} as may
    from workers d where d.id = ${dead}`.execute(db.database.db);
  return rows[0]!.may;
};

const change = (set: string): Promise<unknown> =>
  db.database.pool.query(`update workers set ${set} where id = $1`, [lease.id]);

it("a worker takes the work of a dead one over, but not right after its own session was lost", async () => {
  expect(await takesOver()).toBe(true);
  await db.database.pool.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = $1::int::oid
       and objid = (select lock_key::oid from workers where id = $2)`,
    [workerLockClass, lease.id],
  );
  await eventually("the session is lost", async () => !lease.isHeld());
  await eventually("it is there again", async () => lease.isHeld());
  const { rows } = await sql<{ isReopened: boolean }>`select reopened_at is not null as "isReopened"
    from workers where id = ${lease.id}`.execute(db.database.db);
  expect(rows).toEqual([{ isReopened: true }]);
  // However long this test took until here.
  await change("reopened_at = now()");
  expect(await takesOver()).toBe(false);
  await change("reopened_at = now() - interval '4 seconds'");
  expect(await takesOver()).toBe(true);
});

it("a worker that has no session takes nothing over", async () => {
  const lost = newId();
  await sql`insert into workers (id, lock_key, lease_ms, heartbeat_at)
    values (${lost}, 2, 10000, now() - interval '1 hour')`.execute(db.database.db);
  expect(await takesOver(lost)).toBe(false);
});
