import fc from "fast-check";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { yamlOf } from "./yaml.ts";

it("reads like a file that a person has written", () => {
  const entity = {
    kind: "System",
    metadata: { name: "a", tags: ["x", "z"], description: "Two\nlines" },
    spec: { owner: "group:default/b", count: 1, on: "no", empty: [], parts: [{ a: 1, b: [] }] },
  };
  expect(yamlOf(entity)).toBe(`kind: System
metadata:
  name: a
  tags:
    - x
    - z
  description: |-
    Two
    lines
spec:
  owner: group:default/b
  count: 1
  "on": "no"
  empty: []
  parts:
    - a: 1
      b: []`);
});

it("means what the JSON means, whatever it has in it", () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom(
      "a: b",
      "- x",
      "#",
      "1e3",
      "true",
      "False",
      "0x1",
      "~",
      "null",
      "2020-01-01",
      "a\nb",
      " a",
      "a\n b",
      "%",
      "a #b",
      "a:",
      "y",
    ),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.boolean(),
      fc.integer(),
      fc.constant(null),
      fc.array(tie("tree"), { maxLength: 4 }),
      fc.dictionary(
        text.filter((key) => key !== "__proto__" && key !== "<<"),
        tie("tree"),
        { maxKeys: 4 },
      ),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("a", "b"), tree), (value) => {
      expect(parse(yamlOf(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
