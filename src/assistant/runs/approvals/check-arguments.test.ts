import { expect, it } from "vitest";
import { argumentProblems, problemText } from "./check-arguments.ts";

const schema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  properties: { pattern: { type: "string", pattern: "^(a+)+$" }, count: { type: "integer", default: 1 } },
  required: ["pattern"],
  additionalProperties: false,
};

it("finds every problem and changes nothing", () => {
  const given = { count: "2", more: true };
  const problems = argumentProblems(schema, given);
  expect(problems.map(({ where }) => where).toSorted()).toEqual(["/count", "/more", "/pattern"]);
  expect(problemText(problems)).toContain("/count: must be");
  expect(given).toEqual({ count: "2", more: true });
  const fine = { pattern: "x" };
  expect(argumentProblems(schema, fine)).toEqual([]);
  expect(fine).toEqual({ pattern: "x" });
});

it("runs no patterns of other servers, and takes a schema that can't be compiled for none", () => {
  expect(argumentProblems(schema, { pattern: `${"a".repeat(40)}!` })).toEqual([]);
  expect(argumentProblems({ type: "object", $ref: "https://elsewhere.example/x" }, { a: 1 })).toEqual([]);
  expect(argumentProblems({ type: "nonsense" }, { a: 1 })).toEqual([]);
});
