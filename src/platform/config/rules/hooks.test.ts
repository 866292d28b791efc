import { describe, expect, test } from "vitest";
import { inspect } from "../testdata.ts";

const found = (hooks: string) => inspect(`actionHandlers: {accessRequest: {hooks: ${hooks}}}`);
const secret = "s".repeat(32);

describe("actionHandlers.accessRequest.hooks", () => {
  const cases: [string, string, RegExp[]][] = [
    ["a remote one without an address", "[{name: a, kind: remote}]", [/hooks\[0\]\.url.* is missing/]],
    ["a repeated name", "[{name: a, kind: notification}, {name: a, kind: notification}]", [/repeats a name/]],
    [
      "a notification with an address and a secret",
      `[{name: a, kind: notification, url: 'http://x', secret: ${secret}}]`,
      [/url has no meaning/, /secret has no meaning/],
    ],
    [
      "headers that are ours, or none",
      "[{name: a, kind: remote, url: 'http://x', headers: {X-Request-Id: a, 'b c': d, e: \"f\\ng\"}}]",
      [/X-Request-Id is a header that Plinth sets/, /is no name of an HTTP header/, /printable ASCII/],
    ],
    ["another kind", "[{name: a, kind: mail}]", [/must be one of/]],
    ["a name with blanks", "[{name: a b, kind: notification}]", [/must be at most 63 lower case/]],
  ];
  test.each(cases)("%s", (...[, hooks, expected]) => {
    const { problems } = found(hooks);
    const reported = problems.map(({ where, message }) => `${where} ${message}`);
    expect(reported).toHaveLength(expected.length);
    for (const [index, pattern] of expected.entries()) expect(reported[index]).toMatch(pattern);
  });

  test("without any, the owner decides", () => {
    expect(inspect("").config.actionHandlers.accessRequest).toMatchObject({
      hooks: [{ name: "owner", kind: "notification", timeoutMs: 15_000, expiresAfterMs: 1_209_600_000 }],
      approveWithoutHooks: false,
    });
  });

  test("a short secret is a warning", () => {
    const { problems, warnings } = found("[{name: a, kind: remote, url: 'http://x', secret: short}]");
    expect([problems, warnings.map(({ message }) => message)]).toEqual([
      [],
      [expect.stringContaining("is shorter than 32 characters")],
    ]);
  });
});

test("a key that is no name of an action, whatever it holds, is a problem and nothing else", () => {
  for (const held of ["false", "{hooks: [null]}"]) {
    const { problems } = inspect(`actionHandlers: {"": ${held}}`);
    expect(problems.map(({ where }) => where)).toEqual([expect.stringMatching(/:1:18$/)]);
  }
});
