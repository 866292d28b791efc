import { expect, it } from "vitest";
import { loadConfig } from "../platform/config/load.ts";
import { governanceConnection } from "./database.ts";

const embedded = {
  host: "/run/plinth",
  port: 41_234,
  user: "plinth",
  password: "embedded",
  dbname: "provisioning_coordinator",
  schema: "cgp",
};

/** Where it is, with a coordinator that is where the same variables say. */
const connect = (env: Record<string, string>) => {
  const { config } = loadConfig({ files: [], env, cwd: import.meta.dirname });
  const { host, newSchema: _none, ...rest } = config.database.coordinator;
  return governanceConnection(config, host === undefined ? embedded : { host, ...rest });
};

const platform = { PLATFORM_DB_HOST: "db", PLATFORM_DB_USERNAME: "u", PLATFORM_DB_PASSWORD: "p" };
const own = {
  CGP_DB_HOST: "cgp-db",
  CGP_DB_PORT: "6543",
  CGP_DB_USERNAME: "g",
  CGP_DB_PASSWORD: "s",
  CGP_DB_DBNAME: "governance",
  CGP_DB_SCHEMA: "rules",
};

it.each([
  ["beside the embedded coordinator", {}, { ...embedded, schema: "coordinator" }],
  [
    "by the platform's variables",
    platform,
    {
      host: "db",
      port: 5432,
      user: "u",
      password: "p",
      dbname: "provisioning_coordinator",
      schema: "coordinator",
    },
  ],
  [
    "by its own before the platform's",
    { ...platform, ...own },
    { host: "cgp-db", port: 6543, user: "g", password: "s", dbname: "governance", schema: "rules" },
  ],
  [
    "as the coordinator where nothing else is said",
    { COORDINATOR_DB_HOST: "c", COORDINATOR_DB_PASSWORD: "x", COORDINATOR_DB_DBNAME: "d" },
    { host: "c", port: 5432, user: "postgres", password: "x", dbname: "d", schema: "coordinator" },
  ],
  [
    "on a server of its own without the password of the embedded one",
    { CGP_DB_HOST: "far" },
    {
      host: "far",
      port: 5432,
      user: "postgres",
      password: "",
      dbname: "provisioning_coordinator",
      schema: "coordinator",
    },
  ],
  [
    "with an empty variable as if it were not set",
    { CGP_DB_SCHEMA: "" },
    { ...embedded, schema: "coordinator" },
  ],
])("%s", (_how, env, connection) => {
  expect(connect(env)).toEqual(connection);
});
