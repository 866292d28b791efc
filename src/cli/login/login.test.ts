/** What a provider may make the command line show and call, and which context a sign-in goes to. */
import { describe, expect, test } from "vitest";
import { plainText, safeAddress, userCodeOf } from "./plain-text.ts";
import { chooseTarget, refuseUnsafe } from "./target.ts";

describe("an address", () => {
  test.each([
    ["https://login.example/device", "https://login.example/device"],
    ["https://löwe.example/", "https://xn--lwe-sna.example/"],
    ["http://login.example/device", null],
    ["http://127.0.0.1:4/device", "http://127.0.0.1:4/device"],
    ["https://good.example@evil.example/", null],
    ["javascript:alert(1)", null],
    ["file:///etc/passwd", null],
    ["https://login.example/\u001b[2J", null],
    ["https://login.example/\u202e", null],
    ["https://login.example/ x", null],
    [`https://login.example/${"x".repeat(2_048)}`, null],
    [7, null],
  ])("%j is read as %j", (given, expected) => {
    expect(safeAddress(given, { loopback: true })?.href ?? null).toBe(expected);
  });

  test("of this machine without TLS is a matter of who asks", () => {
    expect(safeAddress("http://127.0.0.1:4/", { loopback: false })).toBe(null);
  });
});

test.each([
  ["WDJB-MJHT", "WDJB-MJHT"],
  ["12 34", "12 34"],
  ["", null],
  [" x", null],
  ["\u001b[31m", null],
  ["x".repeat(65), null],
  [1234, null],
])("the code %j is shown as %j", (given, expected) => {
  expect(userCodeOf(given)).toBe(expected);
});

test("texts of providers are one line of visible characters, and not endless", () => {
  expect(plainText("a\u001b[31m\r\nb\u202ec\u2028d")).toBe("a [31m b c d");
  expect(plainText("x".repeat(10_000))).toHaveLength(301);
  expect(plainText({})).toBe("");
});

describe("the context of a sign-in", () => {
  const contexts = {
    current: "prod",
    contexts: { prod: { url: "https://plinth.example/" }, test: { url: "https://test.example" } },
  };
  test.each([
    ["the current one", {}, {}, "prod", "https://plinth.example/"],
    ["the named one", { context: "test" }, {}, "test", "https://test.example"],
    ["the one of the address", { url: "https://test.example/" }, {}, "test", "https://test.example/"],
    [
      "a new one with the name of the host",
      { url: "https://new.example:8443" },
      {},
      "new.example-8443",
      "https://new.example:8443",
    ],
    [
      "a new one with that name",
      { url: "https://new.example", context: "new" },
      {},
      "new",
      "https://new.example",
    ],
    ["that of the variable", {}, { PLINTH_CONTEXT: "test" }, "test", "https://test.example"],
    [
      "that of the address in a variable",
      {},
      { PLINTH_URL: "https://test.example" },
      "test",
      "https://test.example",
    ],
  ])("is %s", (_what, given, env, ...[name, url]) => {
    expect(chooseTarget(given, env, contexts)).toMatchObject({ name, url });
  });

  test("has to be there, or to get an address", () => {
    expect(() => chooseTarget({ context: "tset" }, {}, contexts)).toThrow("did you mean test?");
  });

  test.each([
    ["http://plinth.example", false],
    ["http://127.0.0.1:7007", true],
    ["https://plinth.example", true],
  ])("with the address %s may be signed in to: %j", (url, may) => {
    const check = () => refuseUnsafe({ name: "x", url, context: undefined });
    if (may) expect(check).not.toThrow();
    else expect(check).toThrow("needs a server at an address of https");
  });
});
