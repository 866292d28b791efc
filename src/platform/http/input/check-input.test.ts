import { describe, expect, it } from "vitest";
import { Type, type TSchema } from "typebox";
import { asInput, createChecker } from "./check-input.ts";
import { Nullable, OneOf } from "../schema.ts";

const problemsFor = (schema: TSchema, value: unknown): [string, string][] =>
  createChecker()
    .compile(
      "body",
      schema,
    )(value)
    .map(({ where, message }) => [where, message]);

describe("problems of a body", () => {
  const unit = Type.Object({
    name: Type.String({ minLength: 1, maxLength: 3 }),
    size: Type.Integer({ minimum: 1, maximum: 9 }),
    mode: OneOf(["safe", "forced"]),
    note: Nullable(Type.String()),
    tags: Type.Array(Type.String(), { minItems: 1, maxItems: 2, uniqueItems: true }),
    "a/b~c": Type.Optional(Type.Boolean()),
  });
  const fine = { name: "a", size: 1, mode: "safe", note: null, tags: ["x"] };

  it.each<[string, object, [string, string][]]>([
    ["a missing property", { name: undefined }, [["/name", "is required"]]],
    ["a type", { size: "1" }, [["/size", "must be an integer"]]],
    ["no coercion in bodies", { size: true }, [["/size", "must be an integer"]]],
    ["a fraction", { size: 1.5 }, [["/size", "must be an integer"]]],
    ["a nullable type", { note: 1 }, [["/note", "must be a string or null"]]],
    ["an empty string", { name: "" }, [["/name", "must not be empty"]]],
    ["a long string", { name: "abcd" }, [["/name", "must have at most 3 characters"]]],
    ["a minimum", { size: 0 }, [["/size", "must be at least 1"]]],
    ["a maximum", { size: 10 }, [["/size", "must be at most 9"]]],
    ["an enum", { mode: "fast" }, [["/mode", "must be one of: safe, forced"]]],
    ["an empty list", { tags: [] }, [["/tags", "must not be empty"]]],
    [
      "a repeated item",
      { tags: ["x", "x"] },
      [["/tags", "must not hold the same item twice (items 0 and 1)"]],
    ],
    ["an item", { tags: ["x", 1] }, [["/tags/1", "must be a string"]]],
    ["a name with slash and tilde", { "a/b~c": 1 }, [["/a~1b~0c", "must be true or false"]]],
    [
      "everything at once",
      { name: 1, size: "x", mode: null },
      [
        ["/name", "must be a string"],
        ["/size", "must be an integer"],
        ["/mode", "must be a string"],
      ],
    ],
  ])("names %s", (_, change, expected) => {
    const value = JSON.parse(JSON.stringify({ ...fine, ...change }));
    expect(problemsFor(unit, value)).toEqual(expected);
  });

  it("accepts what is right, and null where it may be", () => {
    expect(problemsFor(unit, fine)).toEqual([]);
  });

  it("says of a whole body what it should be", () => {
    expect(problemsFor(unit, [])).toEqual([["", "must be an object"]]);
  });

  it("joins the alternatives of a union into one problem", () => {
    const schema = Type.Union([Type.String(), Type.Integer()]);
    expect(problemsFor(schema, true)).toEqual([["", "must be a string or an integer"]]);
  });

  it("keeps to the alternative whose type fits", () => {
    const schema = Type.Object({ a: Type.Union([Type.String(), Type.Object({ b: Type.Integer() })]) });
    expect(problemsFor(schema, { a: { b: "x" } })).toEqual([["/a/b", "must be an integer"]]);
  });

  it("carries keyword, parameters and value for areas with words of their own", () => {
    const [problem] = createChecker().compile("body", unit)({ ...fine, name: "abcd" });
    expect(problem).toMatchObject({
      place: "body",
      path: ["name"],
      keyword: "maxLength",
      params: { limit: 3 },
      value: "abcd",
    });
  });

  it("stops listing before a hostile body costs memory", () => {
    const flat = Type.Array(Type.Object({ a: Type.Integer() }));
    const items = Array.from({ length: 200_000 }, () => ({}));
    expect(problemsFor(flat, items).length).toBeLessThanOrEqual(1001);
  });

  it("stops listing in schemas that are referred to as well", () => {
    const checker = createChecker({
      Item: Type.Object({ a: Type.Integer(), next: Type.Optional(Type.Ref("Item")) }),
    });
    const check = checker.compile("body", Type.Array(Type.Ref("Item")));
    expect(check(Array.from({ length: 200_000 }, () => ({}))).length).toBeLessThanOrEqual(1001);
    expect(check([{ a: 1, next: { a: 2 } }])).toEqual([]);
    expect(check([{ a: 1, next: { a: "2" } }]).map(({ where }) => where)).toEqual(["/0/next/a"]);
  });
});

describe("defaults", () => {
  const schema = Type.Object({
    limit: Type.Integer({ default: 20 }),
    inner: Type.Object({ flag: Type.Boolean({ default: false }), name: Type.String() }),
  });

  it("makes properties with a default optional, at every depth, and fills them in", () => {
    const value = { inner: { name: "a" } };
    expect(createChecker().compile("body", asInput(schema))(value)).toEqual([]);
    expect(value).toEqual({ limit: 20, inner: { name: "a", flag: false } });
  });

  it("leaves the area's own schema as it is", () => {
    asInput(schema);
    expect(schema.required).toEqual(["limit", "inner"]);
  });
});
