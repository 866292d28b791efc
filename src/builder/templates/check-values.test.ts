import { describe, expect, it } from "vitest";
import { checkValues } from "./check-values.ts";
import { applyDefaults } from "./defaults.ts";
import type { JsonObject } from "./json-schema.ts";

const check = (schema: JsonObject, values: JsonObject = {}) =>
  checkValues({ key: JSON.stringify(schema), schemas: [schema], values, secrets: {}, overrides: {} });

describe("a default that its own schema refuses", () => {
  it.each<[string, JsonObject]>([
    ["an empty text for a pattern", { type: "string", pattern: "^[a-z]+$", default: "" }],
    ["null for a text", { type: "string", default: null }],
    ["what is not among the choices", { type: "string", enum: ["a", "b"], default: "" }],
    ["a text for a list", { type: "array", items: { type: "string" }, default: "" }],
  ])("leaves an optional field empty: %s", (_case, field) => {
    expect(check({ properties: { field } })).toMatchObject({ values: {}, problems: [] });
  });

  it("is reported where the field is needed", () => {
    const field = { type: "string", minLength: 1, default: "" };
    const { problems } = check({ required: ["field"], properties: { field } });
    expect(problems.map(({ where }) => where)).toEqual(["/values/field"]);
  });

  it("is no excuse for what somebody gives", () => {
    const field = { type: "string", enum: ["a"], default: "" };
    const { problems } = check({ properties: { field } }, { field: "b" });
    expect(problems.map(({ where }) => where)).toEqual(["/values/field"]);
  });
});

it("fills in sound defaults, also of definitions and of sections", () => {
  const { values, problems } = check({
    definitions: { size: { type: "integer", minimum: 1 } },
    properties: {
      size: { $ref: "#/definitions/size", default: 2 },
      part: { type: "object", required: ["name"], properties: { name: { type: "string", default: "x" } } },
    },
  });
  expect([values, problems]).toEqual([{ size: 2, part: { name: "x" } }, []]);
});

describe("defaults behind references", () => {
  const definitions = {
    size: { type: "integer", default: 3 },
    alias: { $ref: "#/definitions/size" },
    part: { type: "object", required: ["name"], properties: { name: { type: "string", default: "x" } } },
    parts: { type: "array", items: { $ref: "#/definitions/part" } },
    large: {
      required: ["kind", "disk"],
      properties: { kind: { const: "large" }, disk: { $ref: "#/definitions/size" } },
    },
    address: {
      type: "object",
      required: ["street"],
      properties: { street: { type: "string" }, country: { type: "string", default: "IT" } },
    },
    node: {
      type: "object",
      properties: {
        n: { type: "integer", default: 1 },
        left: { $ref: "#/definitions/node" },
        right: { $ref: "#/definitions/node" },
      },
    },
  };

  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    ["of a field", { size: { $ref: "#/definitions/alias" } }, {}, { size: 3 }],
    ["its own is nearer", { size: { $ref: "#/definitions/size", default: 4 } }, {}, { size: 4 }],
    ["of a section", { part: { $ref: "#/definitions/part" } }, {}, { part: { name: "x" } }],
    [
      "of items",
      { parts: { $ref: "#/definitions/parts" } },
      { parts: [{}, { name: "y" }] },
      { parts: [{ name: "x" }, { name: "y" }] },
    ],
    ["of a recursive section, once", { tree: { $ref: "#/definitions/node" } }, {}, { tree: { n: 1 } }],
    [
      "of a recursive section that is given",
      { tree: { $ref: "#/definitions/node" } },
      { tree: { left: { right: {} } } },
      { tree: { n: 1, left: { n: 1, right: { n: 1 } } } },
    ],
    ["of a section that is given", { a: { $ref: "#/definitions/part" } }, { a: {} }, { a: { name: "x" } }],
    ["not of a section that needs more", { a: { $ref: "#/definitions/address" } }, {}, {}],
    [
      "not of a section around one that needs more",
      { a: { type: "object", required: ["b"], properties: { b: { $ref: "#/definitions/address" } } } },
      {},
      {},
    ],
    [
      "of a section that needs more and is given",
      { a: { $ref: "#/definitions/address" } },
      { a: { street: "s" } },
      { a: { street: "s", country: "IT" } },
    ],
  ])("are filled in: %s", (_case, properties, given, values) => {
    expect(check({ definitions, properties }, given)).toMatchObject({ values, problems: [] });
  });

  it("are filled in of a branch, and of all parts", () => {
    const schema = {
      definitions,
      allOf: [{ $ref: "#/definitions/part" }],
      oneOf: [
        { properties: { kind: { const: "small" } }, required: ["kind"] },
        { $ref: "#/definitions/large" },
      ],
    };
    expect(check(schema, { kind: "large" })).toMatchObject({
      values: { kind: "large", name: "x", disk: 3 },
      problems: [],
    });
    expect(check(schema, { kind: "small" })).toMatchObject({
      values: { kind: "small", name: "x" },
      problems: [],
    });
  });

  it("have no limit where there are no references", () => {
    const texts = Object.fromEntries(
      Array.from({ length: 10 }, (_, number) => [`t${number}`, { type: "string" }]),
    );
    const items = { type: "object", required: ["k"], properties: { ...texts, k: { default: 1 } } };
    const rows = Array.from({ length: 2_500 }, () => ({}));
    expect(check({ properties: { rows: { type: "array", items } } }, { rows }).problems).toEqual([]);
  });

  it("end where definitions refer to each other in every order", () => {
    const names = Array.from({ length: 30 }, (_, number) => `d${number}`);
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/definitions/${name}` }]));
    const circular = Object.fromEntries(
      names.map((name) => [name, { type: "object", properties: { ...properties, n: { default: 1 } } }]),
    );
    expect(check({ definitions: circular, properties }).problems).toEqual([]);
    const self = { allOf: [{ $ref: "#/definitions/self" }], properties: { n: { default: 1 } } };
    const value = {};
    applyDefaults({ definitions: { self }, $ref: "#/definitions/self" }, value, () => true);
    expect(value).toEqual({ n: 1 });
  });
});

describe("compiled schemas", () => {
  const checked = (key: string, schema: JsonObject) =>
    checkValues({ key, schemas: [schema], values: { a: 1 }, secrets: {}, overrides: {} }).problems.length;
  const text = { properties: { a: { type: "string" } } };
  const withLength = (length: number) => ({ properties: { b: { description: "x".repeat(length) } } });

  it("are kept by their key", () => {
    expect(checked("kept", text)).toBe(1);
    expect(checked("kept", withLength(1))).toBe(1);
  });

  it("are kept up to a length of all of them", () => {
    expect(checked("oldest", text)).toBe(1);
    for (let at = 0; at < 3; at += 1) expect(checked(`large ${at}`, withLength(1_000_000))).toBe(0);
    expect(checked("oldest", withLength(1))).toBe(0);
    expect(checked("large 2", text)).toBe(0);
    expect(checked("too large", withLength(3_000_000))).toBe(0);
    expect(checked("too large", text)).toBe(1);
  });
});
