import { afterAll, beforeAll, expect, it } from "vitest";
import { testDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { silentLogger } from "../lib/logger.ts";
import { startJobs, type Jobs } from "./jobs.ts";

let db: TestDatabase;
let jobs: Jobs;
beforeAll(async () => {
  db = await testDatabase();
  jobs = await startJobs({ database: db.database, log: silentLogger, queues: [], sendOnly: false });
});
afterAll(async () => {
  await jobs.close(0);
  await db.drop();
});

it("a clean-up is scheduled once, runs alone, and is tried again when it failed", async () => {
  let runs = 0;
  const cleanUp = async (): Promise<void> => {
    runs++;
    if (runs === 1) throw new Error("away");
  };
  await jobs.schedule("old-rows", "0 3 * * *", cleanUp);
  await jobs.schedule("old-rows", "0 4 * * *", cleanUp);
  const { pool, connection } = db.database;
  const schedules = `select cron, data from ${connection.schema}_jobs.schedule`;
  expect((await pool.query(schedules)).rows).toEqual([{ cron: "0 4 * * *", data: { name: "old-rows" } }]);
  // As the schedule sends it.
  await jobs.send(db.database.db, "clean-up", { name: "old-rows" });
  await jobs.send(db.database.db, "clean-up", { name: "of-another-release" });
  await expect.poll(() => runs, { timeout: 60_000 }).toBe(1);
  const retried = `select count(*) as n from ${connection.schema}_jobs.job where name = 'clean-up' and state = 'retry'`;
  await expect.poll(async () => (await pool.query(retried)).rows[0], { timeout: 60_000 }).toEqual({ n: 1 });
});

it("a clean-up shows signs of life, also in a queue of an older release, so that a killed process does not hold it up", async () => {
  const { pool, connection } = db.database;
  const schema = `${connection.schema}_jobs`;
  await pool.query(`update ${schema}.queue set heartbeat_seconds = null where name = 'clean-up'`);
  // Only one of a queue without keys waits at a time: those of other tests are gone.
  await pool.query(`delete from ${schema}.job where name = 'clean-up'`);
  const later = await startJobs({ database: db.database, log: silentLogger, queues: [], sendOnly: false });
  try {
    const seen = Promise.withResolvers<unknown>();
    const running = `select heartbeat_seconds as seconds, heartbeat_on is not null as "isAlive" from ${schema}.job
      where name = 'clean-up' and state = 'active' and data ->> 'name' = 'long-one'`;
    const look = async (): Promise<void> => seen.resolve((await pool.query(running)).rows);
    for (const each of [jobs, later]) await each.schedule("long-one", "0 3 * * *", look);
    await later.send(db.database.db, "clean-up", { name: "long-one" });
    expect(await seen.promise).toEqual([{ seconds: 30, isAlive: true }]);
  } finally {
    await later.close(0);
  }
});

it("a queue of an older release gets the options of this one", async () => {
  const { pool, connection } = db.database;
  const table = `${connection.schema}_jobs.queue`;
  const options = { database: db.database, log: silentLogger, queues: ["older"], sendOnly: true };
  // pg-boss updates its supervision columns at any moment, so they are left out.
  const columns = `policy, retry_limit, retry_delay, retry_backoff, retry_delay_max, expire_seconds, retention_seconds,
    deletion_seconds, dead_letter, partition, table_name, warning_queued, heartbeat_seconds, notify, created_on`;
  const read = async () => (await pool.query(`select ${columns} from ${table} where name = 'older'`)).rows[0];
  await (await startJobs(options)).close(0);
  const made = await read();
  await pool.query(`update ${table} set deletion_seconds = 3600, retry_limit = 2, heartbeat_seconds = null,
    notify = false where name = 'older'`);
  await (await startJobs(options)).close(0);
  expect(await read()).toEqual(made);
  expect(made).toMatchObject({ deletion_seconds: 600, heartbeat_seconds: 30, notify: true });
});
