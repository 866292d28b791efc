/** Whole processes on a database whose schema a newer program has changed, or is about to. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { startPlinth } from "../src/app.ts";
import type { ProcessRole } from "../src/areas.ts";
import { serve } from "../src/main.ts";
import { silentLogger } from "../src/platform/lib/logger.ts";
import { testDatabase, type TestDatabase } from "./support/database.ts";
import { testKeyVariables, wholeServerConfig } from "./support/server.ts";

let db: TestDatabase;
let dataDir: string;

beforeAll(async () => {
  db = await testDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "plinth-newer-schema-"));
});
afterEach(async () => {
  await db.database.pool.query("delete from schema_migrations where name like '9999%'");
});
afterAll(async () => {
  await db.drop();
  await rm(dataDir, { recursive: true });
});

const start = (workers: ProcessRole["workers"]) => {
  const config = wholeServerConfig(db.connection, dataDir);
  return startPlinth(config, { areas: ["coordinator"], workers }, silentLogger, { lateThreads: true });
};

/** A newer program has applied a migration that this one cannot work with. */
const bringNewer = () =>
  db.database.pool.query(
    `insert into schema_migrations (name, checksum, compatible_from, program)
     values ('9999_newer.sql', '', 9999, '9.0.0')`,
  );

it.each(["on", "off", "only"] as const)(
  "with --workers %s nothing is begun on a schema that asks for a newer program",
  async (workers) => {
    await bringNewer();
    await expect(start(workers)).rejects.toMatchObject({
      code: "PLATFORM_PROGRAM_TOO_OLD",
      message: expect.stringMatching(
        /^This program, Plinth .* version 9999 or newer, .*Plinth 9\.0\.0 applied/,
      ),
    });
    const { rows } = await db.database.pool.query(
      "select (select count(*)::int from cgp_jobs.queue) as queues, (select count(*)::int from workers) as workers",
    );
    expect(rows).toEqual([{ queues: 0, workers: 0 }]);
  },
);

it("a worker that is told to leave hands over and ends, and its process fails", async () => {
  const { host, port, user, password, dbname } = db.connection;
  const serving = serve({
    configFiles: [],
    cwd: dataDir,
    role: { areas: ["coordinator"], workers: "on" },
    signal: new AbortController().signal,
    env: {
      COORDINATOR_DB_HOST: host,
      COORDINATOR_DB_PORT: String(port),
      COORDINATOR_DB_USERNAME: user,
      COORDINATOR_DB_PASSWORD: password,
      COORDINATOR_DB_DBNAME: dbname,
      PLINTH_COORDINATOR_EXECUTION_LEASE_MS: "500",
      ...testKeyVariables,
      PLINTH_SERVER_PORT: "0",
      PLINTH_LOG_LEVEL: "silent",
    },
  });
  const ended = expect(serving).rejects.toMatchObject({
    code: "PLATFORM_PROGRAM_TOO_OLD",
    message: expect.stringContaining("know 9999 or newer"),
  });
  const { pool } = db.database;
  const notify = async () =>
    (await pool.query("update workers set superseded_by = 9999 returning id")).rowCount;
  await expect.poll(notify, { timeout: 60_000 }).toBe(1);
  await ended;
  // On a busy machine the process may leave its row behind, which counts as dead once the lease is over.
  const living = async () =>
    (await pool.query("select id from workers where heartbeat_at > now() - interval '500 ms'")).rows;
  await expect.poll(living).toEqual([]);
});

it("a process that only serves is not ready any more", async () => {
  const running = await start("off");
  const ready = async () => {
    const answer = await fetch(`${running.url}/readyz`);
    return { status: answer.status, body: await answer.json() };
  };
  try {
    const ok = [
      { name: "database", ok: true },
      { name: "schema", ok: true },
      { name: "governance database", ok: true },
    ];
    expect(await ready()).toEqual({ status: 200, body: { status: "ready", checks: ok } });
    await bringNewer();
    expect(await ready()).toMatchObject({
      status: 503,
      body: {
        checks: [
          { ok: true },
          { name: "schema", ok: false, reason: expect.stringMatching(/newer/) },
          { name: "governance database", ok: true },
        ],
      },
    });
  } finally {
    await running.close();
  }
});
