import { expect, it } from "vitest";
import { faultsOf } from "./check-value.ts";

const messages = (schema: object, value: unknown): string[] =>
  faultsOf(schema, value).map(({ path, message }) => `${path.join(".")}: ${message}`);

const conditional = JSON.parse(
  '{"if": {"properties": {"a": {"const": 1}}}, "then": {"required": ["b"]}}',
) as object;

it.each([
  [{ type: "string" }, "a"],
  [{ type: "string", pattern: "^[a-z]+$" }, "abc"],
  [{ type: ["string", "null"] }, null],
  [{ type: "integer", minimum: 1, multipleOf: 1 }, 3],
  [{ type: "number", multipleOf: 0.1 }, 0.3],
  [{ enum: ["a", { b: 1 }] }, { b: 1 }],
  [{ type: "array", uniqueItems: true, items: { type: "string" } }, ["a", "b"]],
  [{ properties: { a: { type: "string" } } }, {}],
  [{ oneOf: [{ type: "string" }, { type: "number" }] }, 3],
  [{ $ref: "#/definitions/name", definitions: { name: { type: "string" } } }, "x"],
  [{ pattern: "(" }, "a pattern that is none accepts everything"],
  [conditional, { a: 2 }],
  [{ dependencies: { a: ["b"] } }, { c: 1 }],
  [{ format: "colour" }, "unknown formats are left to the server"],
])("accepts what %j takes: %j", (schema, value) => {
  expect(faultsOf(schema, value)).toEqual([]);
});

it.each([
  [{ type: "integer" }, 1.5, ": It must be a whole number."],
  [{ type: "string", minLength: 1 }, "", ": It must not be empty."],
  [{ type: "string", pattern: "^[a-z]+$" }, "A", ": It must match ^[a-z]+$"],
  [{ required: ["name"] }, {}, "name: It is missing."],
  [{ properties: { a: { items: { required: ["n"] } } } }, { a: [{ n: 1 }, {}] }, "a.1.n: It is missing."],
  [{ type: "array", minItems: 1 }, [], ": Add at least one."],
  [{ type: "array", uniqueItems: true }, [{ a: 1 }, { a: 1 }], ": Two of them are the same."],
  [{ additionalProperties: false, properties: {} }, { b: 1 }, "b: There must be no value."],
  [{ dependencies: { a: ["b"] } }, { a: 1 }, "b: It is missing."],
  [conditional, { a: 1 }, "b: It is missing."],
  [{ not: { const: 1 } }, 1, ": This value is not allowed."],
  [{ $ref: "#/definitions/n", definitions: { n: { type: "string" } } }, 1, ": It must be a text."],
  [{ format: "email" }, "ada", ": It must be an e-mail address."],
  [{ anyOf: [{ type: "string" }, { type: "object", required: ["x", "y"] }] }, 3, ": It must be a text."],
])("refuses what %j does not take: %j", (schema, value, message) => {
  expect(messages(schema, value)).toEqual([message]);
});

it("ends on a schema that refers to itself", () => {
  expect(faultsOf({ $ref: "#" }, "x")).toEqual([]);
});
