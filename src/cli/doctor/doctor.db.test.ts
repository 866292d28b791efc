/** `plinth doctor` with a server, with one that has stopped, and where there is nothing at all. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPlinth, type Running } from "../../app.ts";
import type { Config } from "../../platform/config/schema/schema.ts";
import { silentLogger } from "../../platform/lib/logger.ts";
import { testDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { testKeyVariables, tokenOf, wholeServerConfig } from "../../../test/support/server.ts";
import { playServer, run } from "../testdata.ts";

let db: TestDatabase;
let dataDir: string;
let running: Running;
let config: Config;
let isRunning = true;
/** As for a start of the server, and where it is. */
let env: Record<string, string>;
beforeAll(async () => {
  db = await testDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "plinth-doctor-"));
  config = wholeServerConfig(db.connection, dataDir);
  running = await startPlinth(config, { areas: ["coordinator"], workers: "on" }, silentLogger);
  const { host, port, user, password, dbname, schema } = db.connection;
  env = {
    ...testKeyVariables,
    PLINTH_URL: running.url ?? "",
    PLINTH_TOKEN: tokenOf("admin"),
    PLINTH_DATA_DIR: dataDir,
    COORDINATOR_DB_HOST: host,
    COORDINATOR_DB_PORT: String(port),
    COORDINATOR_DB_USERNAME: user,
    COORDINATOR_DB_PASSWORD: password,
    COORDINATOR_DB_DBNAME: dbname,
    COORDINATOR_DB_SCHEMA: schema,
  };
});
afterAll(async () => {
  if (isRunning) await running.close();
  await db.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const cwd = () => dataDir;

test("prints what the server has found, and ends with 0 where there are only warnings", async () => {
  const { code, out, err } = await run(["doctor"], { env, cwd: cwd() });
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/^ok {7}database +It answers within \d+ ms\.\n/);
  expect(out).toMatch(/^ok {7}workers +1 worker is alive/m);
  expect(out).toMatch(
    /^warning {2}adapters +No adapter .*\n +→ Register one.*\n +docs\/guides\/monitoring\.md#/m,
  );
  const warnings = Array.from(out.matchAll(/^warning +(.+?) {2,}/gm), ([, name]) => name);
  // A machine that is at work pauses the process of this test, which the doctor sees and says.
  expect(warnings.filter((name) => name !== "event loop")).toEqual(["adapters"]);
  const counted = `0 problems, ${warnings.length} ${warnings.length === 1 ? "warning" : "warnings"}, `;
  expect(out).toMatch(new RegExp(`\n\n${counted}\\d+ ok\\.\n$`));
});

test("prints JSON for programs, and ends with 5 at a problem", async () => {
  await db.database.db.query("update audit_head set seq = seq + 1000", []);
  const { code, out } = await run(["doctor", "--json"], { env, cwd: cwd() });
  await db.database.db.query("update audit_head set seq = seq - 1000", []);
  expect(code).toBe(5);
  const report = JSON.parse(out);
  expect(report).toMatchObject({ outcome: "problem", checkedBy: "server", at: expect.any(String) });
  expect(report.checks).toContainEqual(
    expect.objectContaining({ name: "audit of platform", outcome: "problem" }),
  );
});

test("looks at the settings as they are after a reload", async () => {
  const reloaded = structuredClone(config);
  reloaded.auth.providers.service!["default"]!.tokens![1]!.secret = "please-change-me-now";
  await running.reloads.reload(reloaded);
  const { code, out } = await run(["doctor"], { env, cwd: cwd() });
  expect(code).toBe(5);
  expect(out).toMatch(
    /^problem {2}secrets +These look like those of examples, or are easily guessed: the token developer\./m,
  );
  await running.reloads.reload(config);
  expect((await run(["doctor"], { env, cwd: cwd() })).code).toBe(0);
});

test("says whom the server refuses, and checks nothing by itself then", async () => {
  const { code, out, err } = await run(["doctor"], {
    env: { ...env, PLINTH_TOKEN: tokenOf("viewer") },
    cwd: cwd(),
  });
  expect([code, out]).toEqual([1, ""]);
  expect(err).toContain("checkInstallation needs one of these roles: admin.");
});

test("checks by itself while the server cannot", async () => {
  const unavailable = { code: "PLATFORM_DATABASE_UNAVAILABLE", userMessage: "The database does not answer." };
  await using server = await playServer({
    "GET /api/coordinator/v1/doctor": { status: 503, body: unavailable },
  });
  const { code, out } = await run(["doctor"], { env: { ...env, PLINTH_URL: server.url }, cwd: cwd() });
  expect(code).toBe(5);
  expect(out).toMatch(/^problem {2}server .*does not answer/);
  expect(out).toMatch(/^ok {7}migrations +All \d+ are applied\./m);
});

test("checks the configuration and the database by itself where no server answers", async () => {
  await running.close();
  isRunning = false;
  const { code, out } = await run(["doctor"], { env, cwd: cwd() });
  expect(code).toBe(5);
  expect(out).toMatch(
    /^problem {2}server +No server answers at http:\S+ the connection was refused\.\n +→ Start one/,
  );
  for (const name of [
    "database",
    "migrations",
    "governance migrations",
    "installation key",
    "audit of platform",
  ])
    expect(out).toMatch(new RegExp(`^ok {7}${name} `, "m"));
  expect(out).toMatch(/^problem {2}workers +No worker is alive/m);
  expect(out).not.toMatch(/^\w+ +(?:event loop|adapters) /m);
  expect(out).toContain("No server answered, so only the configuration and the database were looked at");
});

test("says what is wrong where not even the database answers", async () => {
  const gone = { ...env, COORDINATOR_DB_PORT: "9", COORDINATOR_DB_HOST: "127.0.0.1" };
  const { code, out } = await run(["doctor", "--json"], { env: gone, cwd: cwd() });
  expect(code).toBe(5);
  const { checks } = JSON.parse(out) as { checks: { name: string; outcome: string; advice: string }[] };
  const database = checks.find(({ name }) => name === "database");
  expect(database).toMatchObject({
    outcome: "problem",
    advice: expect.stringContaining("127.0.0.1:9 cannot be used: nothing listens there."),
  });
  expect(database?.advice).not.toContain(env["COORDINATOR_DB_PASSWORD"]);
  expect(checks.find(({ name }) => name === "workers")?.outcome).toBe("skipped");
});

test("says which settings are wrong", async () => {
  const file = join(dataDir, "wrong.yaml");
  await writeFile(file, "server:\n  port: seven\n");
  const { code, out } = await run(["doctor", "--config", file], { env, cwd: cwd() });
  expect(code).toBe(5);
  expect(out).toMatch(
    /^problem {2}configuration {2}The configuration has a problem\. wrong\.yaml:2:9 server\.port/m,
  );
});

test("begins no installation where there is none", async () => {
  const empty = await mkdtemp(join(tmpdir(), "plinth-doctor-empty-"));
  const bare = { PLINTH_URL: env["PLINTH_URL"] ?? "" };
  const { code, out } = await run(["doctor"], { env: bare, cwd: empty });
  expect(code).toBe(5);
  expect(out).toMatch(/^problem {2}installation {2}There is no data directory \S+\/\.plinth\./m);
  expect(await readdir(empty)).toEqual([]);
  // As a volume that is not mounted leaves it.
  await mkdir(join(empty, "data", "postgres"), { recursive: true });
  const args = ["doctor", "--data-dir", "data"];
  expect((await run(args, { env: bare, cwd: empty })).out).toMatch(
    /^problem {2}installation {2}There is no database in \S+\/data, .*\n +→ Mount the volume/m,
  );
  expect(await readdir(join(empty, "data"), { recursive: true })).toEqual(["postgres"]);
  const elsewhere = { ...env, PLINTH_DATA_DIR: join(empty, "gone") };
  expect((await run(["doctor"], { env: elsewhere, cwd: empty })).out).toContain("There is no data directory");
  expect(await readdir(empty)).toEqual(["data"]);
  await rm(empty, { recursive: true });
});
