import { describe, expect, it } from "vitest";
import { createNameRegister, readEntryPath, showName } from "./entry-path.ts";

const limits = { maxPathLength: 60, maxPathDepth: 4 };

describe("readEntryPath", () => {
  it.each([
    ["a file", "orders/catalog-info.yaml", ["orders", "catalog-info.yaml"]],
    ["a directory", "orders/", ["orders"]],
    ["one leading ./", "./orders/x", ["orders", "x"]],
    ["the root itself", "./", []],
    ["the root without a slash", ".", []],
    ["names with dots", "orders/..x/a..b", ["orders", "..x", "a..b"]],
    ["Unicode", "commandes/été.yaml", ["commandes", "été.yaml"]],
  ])("takes %s", (_case, name, segments) => {
    expect(readEntryPath(name, limits)).toEqual({ ok: true, segments });
  });

  it.each([
    ["an absolute path", "/etc/passwd", /absolute/],
    ["a climb", "../x", /`\.\.`/],
    ["a climb further in", "orders/../../x", /`\.\.`/],
    ["a climb at the end", "orders/..", /`\.\.`/],
    ["a backslash", "orders\\..\\x", /backslash/],
    ["a drive letter", "C:x", /drive letter/],
    ["two leading ./", "././x", /empty or `\.`/],
    ["an empty part", "orders//x", /empty or `\.`/],
    ["two slashes at the end", "orders//", /empty or `\.`/],
    ["an empty name", "", /empty/],
    ["a NUL", "orders/x\u0000.yaml", /control/],
    ["a line break", "orders/x\ny", /control/],
    ["broken UTF-8", "orders/\uFFFD", /UTF-8/],
    ["a long path", "x".repeat(61), /longer than 60/],
    ["a deep path", "a/b/c/d/e", /deeper than 4/],
  ])("refuses %s", (_case, name, message) => {
    const path = readEntryPath(name, limits);
    expect(path.ok ? "" : path.message).toMatch(message);
  });
});

describe("createNameRegister", () => {
  it.each<[string, [string, boolean][], RegExp | null]>([
    [
      "different files",
      [
        ["a/x", true],
        ["a/y", true],
      ],
      null,
    ],
    [
      "a directory again",
      [
        ["a", false],
        ["a/x", true],
        ["a", false],
      ],
      null,
    ],
    [
      "the same file twice",
      [
        ["a/x", true],
        ["a/x", true],
      ],
      /twice/,
    ],
    [
      "a file in capitals",
      [
        ["a/x", true],
        ["a/X", true],
      ],
      /same as a\/x apart from case/,
    ],
    [
      "a directory in capitals",
      [
        ["orders/x", true],
        ["Orders/y", true],
      ],
      /same as orders apart from case/,
    ],
    [
      "two forms of one letter",
      [
        ["a/\u00e9", true],
        ["a/e\u0301", true],
      ],
      /Unicode form/,
    ],
    [
      "a ligature",
      [
        ["a/\ufb01le", true],
        ["a/file", true],
      ],
      /Unicode form/,
    ],
    [
      "a sign that stands for capitals",
      [
        ["a/\u2121", true],
        ["a/tel", true],
      ],
      /Unicode form/,
    ],
    [
      "sharp s and its capitals",
      [
        ["a/stra\u00dfe", true],
        ["a/STRASSE", true],
      ],
      /case/,
    ],
    [
      "a file that becomes a directory",
      [
        ["a", true],
        ["a/x", true],
      ],
      /file and a directory/,
    ],
    [
      "a directory that becomes a file",
      [
        ["a/x", true],
        ["a", true],
      ],
      /file and a directory/,
    ],
  ])("%s", (_case, names, message) => {
    const register = createNameRegister();
    const answers = names.map(([name, isFile]) => register.add(name.split("/"), isFile));
    expect(answers.slice(0, -1).every((answer) => answer === null)).toBe(true);
    if (message === null) expect(answers.at(-1)).toBeNull();
    else expect(answers.at(-1)).toMatch(message);
  });
});

it("showName hides control characters and cuts long names", () => {
  expect(showName("a\u001b[31m\u202eb")).toBe("a\uFFFD[31m\uFFFDb");
  expect(showName("x".repeat(300))).toHaveLength(201);
});
