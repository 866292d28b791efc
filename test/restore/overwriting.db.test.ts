/** A restore overwrites nothing: no installation, no table of others, no repository. */
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Ran } from "../../src/cli/testdata.ts";
import { emptyTestDatabase, testDatabase, type TestDatabase } from "../support/database.ts";
import { runOnDatabase } from "../support/run-on-database.ts";

let home: string;
let opened: TestDatabase[] = [];
const unit = `insert into cgp.units (unit_key, environment, unit_id, descriptor)
  values ('a', 'development', 'A', '{"name": "A"}')`;
const audit = `insert into cgp.audit (actor, operation, subject, request_id) values ('a', 'b', 'c', 'd')`;
const mainRef = "builder/repositories/a.git/refs/heads/main";

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "plinth-overwriting-"));
  const source = await testDatabase();
  await source.database.pool.query(`${unit}; ${audit};
    create table cgp.reporting_export (id bigint generated always as identity, note text);
    insert into cgp.reporting_export (note) values ('of somebody else')`);
  await writeRef("source", "of the backup");
  const made = await runOnDatabase(
    source.connection,
    ["backup", "--to", "x.backup", "--data-dir", "source"],
    { cwd: home },
  );
  await source.drop();
  expect(made).toMatchObject({ code: 0, err: "" });
});
afterEach(async () => {
  await Promise.all(opened.map((each) => each.drop()));
  opened = [];
});
afterAll(() => rm(home, { recursive: true, force: true }));

async function writeRef(dataDir: string, content: string): Promise<void> {
  await mkdir(join(home, dataDir, "builder/repositories/a.git/refs/heads"), { recursive: true });
  await writeFile(join(home, dataDir, mainRef), content);
}

async function target(making: () => Promise<TestDatabase>): Promise<TestDatabase> {
  const made = await making();
  opened.push(made);
  return made;
}

let count = 0;
const restore = (
  { connection }: TestDatabase,
  { dataDir = `restored-${(count += 1)}`, env = {} } = {},
): Promise<Ran> =>
  runOnDatabase(connection, ["restore", "--from", "x.backup", "--data-dir", dataDir], { env, cwd: home });

async function rows({ database }: TestDatabase, text: string): Promise<unknown[]> {
  return (await database.pool.query({ text, rowMode: "array" })).rows;
}

describe("an installation that was stopped", () => {
  it.each([
    ["a unit", unit, "units"],
    ["an audit row", audit, "audit"],
  ])("is not touched where it has %s", async (_what, statement, table) => {
    const used = await target(testDatabase);
    await used.database.pool.query(statement);
    const before = await rows(used, `select ctid::text, t::text from cgp.${table} t`);
    const dataDir = "beside-used";
    const { code, err } = await restore(used, { dataDir });
    expect(err).toContain(`is used by an installation: its table ${table} has rows`);
    expect(code).toBe(1);
    expect(await rows(used, `select ctid::text, t::text from cgp.${table} t`)).toEqual(before);
    await expect(stat(join(home, dataDir, "builder/repositories"))).rejects.toThrow("ENOENT");
  });

  it("is not touched where it is that of governance alone", async () => {
    const governance = await target(testDatabase);
    await governance.database.pool
      .query(`insert into coordinator.audit (at, actor, operation, subject, detail)
        values (now(), 'a', 'of the live one', 'c', '{}')`);
    const empty = await target(emptyTestDatabase);
    const { code, err } = await restore(empty, {
      env: {
        CGP_DB_HOST: governance.connection.host,
        CGP_DB_PORT: String(governance.connection.port),
        CGP_DB_USERNAME: governance.connection.user,
        CGP_DB_PASSWORD: governance.connection.password,
        CGP_DB_DBNAME: governance.connection.dbname,
      },
    });
    expect(err).toContain(`The schema coordinator of ${governance.connection.dbname} is used`);
    expect(code).toBe(1);
    expect(await rows(governance, "select operation from coordinator.audit")).toEqual([["of the live one"]]);
    expect(await rows(empty, "select nspname from pg_namespace where nspname = 'cgp'")).toEqual([]);
  });
});

it("a schema that only has its migrations is filled, and tables of others in it stay as they are", async () => {
  const shared = await target(testDatabase);
  await shared.database.pool.query(`
    create table cgp.reporting_export (id bigint generated always as identity, note text);
    create table cgp.reporting_units (unit_key text, environment text,
      foreign key (unit_key, environment) references cgp.units (unit_key, environment));
    insert into cgp.reporting_export (note) values ('mine'), ('mine too');
    create function cgp.reporting() returns trigger language plpgsql as 'begin return new; end';
    create trigger reporting before insert on cgp.reporting_export for each row execute function cgp.reporting()`);
  expect(await restore(shared)).toMatchObject({ code: 0, err: "" });
  expect(await rows(shared, "select id, note from cgp.reporting_export order by id")).toEqual([
    [1, "mine"],
    [2, "mine too"],
  ]);
  expect(await rows(shared, "select tgenabled from pg_trigger where tgname = 'reporting'")).toEqual([["O"]]);
  await shared.database.pool.query("insert into cgp.reporting_export (note) values ('next')");
  expect(await rows(shared, "select max(id) from cgp.reporting_export")).toEqual([[3]]);
  expect(await rows(shared, "select unit_id from cgp.units")).toEqual([["A"]]);
  expect(
    await rows(
      shared,
      `select relname from pg_trigger t join pg_class c on c.oid = tgrelid
        where not tgisinternal and tgenabled <> 'O'`,
    ),
  ).toEqual([]);
});

it("the repositories of a live server's data directory are not replaced", async () => {
  await writeRef("live", "of the live server");
  const empty = await target(emptyTestDatabase);
  const { code, err } = await restore(empty, { dataDir: "live" });
  expect(err).toContain(`The data directory ${join(home, "live")} has repositories of an installation`);
  expect(code).toBe(1);
  expect(await readFile(join(home, "live", mainRef), "utf8")).toBe("of the live server");
  expect(await rows(empty, "select nspname from pg_namespace where nspname = 'cgp'")).toEqual([]);
});

it("what was restored is an installation from then on", async () => {
  const empty = await target(emptyTestDatabase);
  expect(await restore(empty, { dataDir: "new" })).toMatchObject({ code: 0, err: "" });
  expect(await readFile(join(home, "new", mainRef), "utf8")).toBe("of the backup");
  const { code, err } = await restore(empty, { dataDir: "new" });
  expect([code, err]).toEqual([1, expect.stringContaining("is used by an installation")]);
});

it("a key beside a used installation is not written", async () => {
  await writeFile(join(home, "x.key"), Buffer.alloc(32, 1));
  const used = await target(testDatabase);
  await used.database.pool.query(unit);
  const args = ["restore", "--from", "x.backup", "--key-from", "x.key", "--data-dir", "keyless"];
  const { code } = await runOnDatabase(used.connection, args, { cwd: home });
  expect(code).toBe(1);
  await expect(stat(join(home, "keyless/builder/secret.key"))).rejects.toThrow("ENOENT");
});
