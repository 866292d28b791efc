import { expect, it } from "vitest";
import { splitSchema } from "./split-schema.ts";

it("takes a page apart into its schema and what the form shows of it", () => {
  const { schema, uiSchema } = splitSchema({
    title: "A page",
    properties: {
      name: { type: "string", "ui:autofocus": true, "ui:help": "Short" },
      token: { type: "string", "ui:field": "Secret" },
      owner: { type: "string", "ui:field": "OwnerPicker", "ui:options": { allowedKinds: ["Group"] } },
      rows: { type: "array", items: { type: "object", properties: { a: { "ui:widget": "textarea" } } } },
      other: { type: "string", "ui:field": "SomethingOfAnotherProduct" },
    },
  });
  expect(schema).toEqual({
    title: "A page",
    properties: {
      name: { type: "string" },
      token: { type: "string" },
      owner: { type: "string" },
      rows: { type: "array", items: { type: "object", properties: { a: {} } } },
      other: { type: "string" },
    },
  });
  expect(uiSchema).toMatchObject({
    name: { "ui:autofocus": true, "ui:help": "Short" },
    token: { "ui:widget": "password" },
    owner: { "ui:widget": "OwnerPicker", "ui:options": { pick: { kinds: ["Group"] } } },
    rows: { items: { a: { "ui:widget": "textarea" } } },
    other: {},
  });
});

it("lets nothing of a template become a property of an element", () => {
  const html = { __html: "<img src=x onerror=alert(1)>" };
  const { schema, uiSchema } = splitSchema({
    properties: {
      a: {
        type: "string",
        title: { dangerous: true },
        "ui:options": { dangerouslySetInnerHTML: html, onClick: "x", rows: 4, widget: "textarea" },
        "ui:widget": "../evil",
        "ui:placeholder": { not: "a text" },
        "ui:enableMarkdownInDescription": true,
        "ui:style": { color: "red" },
      },
    },
  });
  expect(schema).toEqual({ properties: { a: { type: "string" } } });
  expect(uiSchema).toEqual({ a: { "ui:rows": 4 } });
});

it("leaves out names that mean something to every object", () => {
  const page: unknown = JSON.parse(
    '{"properties": {"__proto__": {"ui:help": "x", "title": "y"}, "constructor": {}, "a": {}}}',
  );
  expect(Object.keys(splitSchema(page).schema.properties ?? {})).toEqual(["a"]);
  expect(Object.hasOwn(Object.prototype, "ui:help")).toBe(false);
});

it("shows the names of values where Backstage's templates have them, beside the values", () => {
  const { schema, uiSchema } = splitSchema({
    properties: {
      level: { type: "integer", enum: [1, 2, 3], enumNames: ["Low", "Middle", "High"] },
      year: { enum: ["a", "b"], enumNames: ["Before", 2024] },
      zones: { type: "array", items: { type: "string", enum: ["a", "b"], enumNames: ["Alpha", "Beta"] } },
      size: { enum: ["s"], enumNames: ["Of the schema"], "ui:enumNames": ["Of the form"] },
      odd: { enum: ["x"], enumNames: [{ __html: "<b>" }] },
    },
    dependencies: {
      size: { properties: { depth: { enum: [1], enumNames: ["Flat"] } } },
    },
  });
  expect(uiSchema).toEqual({
    level: { "ui:enumNames": ["Low", "Middle", "High"] },
    year: { "ui:enumNames": ["Before", "2024"] },
    zones: { items: { "ui:enumNames": ["Alpha", "Beta"] } },
    size: { "ui:enumNames": ["Of the form"] },
    odd: {},
    depth: { "ui:enumNames": ["Flat"] },
  });
  expect(schema.properties?.["level"]).toEqual({ type: "integer", enum: [1, 2, 3] });
});
