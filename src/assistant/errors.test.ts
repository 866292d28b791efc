import { expect, it } from "vitest";
import { safeInput } from "./errors.ts";

it.each([
  ["a key", ["api_key"], "sk-1", "***"],
  ["what is below a header", ["custom_header", "X"], "sk-1", "***"],
  ["a payload", ["payload"], ["sk-1"], "***"],
  ["a whole body that is a text", [], '{"api_key": "sk-1"}', "***"],
  [
    "other names of secrets",
    ["value"],
    { passwd: "hush", signature: "hush", pwd: "hush", clientPassphrase: "hush", max_tokens: 5, name: "n" },
    { passwd: "***", signature: "***", pwd: "***", clientPassphrase: "***", max_tokens: 5, name: "n" },
  ],
  ["what is below a signature", ["value", "signature"], "hush", "***"],
  ["credentials in a text", ["endpoint"], "ftp://me:hush@a.test/", "ftp://***@a.test/"],
  ["a whole body", [], [{ api_key: "sk-1", model: "m" }], [{ api_key: "***", model: "m" }]],
  ["a wrong type", ["name"], 7, 7],
  ["null", ["name"], null, null],
  ["nothing", ["name"], undefined, null],
  ["a long text", ["message"], "x".repeat(600), `${"x".repeat(500)}…`],
  [
    "half a pair at the cut",
    ["message"],
    `${"x".repeat(499)}😀${"y".repeat(9)}`,
    `${"x".repeat(499)}\ufffd…`,
  ],
  ["a large value", ["name"], Array.from({ length: 2_000 }, () => 1), `[${"1,".repeat(249)}1…`],
])("%s", (_what, path, value, shown) => {
  expect(safeInput({ path, value })).toEqual(shown);
});

it("cuts what is nested deep", () => {
  let value: unknown = "sk-1";
  for (let depth = 0; depth < 50; depth += 1) value = { a: value };
  expect(JSON.stringify(safeInput({ path: ["name"], value }))).not.toContain("sk-1");
});
