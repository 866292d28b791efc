import { expect, it } from "vitest";
import { addCost, costOf, matches, permissionOf } from "./policy.ts";

const tool = (name: string, destructive: boolean) => ({
  server: "unit",
  name,
  description: "",
  inputSchema: {},
  destructive,
});

it.each<[string, string, boolean]>([
  ["a:b", "a:b", true],
  ["a:b", "a:bc", false],
  ["a:*", "a:b", true],
  ["*:b", "a:b", true],
  ["*", "", true],
  ["a*a", "a", false],
  ["a*b*c", "a1b2c", true],
  ["a*b*c", "abab", false],
  [`${"*a".repeat(50)}b`, "a".repeat(5_000), false],
])("%s against %s", (pattern, text, fits) => {
  expect(matches(pattern, text)).toBe(fits);
});

it.each([
  ["look", false, "auto"],
  ["remove", true, "ask"],
  ["trusted", true, "auto"],
  ["banned", false, "deny"],
])("%s (destructive %s) is %s", (name, destructive, permission) => {
  const rules = [
    { tool: "unit:trusted", decision: "auto" as const },
    { tool: "*:banned", decision: "deny" as const },
  ];
  const settings = { rules, destructive: "ask" as const, expireHours: 24 };
  expect(permissionOf(tool(name, destructive), settings)).toBe(permission);
});

it.each([
  ["auto", "auto", "auto"],
  ["auto", "ask", "ask"],
  ["ask", "auto", "ask"],
  ["deny", "ask", "deny"],
  ["ask", "deny", "deny"],
] as const)("of %s and %s, %s is the decision", (one, other, strictest) => {
  const policies = [one, other].map((decision) => ({ rules: [{ tool: "unit:*", decision }] }));
  expect(permissionOf(tool("any", true), ...policies, {})).toBe(strictest);
});

it("takes the first price that fits, and cached tokens for their own", () => {
  const prices = [
    { model: "gpt-*", inputPerMillion: 2, outputPerMillion: 8, cachedPerMillion: 1 },
    { model: "*", inputPerMillion: 100, outputPerMillion: 100, cachedPerMillion: 100 },
  ];
  const used = { input: 1_000_000, output: 500_000, cached: 250_000 };
  expect(costOf("gpt-5", used, prices)).toBe(0.75 * 2 + 0.25 + 4);
  expect(costOf("gpt-5", used, [])).toBe(0);
});

it("costs add up without the digits of binary fractions", () => {
  expect(addCost(0.1, 0.2)).toBe(0.3);
  expect(addCost(0.3, 0.000_000_001)).toBe(0.300_000_001);
  const prices = [{ model: "*", inputPerMillion: 0.1, outputPerMillion: 0.2, cachedPerMillion: 0 }];
  expect(costOf("m", { input: 3, output: 3, cached: 0 }, prices)).toBe(0.000_000_9);
});
