import { expect, it } from "vitest";
import { createPathMatcher, findPaths } from "./path-pattern.ts";

it.each([
  ["a.txt", "a.txt", true],
  ["./a.txt", "a.txt", true],
  ["*.txt", "a.txt", true],
  ["*.txt", "b/a.txt", false],
  ["**/*.txt", "a.txt", true],
  ["**/*.txt", "b/c/a.txt", true],
  ["b", "b/c/a.txt", true],
  ["b/*", "b/a.txt", true],
  ["b/*", "b/c/a.txt", false],
  ["{b,c}", "b/c/a.txt", true],
  ["*", "b/a.txt", false],
  ["b/**", "b/c/a.txt", true],
  ["b/**", "b", true],
  ["b/**/a.txt", "b/a.txt", true],
  ["c", "b/c/a.txt", false],
  ["?.txt", "ab.txt", false],
  ["{a,b}.txt", "b.txt", true],
  ["{a,b}/**/{x,y}", "b/z/y", true],
  ["{a}.txt", "{a}.txt", true],
  [".github/**", ".github/ci.yaml", true],
  ["*", ".hidden", true],
  ["", "a", false],
  ["**", "a/b", true],
])("%j on %j: %j", (pattern, path, expected) => {
  expect(createPathMatcher(pattern)(path)).toBe(expected);
});

it("no pattern takes long", () => {
  const path = `${"a/".repeat(60)}${"a".repeat(200)}`;
  expect(createPathMatcher(`${"**/".repeat(60)}${"a*".repeat(60)}b`)(path)).toBe(false);
  expect(createPathMatcher("{a,b}".repeat(40))(path)).toBe(false);
});

it("finds the paths that match", () => {
  expect(findPaths({ pattern: "**/*.txt", paths: ["b/a.txt", "b/c.md", "a.txt"] })).toEqual([
    "b/a.txt",
    "a.txt",
  ]);
});
