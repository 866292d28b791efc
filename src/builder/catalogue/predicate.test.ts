import { describe, expect, it } from "vitest";
import { holdsFor, parsePredicate, predicateLimits } from "./predicate.ts";

const parsed = (value: unknown) => {
  const result = parsePredicate(value, "/query");
  if ("problems" in result) throw new Error(JSON.stringify(result.problems));
  return result.predicate;
};
const deep = (levels: number): object => (levels === 0 ? { a: 1 } : { $not: deep(levels - 1) });

describe("a predicate", () => {
  const record = { id: "1", type: "url", target: "https://Git.example/a.yaml" };

  it.each<[string, unknown, boolean]>([
    ["a value, in any case", { Type: "URL" }, true],
    ["a number", { id: 1 }, true],
    ["another value", { type: "git" }, false],
    ["every field", { type: "url", id: "2" }, false],
    ["one of", { type: { $in: ["git", "Url"] } }, true],
    ["a beginning", { target: { $hasPrefix: "https://git.EXAMPLE/" } }, true],
    ["a field that is there", { target: { $exists: true } }, true],
    ["a field that is not", { owner: { $exists: false } }, true],
    ["not", { $not: { type: "url" } }, false],
    ["all", { $all: [{ type: "url" }, { id: "1" }] }, true],
    ["any", { $any: [{ type: "git" }, { id: "1" }] }, true],
    ["nothing asked for", {}, true],
    ["all of nothing", { $all: [] }, false],
    ["any of nothing", { $any: [] }, false],
    ["a field of everybody's", { toString: { $exists: true } }, false],
  ])("%s", (_case, query, holds) => {
    expect(holdsFor(parsed(query), record)).toBe(holds);
  });

  it.each<[string, unknown, string, RegExp]>([
    ["a text", "component", "/query", /is an object/],
    ["a list", [{ kind: "a" }], "/query", /is an object/],
    ["a text in a list", { $all: ["x"] }, "/query/$all/0", /is an object/],
    ["an operator beside others", { $not: { a: 1 }, kind: "x" }, "/query", /stands alone/],
    ["an operator that there is not", { $nor: [] }, "/query", /no operator \$nor/],
    ["no list", { $any: {} }, "/query", /needs a list/],
    ["null", { kind: null }, "/query/kind", /A field has/],
    ["two operators on a field", { kind: { $in: [], $exists: true } }, "/query/kind", /A field has/],
    ["a wrong operand", { "a/b": { $exists: "yes" } }, "/query/a~1b", /true or false/],
    ["an operator of a field that there is not", { kind: { $near: 1 } }, "/query/kind", /no operator \$near/],
    ["a name of everybody's", { kind: { constructor: 1 } }, "/query/kind", /no operator constructor/],
    ["an object in a list", { spec: { $contains: { a: 1 } } }, "/query/spec", /\$contains needs/],
    ["depth", deep(predicateLimits.depth + 1), `/query${"/$not".repeat(11)}`, /deeper/],
    [
      "number",
      { $any: Array.from({ length: predicateLimits.conditions }, () => ({ a: 1 })) },
      "/query/$any/100",
      /more than/,
    ],
  ])("is refused for %s", (_case, query, where, message) => {
    const result = parsePredicate(query, "/query");
    expect("problems" in result && result.problems[0]).toMatchObject({
      where: expect.stringContaining(where.slice(0, 12)),
      message: expect.stringMatching(message),
    });
  });

  it("tells several problems at once", () => {
    const result = parsePredicate({ kind: null, "metadata.name": { $in: 7 } }, "/query");
    expect("problems" in result && result.problems.map(({ where }) => where)).toEqual([
      "/query/kind",
      "/query/metadata.name",
    ]);
  });
});
