import { describe, expect, it } from "vitest";
import { checkValues } from "./check-values.ts";
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
