/** What a backup and a restore refuse, and what they say. */
import { mkdtemp, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { run } from "../../src/cli/testdata.ts";
import { governanceService } from "../../src/governance/database.ts";
import { openDatabase, type Connection } from "../../src/platform/db/database.ts";
import { migrate } from "../../src/platform/db/migrations/migrate.ts";
import { startEmbedded, type EmbeddedServer } from "../../src/platform/db/start/embedded.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { databaseVariables } from "../crash/processes.ts";

let home = "";
let server: EmbeddedServer;
const connectionTo = (dbname: string): Connection => ({ ...server, dbname, schema: "cgp" });
const plinth = (words: string[], dbname: string) =>
  run(words, { env: databaseVariables(connectionTo(dbname)), cwd: home });
const restored = (file: string, dbname: string, ...more: string[]) =>
  plinth(["restore", "--from", file, "--data-dir", "restored", ...more], dbname);

/** An installation with a unit that has a generated column, a trigger's table and an identity. */
async function install(dbname: string): Promise<void> {
  const connection = connectionTo(dbname);
  const database = openDatabase({ connection, log: silentLogger });
  const governance = openDatabase({
    connection: { ...connection, schema: "coordinator" },
    log: silentLogger,
  });
  await migrate(database);
  await migrate(governance, { service: governanceService });
  await database.pool.query(`insert into units (unit_key, environment, unit_id, descriptor)
    values ('a', 'development', 'A', '{"name": "Ships\\u00e9\\tand \\"quotes\\"", "domain": "sea"}')`);
  // More than one part of a backup, whose end is nowhere near the end of a row.
  await database.pool.query(`insert into units (unit_key, environment, unit_id, descriptor)
    select 'big-' || n, 'development', 'Big' || n, json_build_object('name', repeat(E'line\\n\\t' || n, 1000 + n * 7))
    from generate_series(1, 400) n`);
  await governance.pool.query("update revisions set revision = 41 where what = 'policies'");
  await database.close();
  await governance.close();
}

async function read(dbname: string): Promise<unknown[]> {
  const database = openDatabase({ connection: connectionTo(dbname), log: silentLogger });
  const { rows } = await database.pool.query(
    `select unit_id, name, domain, (select revision from coordinator.revisions where what = 'policies'), md5(descriptor::text) from cgp.units order by 1`,
  );
  await database.close();
  return rows;
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "plinth-refusals-"));
  server = await startEmbedded({ dataDir: join(home, "postgres") });
  await install("original");
});
afterAll(async () => {
  await server.stop();
  await rm(home, { recursive: true, force: true });
});

it("a backup of nothing is refused, and no file is left", async () => {
  const refused = await plinth(["backup", "--to", "nothing.backup"], "nothing");
  expect([refused.code, refused.err]).toEqual([4, expect.stringContaining("has no tables of")]);
  await expect(stat(join(home, "nothing.backup"))).rejects.toThrow("ENOENT");
});

it("a backup comes back as it was, is its owner's alone, and is never overwritten", async () => {
  const made = await plinth(["backup", "--to", "one.backup"], "original");
  expect(made).toMatchObject({ code: 0, err: "" });
  expect(made.out).toMatch(/rows and 0 files, as of/);
  expect((await stat(join(home, "one.backup"))).mode & 0o777).toBe(0o600);
  const again = await plinth(["backup", "--to", "one.backup"], "original");
  expect([again.code, again.err]).toEqual([1, expect.stringContaining("exists already")]);
  expect(await restored("one.backup", "copy")).toMatchObject({ code: 0, err: "" });
  expect(await read("copy")).toEqual(await read("original"));
  // What was restored is an installation.
  const refused = await restored("one.backup", "copy");
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("is used by an installation")]);
});

it("an installation that is used is not touched", async () => {
  await plinth(["backup", "--to", "two.backup"], "original");
  await install("used");
  const database = openDatabase({ connection: connectionTo("used"), log: silentLogger });
  const columns = await database.pool.query(
    "select column_name as name from information_schema.columns where table_name = 'workers' and is_nullable = 'NO' and column_default is null",
  );
  const values: Record<string, string> = { id: "gen_random_uuid()", lock_key: "1", lease_ms: "1" };
  const names = columns.rows.map(({ name }: { name: string }) => name);
  await database.pool.query(
    `insert into cgp.workers (${names.join(", ")}) values (${names.map((name) => values[name] ?? "now()").join(", ")})`,
  );
  await database.close();
  const refused = await restored("two.backup", "used");
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("is used by an installation")]);
});

it("a sealed one opens with its passphrase only, and what was changed or cut does not open", async () => {
  await writeFile(join(home, "pass"), "the right passphrase\n");
  await writeFile(join(home, "wrong"), "another passphrase\n");
  await writeFile(join(home, "short"), "short\n");
  expect((await plinth(["backup", "--to", "x", "--passphrase-file", "short"], "original")).code).not.toBe(0);
  const sealed = await plinth(["backup", "--to", "sealed", "--passphrase-file", "pass"], "original");
  expect(sealed.code).toBe(0);
  const bytes = await readFile(join(home, "sealed"));
  expect(bytes.includes("Ships")).toBe(false);
  for (const [file, more, text] of [
    ["sealed", [], "sealed with a passphrase"],
    ["sealed", ["--passphrase-file", "wrong"], "can't be opened"],
    ["absent", [], "There is no file"],
  ] as const) {
    const refused = await restored(file, "sealed", ...more);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(text)]);
  }
  const changed = Buffer.from(bytes);
  changed[bytes.length >> 1]! ^= 1;
  await writeFile(join(home, "changed"), changed);
  expect((await restored("changed", "sealed", "--passphrase-file", "pass")).err).toContain("can't be opened");
  await plinth(["backup", "--to", "cut"], "original");
  await truncate(join(home, "cut"), (await stat(join(home, "cut"))).size - 100);
  expect((await restored("cut", "sealed")).err).toContain("can't be read");
  expect(await restored("sealed", "sealed", "--passphrase-file", "pass")).toMatchObject({ code: 0 });
  expect(await read("sealed")).toEqual(await read("original"));
});
