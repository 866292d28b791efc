/** A restore of an older backup that stops between the databases, and is repeated. */
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { governanceService } from "../../src/governance/database.ts";
import { openDatabase, type Connection } from "../../src/platform/db/database.ts";
import { migrate } from "../../src/platform/db/migrations/migrate.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { emptyTestDatabase, testDatabase, type TestDatabase } from "../support/database.ts";
import { runOnDatabase } from "../support/run-on-database.ts";

/** Before the audit of both got its chain. */
const before = { platform: "0064_access_tokens.sql", governance: "0020_data_layer.sql" };

let home: string;
let source: TestDatabase;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "plinth-interrupted-"));
  source = await emptyTestDatabase();
  await migrate(source.database, { last: before.platform });
  await migrateGovernance(source.connection);
  await source.database.pool.query(`
    insert into cgp.units (unit_key, environment, unit_id, descriptor)
      values ('a', 'development', 'A', '{"name": "A"}');
    insert into coordinator.audit (at, actor, operation, subject) values (now(), 'a', 'of the backup', 'c');
    update coordinator.revisions set revision = 41 where what = 'policies'`);
  const repository = join(home, "source/builder/repositories/a.git");
  await mkdir(repository, { recursive: true });
  await writeFile(join(repository, "HEAD"), "of the backup");
  await backup("old.backup");
});
afterAll(async () => {
  await source.drop();
  await rm(home, { recursive: true, force: true });
});

async function migrateGovernance(connection: Connection): Promise<void> {
  const own = { ...connection, schema: "coordinator" };
  const governance = openDatabase({ connection: own, log: silentLogger });
  try {
    await migrate(governance, { service: governanceService, last: before.governance });
  } finally {
    await governance.close();
  }
}

async function backup(file: string): Promise<void> {
  const args = ["backup", "--to", file, "--data-dir", "source"];
  const made = await runOnDatabase(source.connection, args, { cwd: home });
  expect(made).toMatchObject({ code: 0, err: "" });
}

const restore = (
  { connection }: TestDatabase,
  file: string,
  dataDir: string,
  env: Record<string, string> = {},
) => runOnDatabase(connection, ["restore", "--from", file, "--data-dir", dataDir], { env, cwd: home });

/** A way to the database that breaks where a transaction is to be stored. */
async function breakingAtCommit(host: string, port: number) {
  const server = createServer((client) => {
    const far = connect(port, host);
    const end = (): void => void (client.destroy(), far.destroy());
    for (const socket of [client, far]) socket.on("error", end).on("close", end);
    client.on("data", (sent) => (sent.includes("commit\0") ? end() : far.write(sent)));
    far.pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

async function value({ database }: TestDatabase, text: string): Promise<unknown> {
  const { rows } = await database.pool.query<unknown[]>({ text, rowMode: "array" });
  const [first = []] = rows;
  return rows.length === 1 && first.length === 1 ? first[0] : rows;
}

const headFile = () => join(home, "data/builder/repositories/a.git/HEAD");

it("goes on where it was, and replaces nothing that it had stored", async () => {
  const target = await emptyTestDatabase();
  // Migrated, so that the first commit on the wire is that of the rows.
  await migrate(target.database, { last: before.platform });
  const { host, port } = target.connection;
  const wire = await breakingAtCommit(host, port);
  const failed = await restore(target, "old.backup", "data", {
    COORDINATOR_DB_HOST: "127.0.0.1",
    COORDINATOR_DB_PORT: String(wire.port),
    CGP_DB_HOST: host,
    CGP_DB_PORT: String(port),
  });
  wire.close();
  expect(failed.code).toBe(1);
  expect(failed.err).toContain("cannot be used: it closed the connection");
  expect(await value(target, "select operation from coordinator.audit")).toBe("of the backup");
  expect(await value(target, "select count(*) from cgp.units")).toBe(0);
  // As a start does.
  await expect(migrateGovernance(target.connection)).rejects.toMatchObject({
    code: "PLATFORM_BACKUP",
    solutions: [expect.stringContaining("Repeat `plinth restore`"), expect.anything()],
  });
  // What happens to it meanwhile, as a program would do that was started.
  await target.database.pool.query("update coordinator.revisions set revision = 42 where what = 'policies'");
  await writeFile(headFile(), "of later");
  await backup("newer.backup");
  const other = await restore(target, "newer.backup", "data");
  expect([other.code, other.err]).toEqual([1, expect.stringContaining("unfinished")]);

  const again = await restore(target, "old.backup", "data");
  expect(again).toMatchObject({ code: 0, err: "" });
  expect(again.out).toContain("Restored ");
  expect(await value(target, "select count(*) from coordinator.audit_head")).toBe(1);
  expect(await value(target, "select count(*) from cgp.audit_head")).toBe(1);
  expect(await value(target, "select operation from coordinator.audit")).toBe("of the backup");
  expect(await value(target, "select revision from coordinator.revisions where what = 'policies'")).toBe(42);
  expect(await value(target, "select unit_id from cgp.units")).toBe("A");
  expect(await readFile(headFile(), "utf8")).toBe("of later");
  expect(await readdir(join(home, "data/builder"))).toEqual(["repositories"]);
  const left = "select count(*) from pg_tables where tablename = 'unfinished_restore'";
  expect(await value(target, left)).toBe(0);
  const third = await restore(target, "old.backup", "data");
  expect([third.code, third.err]).toEqual([1, expect.stringContaining("is used by an installation")]);
  await target.drop();
});

it.each([
  ["in both", "select 1"],
  ["in the last one alone", "drop table coordinator.unfinished_restore"],
])("only finishes what is stored in all databases, with its mark %s", async (_where, statement) => {
  const target = await emptyTestDatabase();
  const { pool } = target.database;
  await migrate(target.database, { last: before.platform });
  // In the way of a newer migration.
  await pool.query("create table cgp.audit_head (of_others int)");
  const dataDir = `stored-${statement.length}`;
  const failed = await restore(target, "old.backup", dataDir);
  expect([failed.code, failed.err]).toEqual([1, expect.stringContaining("already exists")]);
  await pool.query(`drop table cgp.audit_head; ${statement};
    insert into cgp.units (unit_key, environment, unit_id, descriptor)
      values ('b', 'development', 'of later', '{"name": "B"}')`);
  const again = await restore(target, "old.backup", dataDir);
  expect(again).toMatchObject({ code: 0, err: "" });
  expect(again.out).toContain("An earlier run had restored");
  expect(await value(target, "select unit_id from cgp.units order by 1")).toEqual([["A"], ["of later"]]);
  expect(await value(target, "select count(*) from coordinator.audit_head")).toBe(1);
  expect(await value(target, "select count(*) from cgp.audit_head")).toBe(1);
  const left = "select count(*) from pg_tables where tablename = 'unfinished_restore'";
  expect(await value(target, left)).toBe(0);
  await target.drop();
});

it("is refused where the schema is ahead of the backup", async () => {
  const target = await testDatabase();
  const { code, err } = await restore(target, "old.backup", "ahead");
  expect(code).toBe(1);
  expect(err).toContain(`and the backup at ${before.governance}, which is older`);
  expect(await value(target, "select count(*) from coordinator.audit_head")).toBe(1);
  await target.drop();
});
