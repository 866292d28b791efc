import { describe, expect, it } from "vitest";
import { parseYaml, yamlLimits } from "./yaml.ts";

const parse = (text: string) => parseYaml(text, { file: "orders/catalog-info.yaml" });

const bomb = (levels: number): string =>
  ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    .concat(
      Array.from(
        { length: levels },
        (_, level) =>
          `a${level + 1}: &a${level + 1} [${Array.from({ length: 9 }, () => `*a${level}`).join(", ")}]`,
      ),
    )
    .join("\n");

describe("parseYaml", () => {
  it.each([
    ["a map", "a: 1\nb: [x, true, null]", { a: 1, b: ["x", true, null] }],
    ["an empty text", "", null],
    ["only a comment", "# nothing\n", null],
    ["a BOM and CRLF", "\uFEFFa: 1\r\nb: 2\r\n", { a: 1, b: 2 }],
    ["a date stays a text", "a: 2026-11-21", { a: "2026-11-21" }],
    ["a number beyond range stays a text", "a: 1e999", { a: "1e999" }],
    ["anchors and merge keys", "a: &x { p: 1 }\nb: { <<: *x, q: 2 }", { a: { p: 1 }, b: { p: 1, q: 2 } }],
  ])("%s", (_case, text, expected) => {
    expect(parse(text)).toEqual({ ok: true, value: expected });
  });

  it.each([
    ["a duplicate key", "a: 1\na: 2", "orders/catalog-info.yaml:2:1", /duplicated mapping key/],
    ["a tab", "a:\n\tb: 1", "orders/catalog-info.yaml:2:1", /tab/],
    ["an open list", "a: [1", "orders/catalog-info.yaml:1:6", /unexpected end/],
    ["an unknown tag", "a: !!js/function x", "orders/catalog-info.yaml:1:4", /unknown/],
    ["two documents", "a: 1\n---\nb: 2", "orders/catalog-info.yaml:1:1", /one YAML document/],
    ["infinity", "a: .inf", "orders/catalog-info.yaml:1:1", /infinite/],
    ["a cycle", "&a [*a]", "orders/catalog-info.yaml:1:1", /without end/],
    ["an alias bomb", bomb(8), "orders/catalog-info.yaml:1:1", /aliases are expanded/],
    ["deep nesting", "[".repeat(70), "orders/catalog-info.yaml:1:64", /maxDepth/],
    [
      "one long text many times",
      `a: &a ${"x".repeat(100_000)}\nb: [${Array.from({ length: 50 }, () => "*a").join(", ")}]`,
      "orders/catalog-info.yaml:1:1",
      /characters/,
    ],
    [
      "too many aliases",
      `a: &a 1\nb: [${Array.from({ length: yamlLimits.maxAliases + 1 }, () => "*a").join(", ")}]`,
      /^orders\/catalog-info.yaml:2:\d+$/,
      /maxAliases/,
    ],
  ])("%s is refused with its place", (...[, text, where, message]) => {
    const result = parse(text);
    const problem = result.ok ? null : result.problem;
    expect(problem?.where).toMatch(where);
    expect(problem?.message).toMatch(message);
  });

  it("counts the lines that were cut from the top", () => {
    const result = parseYaml("a: 1\na: 2", { file: "f", linesCut: 1 });
    expect(result).toMatchObject({ ok: false, problem: { where: "f:3:1" } });
  });

  it.each([
    ["as many lines", "a: 1\nb: ${{ x }}\nc: 3", "f:3:1", "YAML: duplicated mapping key."],
    [
      "other lines",
      "a: 1\n{% if x %}\nb: 1\n{% endif %}",
      "f:4:1",
      "YAML: duplicated mapping key (position in the rendered text).",
    ],
  ])("tells the place in a template with %s", (_case, template, where, message) => {
    const result = parseYaml("a: 1\nb: 2\na: 3", { file: "f", linesCut: 1, template });
    expect(result).toEqual({ ok: false, problem: { where: where.replace(":3:", ":4:"), message } });
  });

  it.each([
    ["a quote that is never closed", 'a: 1\nb: "two\nc: 3\nd: 4\n', "f:2:4"],
    ["one that a later quote closes", "a: 'one\nb: 'two'\nc: 3\n", "f:1:4"],
    ["a list that is never closed", "a: 1\ntags: [x, y\nb: 2\n", "f:2:7"],
    ["a map that is never closed", "a: 1\nb: { c: 1\n\nd: 2\n", "f:2:4"],
    ["a colon that is missing", "a: 1\nmetadata\n  name: x\n", "f:2:1"],
    ["a line that is too far in", "a:\n  b: 1\n   c: 2\n", "f:3:5"],
    ["a value with a colon", "a: 1\nb: see: here\nc: 3\n", "f:2:7"],
    [
      "a text that is long and sound before it",
      "a: >\n  one\n\n  two\nb: [\n  1,\n  2\n  ]\nc: {\nd: 1\n",
      "f:9:4",
    ],
  ])("tells where a person would look for %s", (_case, text, where) => {
    const result = parseYaml(text, { file: "f" });
    expect(result).toMatchObject({ ok: false, problem: { where } });
  });

  it.each([
    ["hosts:\n  - {{ host }}\n", { hosts: [{ "{ host }": null }] }],
    ["a: {{ b }}", { a: { "{ b }": null } }],
    ["{ [1, two]: x, { y: 1, z: }: 2 }", { "[ 1, two ]": "x", "{ y: 1, z }": 2 }],
  ])("takes a collection as a key for its text: %j", (text, value) => {
    expect(parse(text)).toEqual({ ok: true, value });
  });

  it("refuses such a key when it is large, and the same key twice", () => {
    expect(parse(`? [${"x,".repeat(101)}]\n: 1`)).toMatchObject({ ok: false });
    expect(parse("a: { {b: }: 1, {b: }: 2 }")).toMatchObject({
      ok: false,
      problem: { message: expect.stringContaining("duplicated") },
    });
  });

  it("takes __proto__ keys away and pollutes nothing", () => {
    const result = parse('a: { __proto__: { polluted: 1 }, b: 2 }\n"__proto__": { polluted: 1 }');
    expect(result).toEqual({ ok: true, value: { a: { b: 2 } } });
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
    expect(JSON.stringify(result)).not.toContain("polluted");
  });
});
