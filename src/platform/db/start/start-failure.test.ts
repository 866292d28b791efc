import { expect, it } from "vitest";
import type { Failure } from "../../errors/failure.ts";
import { DatabaseTimeout, markRefused } from "../failures.ts";
import { startFailure } from "./start-failure.ts";

const connection = {
  host: "db.example",
  port: 5432,
  user: "u",
  password: "p",
  dbname: "plinth",
  schema: "cgp",
};
const error = (message: string, fields: object): Error => Object.assign(new Error(message), fields);
const refused = (thrown: Error): Error => {
  markRefused(thrown);
  return thrown;
};

it.each<[string, Error, RegExp, RegExp]>([
  [
    "a limit of connections",
    error('too many connections for role "u"', { code: "53300", severity: "FATAL" }),
    /it says "too many connections for role \\"u\\""/,
    /more connections/,
  ],
  [
    "a wrong password",
    error('password authentication failed for user "u"', { code: "28P01", severity: "FATAL" }),
    /password authentication failed/,
    /database\.coordinator\.user and \.password .*PLATFORM_DB_PASSWORD/,
  ],
  [
    "no password where one is asked for",
    refused(new Error("SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a non-empty string")),
    /asks for a password/,
    /COORDINATOR_DB_PASSWORD/,
  ],
  [
    "a missing database",
    error('database "plinth" does not exist', { code: "3D000", severity: "FATAL" }),
    /does not exist/,
    /create database "plinth".*COORDINATOR_DB_DBNAME/,
  ],
  [
    "a missing right",
    error("permission denied for database plinth", { code: "42501", severity: "ERROR" }),
    /permission denied/,
    /grant create on database "plinth" to "u"/,
  ],
  [
    "a name with several addresses of which none answers",
    Object.assign(
      new AggregateError([error("connect ECONNREFUSED ::1:5432", { code: "ECONNREFUSED" })], ""),
      {
        code: "ECONNREFUSED",
      },
    ),
    /nothing listens/,
    /COORDINATOR_DB_HOST/,
  ],
  [
    "a name that can't be looked up",
    refused(error("getaddrinfo EAI_AGAIN db.example", { code: "EAI_AGAIN" })),
    /does not resolve/,
    /COORDINATOR_DB_HOST/,
  ],
  [
    "a socket that is not there",
    refused(error("connect ENOENT /run/.s.PGSQL.5432", { code: "ENOENT" })),
    /no such socket/,
    /COORDINATOR_DB_HOST/,
  ],
  [
    "nobody there",
    error("connect ECONNREFUSED 10.0.0.1:5432", { code: "ECONNREFUSED" }),
    /nothing listens/,
    /reached/,
  ],
  ["a lost connection", error("Connection terminated unexpectedly", {}), /closed the connection/, /reached/],
  ["a connection that takes too long", error("timeout expired", {}), /did not answer in time/, /reached/],
  ["silence", new DatabaseTimeout(), /did not answer in time/, /reached/],
])("says plainly what %s is", (_, thrown, reason, solution) => {
  const failure = startFailure(thrown, connection) as Failure;
  expect(failure).toMatchObject({ kind: "unavailable", code: "PLATFORM_DATABASE_UNAVAILABLE" });
  expect(failure.message).toMatch(/^The database plinth at db\.example:5432 cannot be used: /);
  expect(failure.message).toMatch(reason);
  expect(failure.solutions[0]).toMatch(solution);
});

it("leaves anything else as it is", () => {
  const thrown = new TypeError("x is not a function");
  expect(startFailure(thrown, connection)).toBe(thrown);
});
