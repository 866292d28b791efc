/** Governance's tables at a start: one process migrates, others wait, what was broken off goes on, foreign schemas are refused. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startPlinth } from "../../src/app.ts";
import { governanceService } from "../../src/governance/database.ts";
import { connectTo, openDatabase, type Database } from "../../src/platform/db/database.ts";
import { migrate } from "../../src/platform/db/migrations/migrate.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { emptyTestDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/http-peer.ts";
import { wholeServerConfig } from "../support/server.ts";

let db: TestDatabase;
let dataDir: string;
beforeEach(async () => {
  db = await emptyTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "plinth-first-start-"));
});
afterEach(async () => {
  await db.drop();
  await rm(dataDir, { recursive: true });
});

const inSchema = async <T>(work: (database: Database) => Promise<T>, schema = "coordinator"): Promise<T> => {
  const connection = { ...db.connection, schema };
  const database = openDatabase({ connection, log: silentLogger, poolSize: 2 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
};
const migrateIt = (database: Database) => migrate(database, { service: governanceService });
const run = async (statement: string): Promise<any[]> => (await db.database.pool.query(statement)).rows;

it("of three processes one migrates, and the others find it done", async () => {
  const all = await Promise.all([1, 2, 3].map(() => inSchema(migrateIt)));
  const numbers = all.map(({ applied }) => applied.length).toSorted((a, b) => a - b);
  expect(numbers).toEqual([0, 0, all[0]?.schemaVersion && expect.any(Number)]);
  expect(await run("select count(distinct name)::int as n from coordinator.schema_migrations")).toEqual([
    { n: numbers[2] },
  ]);
});

it("a start that was broken off goes on where it was", async () => {
  // In the way of the second migration.
  await run("create schema coordinator; create table coordinator.exceptions (id int)");
  await expect(inSchema(migrateIt)).rejects.toMatchObject({ code: "42P07" });
  const names = () => run("select name from coordinator.schema_migrations order by name");
  expect(await names()).toEqual([{ name: "0001_policies.sql" }]);
  await run("drop table coordinator.exceptions");
  const { applied } = await inSchema(migrateIt);
  expect(applied[0]).toBe("0002_exceptions.sql");
  expect((await names()).length).toBe(applied.length + 1);
});

it("a process is alive and not ready while another one migrates", async () => {
  const port = await freePort();
  const config = wholeServerConfig(db.connection, dataDir);
  config.server.port = port;
  const other = await connectTo(db.connection);
  await other.query("select pg_advisory_lock($1)", [governanceService.lock]);
  const started = startPlinth(config, { areas: ["governance"], workers: "off" }, silentLogger, {
    lateThreads: true,
  });
  const statusOf = async (path: string): Promise<number> =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ status }) => status,
      () => 0,
    );
  const waits = async () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      async (answer) => (await answer.text()).includes("the migrations of governance"),
      () => false,
    );
  await eventually("the wait for the other process", waits);
  expect(await statusOf("/healthz")).toBe(200);
  expect(await statusOf("/readyz")).toBe(503);
  expect(await run("select to_regclass('coordinator.policies')::text as made")).toEqual([{ made: null }]);
  await other.end();
  const running = await started;
  expect(await statusOf("/readyz")).toBe(200);
  await running.close();
});

it("a schema of another service is refused with the variable to set, and not changed", async () => {
  await migrate(db.database);
  const before = await run("select * from cgp.schema_migrations order by name");
  await expect(inSchema(migrateIt, "cgp")).rejects.toMatchObject({
    code: "PLATFORM_SCHEMA_FOREIGN",
    message: expect.stringContaining("belongs to the service plinth"),
    solutions: [expect.stringMatching(/^Set CGP_DB_SCHEMA \(database\.governance\.schema\)/)],
  });
  expect(await run("select * from cgp.schema_migrations order by name")).toEqual(before);
});

it("an empty schema beside one with governance's tables is refused", async () => {
  await inSchema(migrateIt);
  await expect(inSchema(migrateIt, "elsewhere")).rejects.toMatchObject({
    code: "PLATFORM_SCHEMA_ELSEWHERE",
    solutions: [
      expect.stringContaining("Set CGP_DB_SCHEMA=coordinator "),
      expect.stringContaining("CGP_DB_NEW_SCHEMA=elsewhere "),
    ],
  });
  expect(await run("select 1 from pg_namespace where nspname = 'elsewhere'")).toEqual([]);
});

it("exceptions that deleted policies have left are revoked, also where a policy has taken the id since", async () => {
  await inSchema(migrateIt);
  await run(`set search_path = coordinator;
    delete from schema_migrations where name like '0079%';
    insert into policies (id, version, status, deleted_at, created_at, created_by, updated_at, updated_by) values
      ('kept', 1, 'enabled', null, '2026-01-01', 'a', now(), 'a'),
      ('deleted', 1, 'draft', now(), '2026-01-01', 'a', now(), 'a'),
      ('reused', 2, 'enabled', null, '2026-06-01', 'a', now(), 'a');
    insert into exceptions (id, policy_id, reason, until, status, requested_by, requested_at, updated_at)
      select p.id || ' ' || s.status || ' ' || r.month, p.id, 'x', '2999-01-01', s.status, 'b', r.at, r.at
      from policies p, unnest(array['pending', 'approved', 'rejected']) s(status),
        (values ('may', '2026-05-01'::timestamptz), ('july', '2026-07-01')) r(month, at);
    reset search_path`);
  const before = await run("select revision from coordinator.revisions where what = 'exceptions'");
  expect((await inSchema(migrateIt)).applied).toEqual(["0079_exceptions_of_deleted_policies.sql"]);
  const revoked = [
    "deleted approved july",
    "deleted approved may",
    "deleted pending july",
    "deleted pending may",
  ];
  const all = [...revoked, "reused approved may", "reused pending may"];
  const rows = await run("select id from coordinator.exceptions where status = 'revoked' order by id");
  expect(rows.map(({ id }) => id)).toEqual(all);
  const audit = await run("select subject, operation, detail from coordinator.audit order by subject");
  expect(audit).toEqual(
    all.map((id) => ({
      subject: `exception:${id}`,
      operation: "revokeException",
      detail: { policyId: id.split(" ")[0], reason: "The policy was deleted." },
    })),
  );
  const [{ revision }] = await run("select revision from coordinator.revisions where what = 'exceptions'");
  expect(Number(revision)).toBe(Number(before[0].revision) + 1);
});
