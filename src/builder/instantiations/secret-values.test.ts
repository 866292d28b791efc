import { expect, it } from "vitest";
import { createMask } from "../../platform/lib/secrets/mask.ts";
import { dropSecrets, secretProblems } from "./secret-values.ts";
import { longestMessage, maskMessage } from "./task.ts";

it("leaves out texts, numbers, items and keys that hold a secret", () => {
  const values = {
    name: "ferries",
    password: "hunter22",
    port: 4711,
    list: ["a", "my hunter22", { inner: "hunter22", other: 1 }],
    "hunter22-key": true,
    none: undefined,
  };
  expect(dropSecrets(values, (text) => /hunter22|4711/.test(text))).toEqual({
    name: "ferries",
    list: ["a", { other: 1 }],
  });
});

it.each([
  ["/secrets", { named: { a: "x".repeat(65_536), b: "x".repeat(65_537) }, fields: {} }],
  ["/values", { named: {}, fields: { "/values/key": { parts: ["x".repeat(131_072), 1] } } }],
])("refuses secrets that are too long together, at %s", (where, secrets) => {
  expect(secretProblems(secrets)).toEqual([
    { where, message: expect.stringContaining("131072 is the most"), solution: expect.any(String) },
  ]);
  expect(secretProblems({ named: { a: "x".repeat(65_536), b: "x".repeat(65_536) }, fields: {} })).toEqual([]);
});

it("masks no more of a message than is shown of it, and shows no beginning of a secret", () => {
  const mask = createMask(["sk-00000001"]);
  const message = `sk-00000001 ${"x".repeat(4 * longestMessage - 18)}sk-00000001${"y".repeat(1_000_000)}`;
  const shown = maskMessage(mask, message);
  expect(shown).toMatch(/^\*\*\* x+… \(cut\)$/);
  expect(shown.length).toBeLessThan(5 * longestMessage);
  const hidden = Array.from({ length: 7_000 }, () => "sk-00000001").join("");
  expect(maskMessage(mask, hidden)).toMatch(/^(?:\*\*\*)+… \(cut\)$/);
  expect(maskMessage(mask, "the sk-00000001")).toBe("the ***");
});
