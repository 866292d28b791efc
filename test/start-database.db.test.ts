/** A start that the database prevents says so in plain words: code, place, setting and remedy, and never "a defect". */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { run } from "../src/cli/testdata.ts";
import { newId } from "../src/platform/lib/ids.ts";
import { testDatabase, type TestDatabase } from "./support/database.ts";
import { testKeyVariables } from "./support/server.ts";
import { freePort } from "./support/http-peer.ts";

let db: TestDatabase;
let dataDir: string;
let closedPort: number;
const role = `weak_${newId().slice(0, 8)}`;
const emptyName = `empty_${newId().replaceAll("-", "")}`;

beforeAll(async () => {
  db = await testDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "plinth-start-database-"));
  await db.database.pool.query(`create role ${role} login password 'p'`);
  await db.database.pool.query(`create database ${emptyName}`);
  closedPort = await freePort();
});
afterAll(async () => {
  await db.database.pool.query(`drop database ${emptyName} with (force)`);
  await db.database.pool.query(`drop role ${role}`);
  await db.drop();
  await rm(dataDir, { recursive: true });
});

interface Case {
  host?: string;
  port?: string;
  user?: string;
  password?: string;
  dbname?: string;
  schema?: string;
  /** Variables of governance's database. */
  governance?: Record<string, string>;
}

const start = ({ host, port, user, password, dbname, schema, governance }: Case) => {
  const { connection } = db;
  return run(["start", "--port", "0", "--areas", "coordinator"], {
    cwd: dataDir,
    env: {
      ...testKeyVariables,
      PLINTH_LOG_LEVEL: "silent",
      COORDINATOR_DB_HOST: host ?? connection.host,
      COORDINATOR_DB_PORT: port ?? String(connection.port),
      COORDINATOR_DB_USERNAME: user ?? connection.user,
      COORDINATOR_DB_PASSWORD: password ?? connection.password,
      COORDINATOR_DB_DBNAME: dbname ?? connection.dbname,
      COORDINATOR_DB_SCHEMA: schema ?? connection.schema,
      ...governance,
    },
  });
};

it.each<[string, () => Case, RegExp, RegExp]>([
  [
    "nobody at the port",
    () => ({ port: String(closedPort) }),
    /nothing listens there/,
    /COORDINATOR_DB_PORT/,
  ],
  ["an unknown host", () => ({ host: "no-such-host.invalid" }), /does not resolve/, /COORDINATOR_DB_HOST/],
  [
    "an unknown host beside a number",
    () => ({ host: "256.0.0.1" }),
    /does not resolve/,
    /COORDINATOR_DB_HOST/,
  ],
  ["a socket that is not there", () => ({ host: "/nowhere" }), /no such socket/, /COORDINATOR_DB_HOST/],
  [
    "a wrong password",
    () => ({ user: role, password: "wrong" }),
    /password authentication failed/,
    /COORDINATOR_DB_PASSWORD/,
  ],
  ["no password", () => ({ user: role, password: "" }), /asks for a password/, /COORDINATOR_DB_PASSWORD/],
  [
    "an unknown role",
    () => ({ user: "nobody_here" }),
    /password authentication failed/,
    /COORDINATOR_DB_USERNAME/,
  ],
  [
    "a missing database that the role may not create",
    () => ({ user: role, password: "p", dbname: "not_there" }),
    /permission denied to create database/,
    /database\.coordinator\.(?:user|dbname)/,
  ],
  [
    "a schema that the role may not create",
    () => ({ user: role, password: "p", dbname: emptyName }),
    /permission denied/,
    /grant create on database/,
  ],
  [
    "tables that the role may not use",
    () => ({ user: role, password: "p" }),
    /does not see the tables/,
    /grant/,
  ],
  [
    "nobody at governance's port",
    () => ({ governance: { CGP_DB_PORT: String(closedPort) } }),
    /nothing listens there/,
    /database\.governance\.host and \.port \(CGP_DB_HOST, CGP_DB_PORT\)/,
  ],
  [
    "a wrong password for governance's database",
    () => ({ governance: { CGP_DB_USERNAME: role, CGP_DB_PASSWORD: "wrong" } }),
    /password authentication failed/,
    /CGP_DB_PASSWORD, or PLATFORM_DB_USERNAME/,
  ],
])("%s", async (...[, wrong, reason, setting]) => {
  const { code, err } = await start(wrong());
  expect(err).toMatch(/^error: The database .* cannot be used: /);
  expect(err).toMatch(reason);
  expect(err).toMatch(setting);
  expect(err).toContain("(PLATFORM_DATABASE_UNAVAILABLE)");
  expect(err).not.toMatch(/defect| at \w+ \(|\/src\//);
  expect(code).toBe(1);
});
