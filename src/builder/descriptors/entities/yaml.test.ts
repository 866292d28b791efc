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
    const result = parseYaml("a: 1\na: 2", { file: "f", linesCut: 1, rendered: true });
    expect(result).toMatchObject({ ok: false, problem: { where: "f:3:1" } });
  });

  it("takes __proto__ keys away and pollutes nothing", () => {
    const result = parse('a: { __proto__: { polluted: 1 }, b: 2 }\n"__proto__": { polluted: 1 }');
    expect(result).toEqual({ ok: true, value: { a: { b: 2 } } });
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
    expect(JSON.stringify(result)).not.toContain("polluted");
  });
});
