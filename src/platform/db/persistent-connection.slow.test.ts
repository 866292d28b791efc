/** The two connections that a process holds beside its pool: however their making fails, there is never more than one. */
import { afterAll, beforeAll, beforeEach, afterEach, expect, it } from "vitest";
import { openWire, type Wire } from "../../../test/faults/wire.ts";
import { testDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { holdWorkerLease, workerLockClass } from "../jobs/worker-lease.ts";
import type { Logger } from "../lib/logger.ts";
import { createListener } from "./listener.ts";
import { openDatabase, type Database } from "./database.ts";
import { openPersistentConnection } from "./persistent-connection.ts";

const name = "standing-connection-test";
let db: TestDatabase;
let wire: Wire;
let database: Database;
let failures: number;

const log: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => void failures++,
  error: () => {},
  child: () => log,
};

beforeAll(async () => {
  db = await testDatabase();
  wire = await openWire(db.connection.host, db.connection.port);
});
afterAll(async () => {
  await db.drop();
  wire.close();
});
beforeEach(() => {
  failures = 0;
  const connection = { ...db.connection, host: "127.0.0.1", port: wire.port };
  database = openDatabase({ connection, log, applicationName: name });
});
afterEach(async () => {
  await sqlText(`alter database ${db.connection.dbname} reset default_transaction_read_only`);
  wire.flow();
  await database.close();
});

const sqlText = (text: string) => db.database.pool.query<{ n: number }>(text);
const count = async (text: string): Promise<number> => (await sqlText(text)).rows[0]!.n;
const sessions = (): Promise<number> =>
  count(`select count(*) as n from pg_stat_activity where application_name = '${name}'`);
const leases = (): Promise<number> =>
  count(`select count(*) as n from pg_locks where locktype = 'advisory' and granted
    and classid = ${workerLockClass} and database = (select oid from pg_database where datname = current_database())`);
const terminate = () =>
  sqlText(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${name}'`);

it("a lease that can't be taken again for a while leaves no connection open, and is taken when it can be", async () => {
  const lease = await holdWorkerLease(database, 15_000, log);
  await sqlText(`alter database ${db.connection.dbname} set default_transaction_read_only = on`);
  await terminate();
  await expect.poll(() => failures).toBeGreaterThanOrEqual(5);
  // The database still lists a session that is ending.
  await expect.poll(sessions).toBeLessThanOrEqual(1);
  await sqlText(`alter database ${db.connection.dbname} reset default_transaction_read_only`);
  await expect.poll(leases).toBe(1);
  await expect.poll(sessions).toBe(1);
  await lease.close();
  await expect.poll(sessions).toBe(0);
});

it("a lease that is given up leaves neither a connection nor a row", async () => {
  const lease = await holdWorkerLease(database, 15_000, log);
  const id = (): Promise<number> => count(`select count(*) as n from workers where id = '${lease.id}'`);
  expect(await id()).toBe(1);
  await lease.close();
  await expect.poll(sessions).toBe(0);
  expect(await id()).toBe(0);
});

it("a worker whose lease can't be had at its start leaves nothing open", async () => {
  await sqlText(`alter database ${db.connection.dbname} set default_transaction_read_only = on`);
  await expect(holdWorkerLease(database, 15_000, log)).rejects.toThrow("read-only");
  await expect.poll(sessions).toBe(0);
});

it("a lease that is given up while it is being taken again leaves nothing open", async () => {
  let attempts = 0;
  const connect: Database["connect"] = (options) => {
    attempts++;
    return database.connect(options);
  };
  const lease = await holdWorkerLease({ ...database, connect }, 15_000, log);
  wire.cut();
  wire.stall();
  await wire.mend();
  await expect.poll(() => attempts).toBe(2);
  await lease.close();
  wire.flow();
  await expect.poll(sessions).toBe(0);
  expect(failures).toBe(0);
});

it("a heartbeat that gets no answer is not followed by others, and the lease is taken anew", async () => {
  const lease = await holdWorkerLease(database, 1_000, log);
  wire.stall();
  // The connection is given up after the limit of one statement.
  await expect.poll(() => failures).toBe(1);
  wire.flow();
  await expect.poll(leases).toBe(1);
  await expect.poll(sessions).toBe(1);
  await lease.close();
});

it("a listener that can't listen again for a while leaves no connection open, and then hears again", async () => {
  const received: (string | null)[] = [];
  let isBroken = false;
  const listener = createListener(async (options) => {
    const client = await database.connect(options);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) =>
      query(...(isBroken ? ["listen to nothing that exists"] : args))) as typeof client.query;
    return client;
  }, log);
  await listener.listen("standing", (payload) => received.push(payload));
  isBroken = true;
  await terminate();
  await expect.poll(() => failures).toBeGreaterThanOrEqual(5);
  // The database still lists a session that is ending.
  await expect.poll(sessions).toBeLessThanOrEqual(1);
  isBroken = false;
  await expect.poll(() => received).toEqual([null]);
  await sqlText("notify standing, 'again'");
  await expect.poll(() => received).toEqual([null, "again"]);
  await listener.close();
  await expect.poll(sessions).toBe(0);
});

it("a connection that several callers share has one statement under way", async () => {
  const warnings: string[] = [];
  const note = (warning: Error): void => void warnings.push(warning.message);
  process.on("warning", note);
  const connection = await openPersistentConnection({
    connect: (options) => database.connect(options),
    prepare: async () => undefined,
    log,
    what: "the connection of this test",
  });
  try {
    const client = connection.client()!;
    const results = await Promise.allSettled([
      client.query("select pg_sleep(0.05), 1 as n"),
      client.query("select 1 / 0 as n"),
      client.query("select 3 as n"),
      client.query("select 4 as n"),
    ]);
    expect(results.map((each) => (each.status === "fulfilled" ? each.value.rows[0].n : "failed"))).toEqual([
      1,
      "failed",
      3,
      4,
    ]);
    // `pg` prints a deprecation warning, once per process, when a query is sent while another one is queued.
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  } finally {
    process.off("warning", note);
    await connection.close();
  }
});
