import { expect, it } from "vitest";
import { hasSlowPattern, isQuickPattern } from "./quick-patterns.ts";

it.each([
  "^[a-z0-9-]+$",
  "^[a-zA-Z0-9_.-]{1,213}$",
  String.raw`^[\w.-]+$`,
  "^[a-z][a-z0-9-]*$",
  "^[a-z][0-9]$",
  "^v[0-9]{2}$",
  "^[^/]*$",
  "^prod$",
  "^",
])("a pattern with one repetition is quick: %s", (pattern) => {
  expect(() => new RegExp(pattern)).not.toThrow();
  expect(isQuickPattern(pattern)).toBe(true);
});

it.each([
  // To match these takes exponential time, or at least the square of the length of the text.
  "^(a+)+$",
  "^(a|a)*$",
  "^a*a*a*b$",
  "^a?a?a?aaa$",
  "[a-z]+$",
  "a*b",
  // These match in linear time, or are no patterns; they are not recognised.
  "^([a-z][a-z0-9]*)(-[a-z0-9]+)*$",
  "^(?=.*[a-z]).{8,}$",
  "^[[a]+]+$",
  String.raw`^[\]+]+$`,
  String.raw`^(a)\1*$`,
  "^[a-z]+\n$",
  `^${"a".repeat(300)}$`,
])("others are not taken for quick: %s", (pattern) => {
  expect(isQuickPattern(pattern)).toBe(false);
});

it("finds a slow pattern anywhere in the schemas of a form", () => {
  const name = (pattern: string) => ({ properties: { name: { type: "string", pattern } } });
  expect(hasSlowPattern([name("^[a-z]+$"), { properties: { pattern: { type: "string" } } }])).toBe(false);
  expect(hasSlowPattern([name("^[a-z]+$"), { allOf: [{ if: name("(a+)+$") }] }])).toBe(true);
  expect(hasSlowPattern({ pages: [{ "ui:options": { validation: { regularExpression: "(a+)+$" } } }] })).toBe(
    true,
  );
  expect(hasSlowPattern({ patternProperties: { "(a+)+$": {} } })).toBe(true);
});
