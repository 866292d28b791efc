import { expect, test } from "vitest";
import {
  changedNames,
  fieldOf,
  firstValue,
  furtherFields,
  shownFields,
  type JsonSchema,
} from "./argument-fields.ts";

const schema: JsonSchema = {
  required: ["unit", "mode"],
  properties: {
    unit: { type: "string", description: "Id of it." },
    mode: { enum: ["safe", "forced"], default: "safe" },
    count: { type: "integer", minimum: 2 },
    removeData: { type: "boolean" },
    names: { type: "array", items: { type: "string" } },
    status: { type: "array", items: { type: "object" } },
    reason: { anyOf: [{ type: "string" }, { type: "null" }] },
  },
};

test("shows what has a value or needs one, in the order of the schema, then what it does not know", () => {
  const value = { other: { a: 1 }, names: ["x"], unit: "u" };
  expect(shownFields(schema, { original: value, value }).map(({ name, kind }) => [name, kind])).toEqual([
    ["unit", "text"],
    ["mode", "choice"],
    ["names", "lines"],
    ["other", "json"],
  ]);
  expect(furtherFields(schema, value)).toEqual(["count", "removeData", "status", "reason"]);
});

test.each([
  ["unit", "text", ""],
  ["mode", "choice", "safe"],
  ["count", "number", 2],
  ["removeData", "truth", false],
  ["names", "lines", []],
  ["status", "json", []],
  ["reason", "text", ""],
])("%s is edited as %s and begins with %j", (name, kind, first) => {
  const field = fieldOf(schema, name, undefined);
  expect(field.kind).toBe(kind);
  expect(firstValue(field)).toEqual(first);
});

test("a value that does not fit its field, and any without a schema, is edited as it is", () => {
  expect(fieldOf(schema, "unit", { a: 1 }).kind).toBe("json");
  expect(fieldOf(schema, "names", [1]).kind).toBe("json");
  expect(fieldOf(null, "flag", true).kind).toBe("truth");
  expect(fieldOf(null, "list", ["a"]).kind).toBe("json");
});

test.each([
  ["a number without a schema", { size: 3 }, { size: undefined }, "number"],
  ["JSON that has become a text", { size: { a: 1 } }, { size: "a" }, "json"],
  ["JSON in place of a text", { unit: { a: 1 } }, { unit: "a" }, "json"],
  ["lines that have become none", { names: ["a"] }, { names: [] }, "lines"],
])("%s stays in its field while it is written", (_what, original, value, kind) => {
  const [name] = Object.keys(original);
  const field = shownFields(schema, { original, value }).find((each) => each.name === name);
  expect(field?.kind).toBe(kind);
});

test("names what was changed, added and left out", () => {
  expect(changedNames({ a: 1, b: { c: [1] }, gone: 0 }, { a: 1, b: { c: [2] }, new: null })).toEqual([
    "b",
    "gone",
    "new",
  ]);
});
