/** What stays beside a backup when a command is killed, and that the same command then succeeds. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { run } from "../../src/cli/testdata.ts";
import { connectTo, type Connection } from "../../src/platform/db/database.ts";
import { databaseVariables, productProgram } from "../crash/processes.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";

let home: string;
let source: TestDatabase;
const dataDir = ["--data-dir", "data"];
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "plinth-backup-file-"));
  source = await testDatabase();
  await source.database.pool.query(`insert into cgp.units (unit_key, environment, unit_id, descriptor)
    values ('a', 'development', 'A', '{"name": "A"}')`);
  await mkdir(join(home, "data/builder"), { recursive: true });
  await writeFile(join(home, "data/builder/secret.key"), Buffer.alloc(32, 7));
  await writeFile(join(home, "pass"), "a long passphrase");
});
afterAll(async () => {
  await source.drop();
  await rm(home, { recursive: true, force: true });
});

const plinth = (args: string[], connection: Connection, env: Record<string, string> = {}) =>
  run(args, { env: { ...databaseVariables(connection), ...env }, cwd: home });

/** Starts the command, waits until it stands before a table that is locked, looks, and kills it. */
async function killBeforeUnits(
  args: string[],
  { connection, database }: TestDatabase,
  look = async () => {},
) {
  const holder = await connectTo(connection);
  let child: ChildProcess | undefined;
  try {
    await holder.query("begin; lock table cgp.units in access exclusive mode");
    const { PATH = "" } = process.env;
    child = spawn(process.execPath, [resolve(productProgram()), ...args], {
      cwd: home,
      env: { PATH, ...databaseVariables(connection) },
      stdio: "ignore",
    });
    const ended = once(child, "exit");
    await eventually("the command at the locked table", async () => {
      const { rowCount } = await database.pool.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and application_name = $1`,
        [`plinth ${args[0]}`],
      );
      return rowCount === 1;
    });
    await look();
    child.kill("SIGKILL");
    await ended;
  } finally {
    child?.kill("SIGKILL");
    await holder.end();
  }
}

it("a backup that was killed has no file of its name, and the same command makes it", async () => {
  const args = ["backup", "--to", "killed.backup", "--key-to", "killed.key", ...dataDir];
  await killBeforeUnits(args, source);
  await expect(stat(join(home, "killed.backup"))).rejects.toThrow("ENOENT");
  expect(await plinth(args, source.connection)).toMatchObject({ code: 0, err: "" });
  expect(await readFile(join(home, "killed.key"))).toEqual(Buffer.alloc(32, 7));
});

it("a backup that the database refused leaves nothing, and the same command makes it", async () => {
  const args = ["backup", "--to", "refused.backup", "--key-to", "refused.key", ...dataDir];
  const refused = await plinth(args, source.connection, { COORDINATOR_DB_PORT: "1" });
  expect(refused.err).toContain("cannot be used: nothing listens there");
  expect(refused.code).toBe(1);
  expect((await readdir(home)).filter((name) => name.startsWith("refused"))).toEqual([]);
  expect(await plinth(args, source.connection)).toMatchObject({ code: 0, err: "" });
  expect(await readFile(join(home, "refused.key"))).toEqual(Buffer.alloc(32, 7));
});

it("an equal copy of the key is fine, another one is refused before anything is written", async () => {
  await writeFile(join(home, "equal.key"), Buffer.alloc(32, 7));
  await writeFile(join(home, "other.key"), Buffer.alloc(32, 8));
  const argumentsFor = (key: string) => ["backup", "--to", `${key}.backup`, "--key-to", key, ...dataDir];
  expect(await plinth(argumentsFor("equal.key"), source.connection)).toMatchObject({ code: 0, err: "" });
  const { code, err } = await plinth(argumentsFor("other.key"), source.connection);
  expect([code, err]).toEqual([1, expect.stringContaining(`${join(home, "other.key")} has another key`)]);
  expect(await readdir(home)).not.toContain("other.key.backup");
  const nowhere = ["backup", "--to", "nowhere.backup", "--key-to", "nowhere/x.key", ...dataDir];
  expect((await plinth(nowhere, source.connection)).err).toContain(
    "can't be written: its folder does not exist",
  );
});

it("the plain content of a sealed backup is on no disk while it is restored, nor after a kill", async () => {
  await mkdir(join(home, "medium"));
  const sealed = ["--passphrase-file", "pass"];
  const made = await plinth(["backup", "--to", "medium/x", ...sealed, ...dataDir], source.connection);
  expect(made).toMatchObject({ code: 0 });
  const target = await testDatabase();
  const args = ["restore", "--from", "medium/x", ...sealed, "--data-dir", "restored"];
  const places: string[][] = [];
  await killBeforeUnits(args, target, async () => void places.push(await readdir(join(home, "medium"))));
  places.push(await readdir(join(home, "medium")));
  expect(places).toEqual([["x"], ["x"]]);
  expect(await plinth(args, target.connection)).toMatchObject({ code: 0, err: "" });
  const { rows } = await target.database.pool.query("select unit_id from cgp.units");
  expect(rows).toEqual([{ unit_id: "A" }]);
  await target.drop();
});
