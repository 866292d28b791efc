import { expect, it } from "vitest";
import type { Failure } from "../errors/failure.ts";
import { DatabaseTimeout } from "./failures.ts";
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
    /PLATFORM_DB_PASSWORD/,
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
