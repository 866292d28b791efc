import { cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { testDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { migrate } from "../db/migrations/migrate.ts";
import { migrationsFolder } from "../db/migrations/service.ts";
import type { Failure } from "../errors/failure.ts";
import { silentLogger } from "../lib/logger.ts";
import { expelOlderWorkers, type LeaveTimes } from "./older-workers.ts";
import { holdWorkerLease, type WorkerLease } from "./worker-lease.ts";

let db: TestDatabase;
let newer: string;
const leases: WorkerLease[] = [];
const leaseMs = 2_000;
/** What this program knows: number of its newest migration. */
let known: string;

beforeAll(async () => {
  db = await testDatabase();
  newer = await mkdtemp(join(tmpdir(), "plinth-migrations-"));
  await cp(migrationsFolder, newer, { recursive: true });
  const names = (await readdir(newer)).filter((name) => name.endsWith(".sql"));
  known = names.toSorted().at(-1)!.slice(0, 4);
  await writeFile(join(newer, "0099_probe.sql"), "-- compatible_from: 0098\ncreate table probe (id int);\n");
});
afterEach(async () => {
  for (const lease of leases.splice(0)) await lease.close();
  const { pool } = db.database;
  await pool.query("delete from workers; delete from schema_migrations where name like '0099%'");
  await pool.query("drop table if exists probe");
});
afterAll(async () => {
  await db.drop();
  await rm(newer, { recursive: true });
});

const startWorker = async (schemaVersion: number, onSuperseded: (failure: Failure) => void = () => {}) => {
  const lease = await holdWorkerLease(db.database, leaseMs, silentLogger, { schemaVersion, onSuperseded });
  leases.push(lease);
  return lease;
};

/** What the start of the newer program does. */
const migrateNewer = (times?: LeaveTimes) =>
  migrate(db.database, {
    directory: newer,
    expelOlder: (required, migration) =>
      expelOlderWorkers(db.database, { required, migration, log: silentLogger }, times),
  });

const hasProbe = async (): Promise<boolean> => {
  const { rows } = await db.database.pool.query<{ found: string | null }>(
    "select to_regclass('probe') as found",
  );
  return rows[0]?.found !== null;
};

describe("a migration that older programs cannot work with", () => {
  it("waits for their workers, which are told, and keeps new ones out", async () => {
    const failure = Promise.withResolvers<Failure>();
    const old = await startWorker(Number(known), failure.resolve);
    const migrating = migrateNewer();
    expect(await failure.promise).toMatchObject({
      code: "PLATFORM_PROGRAM_TOO_OLD",
      message: expect.stringMatching(new RegExp(`${known}.*0098`)),
    });
    expect(await hasProbe()).toBe(false);
    const late = startWorker(Number(known));
    const refused = expect(late).rejects.toMatchObject({ code: "PLATFORM_PROGRAM_TOO_OLD" });
    await old.close();
    expect((await migrating).applied).toEqual(["0099_probe.sql"]);
    await refused;
    const { rows } = await db.database.pool.query("select id from workers");
    expect(rows).toEqual([]);
  });

  it("does not wait for workers that know enough, nor for dead ones", async () => {
    await startWorker(98, () => expect.unreachable());
    await db.database.pool.query(
      "insert into workers (id, lock_key, lease_ms, schema_version) values (gen_random_uuid(), 5, 60000, 18)",
    );
    expect((await migrateNewer()).applied).toEqual(["0099_probe.sql"]);
  });

  it("is not begun when they do not leave", async () => {
    leases.push(await holdWorkerLease(db.database, leaseMs, silentLogger));
    await startWorker(97);
    await expect(migrateNewer({ longestMs: 0, lookEveryMs: 10 })).rejects.toMatchObject({
      code: "PLATFORM_OLDER_WORKERS",
      message: expect.stringMatching(/0099_probe\.sql.*2 workers.*0015, 0097/),
    });
    expect(await hasProbe()).toBe(false);
  });
});
