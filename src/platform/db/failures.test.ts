import { describe, expect, it } from "vitest";
import { databaseFailure, DatabaseTimeout, isDatabaseAway, markRefused } from "./failures.ts";

const withCode = (code: string): Error => Object.assign(new Error("of the driver"), { code });
const refused = (code: string): Error => {
  const error = withCode(code);
  markRefused(error);
  return error;
};

describe("what the database could not do for now", () => {
  it.each<[string, unknown, RegExp]>([
    ["a read-only transaction, and a standby", withCode("25006"), /read-only, or a standby/],
    ["a full disk", withCode("53100"), /no room/],
    ["no memory", withCode("53200"), /no room/],
    ["starting up", withCode("57P03"), /starting, recovering/],
    ["too many connections", withCode("53300"), /no more connections/],
    ["a terminated connection", withCode("57P01"), /can't be reached/],
    ["a refused port", withCode("ECONNREFUSED"), /can't be reached/],
    ["a database that is closed", refused("55000"), /can't be reached/],
    ["a role that may not log in", refused("28000"), /can't be reached/],
    ["a cut connection", new Error("Connection terminated unexpectedly"), /can't be reached/],
    ["a pool that waits in vain", new Error("timeout exceeded when trying to connect"), /can't be reached/],
    ["a cancelled statement", withCode("57014"), /took too long/],
    ["a lock that is not had", withCode("55P03"), /took too long/],
    ["a statement that was given up", new DatabaseTimeout(), /took too long/],
  ])("%s: callers may come again", (_name, error, message) => {
    const failure = databaseFailure(error);
    expect(failure?.message).toMatch(message);
    expect(failure).toMatchObject({ kind: "unavailable", code: "PLATFORM_DATABASE_UNAVAILABLE" });
    expect(failure?.retryAfterSeconds).toBeGreaterThan(0);
    expect(failure?.solutions).not.toEqual([]);
    expect(isDatabaseAway(error)).toBe(true);
  });

  it.each<[string, unknown]>([
    ["a violated constraint", withCode("23505")],
    ["a wrong statement", withCode("42601")],
    ["what is in no state for it", withCode("55000")],
    ["a missing file", withCode("ENOENT")],
    ["anything else", new Error("none of ours")],
    ["no error at all", "text"],
  ])("%s is a defect", (_name, error) => {
    expect(databaseFailure(error)).toBeUndefined();
    expect(isDatabaseAway(error)).toBe(false);
  });
});
