import { describe, expect, it } from "vitest";
import { secretFields, secretSearch } from "./json-schema.ts";

/** A definition that leads to the next, and so on. */
function chainOf(length: number) {
  const $defs: Record<string, object> = Object.fromEntries(
    Array.from({ length }, (_, n) => [`d${n}`, { $ref: `#/$defs/d${n + 1}` }]),
  );
  return { $ref: "#/$defs/d0", $defs };
}

const secret = { type: "string", "ui:widget": "password" };

describe("fields of secrets", () => {
  it.each([
    ["a widget", { properties: { a: secret } }, ["a"]],
    ["options of a widget", { properties: { a: { "ui:options": { widget: "password" } } } }, ["a"]],
    ["a field", { properties: { a: { "ui:field": "Secret" } } }, ["a"]],
    ["a format", { properties: { a: { format: "password" } } }, ["a"]],
    ["an object", { properties: { a: { properties: { b: secret } } } }, ["a.b"]],
    ["items", { properties: { a: { items: { properties: { b: secret } } } } }, ["a.*.b"]],
    ["items one by one", { properties: { a: { items: [{}, secret], additionalItems: secret } } }, ["a.*"]],
    ["a map", { properties: { a: { additionalProperties: secret } } }, ["a.*"]],
    ["patterns", { properties: { a: { patternProperties: { "^x": secret } } } }, ["a.*"]],
    ["branches", { oneOf: [{ properties: { a: secret } }, { properties: { b: secret } }] }, ["a", "b"]],
    [
      "conditions",
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      { if: {}, then: { properties: { a: secret } }, else: { properties: { b: secret } } },
      ["a", "b"],
    ],
    ["dependencies", { dependencies: { x: { oneOf: [{ properties: { a: secret } }] } } }, ["a"]],
    ["references", { properties: { a: { $ref: "#/definitions/s" } }, definitions: { s: secret } }, ["a"]],
    ["what is none", { properties: { a: { type: "string" }, b: true, c: { $ref: "#/none" } } }, []],
  ])("are known by %s", (_case, page, paths) => {
    expect(secretFields(page)?.map((path) => path.join("."))).toEqual(paths);
  });

  it("in a schema of itself are known some rounds deep", () => {
    const node = {
      properties: { key: secret, left: { $ref: "#/$defs/node" }, right: { $ref: "#/$defs/node" } },
    };
    const paths = secretFields({ $ref: "#/$defs/node", $defs: { node } })?.map((path) => path.join("."));
    expect(paths).toContain("left.right.key");
    expect(paths).toHaveLength(7);
  });

  it("are not looked for without end", () => {
    const names = Array.from({ length: 30 }, (_, n) => `d${n}`);
    const all = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
    const $defs = Object.fromEntries(names.map((name) => [name, { properties: all }]));
    expect(secretFields({ properties: all, $defs })).toBeNull();
  });

  it.each([
    ["behind more definitions than are followed", chainOf(5_000)],
    ["behind a name without end", { properties: { a: { $ref: `#/$defs/${"a".repeat(5_000)}` } } }],
    [
      "in long lists that are referred to again and again",
      {
        properties: Object.fromEntries(
          Array.from({ length: 5_000 }, (_, n) => [n, { $ref: "#/$defs/long" }]),
        ),
        $defs: { long: { items: Array.from({ length: 5_000 }, () => 0) } },
      },
    ],
  ])("are not looked for %s", (_case, page) => {
    expect(secretFields(page)).toBeNull();
  });

  it("are looked for in all pages of a form together", () => {
    const page = { properties: Object.fromEntries(Array.from({ length: 900 }, (_, n) => [n, {}])) };
    const budget = secretSearch();
    const found = Array.from({ length: 30 }, () => secretFields(page, budget));
    expect(found[0]).toEqual([]);
    expect(found.at(-1)).toBeNull();
  });
});
