import { expect, it } from "vitest";
import { parseEntityRef, normalRef } from "../../entity.ts";
import { locatePointers } from "./read-documents.ts";
import { relationsOf } from "./relations.ts";
import { searchLimits, searchRowsOf } from "./search-rows.ts";

const entity = (kind: string, name: string, spec: Record<string, unknown>) => ({
  apiVersion: "v1",
  kind,
  metadata: { name, namespace: "sea" },
  spec,
});

it.each([
  ["Component:Sea/Ship", "component:sea/ship"],
  ["component:ship", "component:default/ship"],
  [" system:a.b.0 ", "system:default/a.b.0"],
  ["ship", null],
  ["a:b:c", null],
  ["a:b/c/d", null],
  [":x", null],
  ["a:", null],
  ["", null],
  [`a:${"b".repeat(600)}`, null],
])("the reference %j is %j", (text, normal) => {
  expect(normalRef(text)).toBe(normal);
});

it("takes the parts of a reference that are left out from the defaults", () => {
  expect(parseEntityRef("ship", { kind: "component", namespace: "sea" })).toEqual({
    kind: "component",
    namespace: "sea",
    name: "ship",
  });
});

it.each([
  [
    "Component",
    "a.b.0.c",
    { dependsOn: ["d", "urn:x:cmp:a:b:0:e", "resource:f"] },
    ["dependsOn component:sea/a.b.0.d", "dependsOn component:sea/a.b.0.e", "dependsOn resource:sea/f"],
  ],
  [
    "Component",
    "c",
    { dependsOn: ["d"], mesh: { dependsOn: ["component:other/e"] } },
    ["dependsOn component:other/e"],
  ],
  ["User", "u", { memberOf: ["g"] }, ["memberOf group:sea/g"]],
  ["Group", "g", { parent: "p", members: ["u"] }, ["childOf group:sea/p", "hasMember user:sea/u"]],
  ["Domain", "d", { subdomainOf: "e", owner: "o" }, ["ownedBy group:sea/o", "partOf domain:sea/e"]],
  ["Taxonomy", "t", { owner: "user:ada", system: "s" }, ["ownedBy user:sea/ada"]],
  ["Constructor", "c", { owner: "o", system: "s" }, ["ownedBy group:sea/o"]],
  ["Component", "c", { owner: 7, system: null, dependsOn: ["", " ", "a:b:c"] }, []],
])("a %s %s with %j is related", (kind, name, spec, expected) => {
  const declared = relationsOf(entity(kind, name, spec));
  const own = declared.filter(({ sourceRef }) => sourceRef === `${kind.toLowerCase()}:sea/${name}`);
  expect(own.map(({ type, targetRef }) => `${type} ${targetRef}`)).toEqual(expected);
  // Every relation has its way back.
  expect(declared).toHaveLength(2 * own.length);
});

it("makes a row of every value, and bounds them", () => {
  const rows = searchRowsOf(entity("Domain", "d", { List: ["A", { b: null }], long: "x".repeat(201), n: 7 }));
  expect(rows.filter(({ key }) => key.startsWith("spec"))).toEqual([
    { key: "spec.list", value: "a", shown: "A" },
    { key: "spec.list.a", value: "true", shown: "true" },
    { key: "spec.list.b", value: null, shown: null },
    { key: "spec.long", value: null, shown: null },
    { key: "spec.n", value: "7", shown: "7" },
  ]);
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, index]));
  expect(searchRowsOf(entity("Domain", "d", many))).toHaveLength(searchLimits.rows);
});

const text = `# a comment
kind: A
metadata:
  name: x
  list: [1, {deep: here}]
---
"quoted key": &anchor
  - one
  - *anchor_free
? complex
: value
`.replace("*anchor_free", "two");

it.each([
  [0, "", 2, 1],
  [0, "/metadata/name", 4, 3],
  [0, "/metadata/list/1/deep", 5, 14],
  [0, "/metadata/none/at/all", 3, 1],
  [1, "/quoted key/1", 9, 5],
  [1, "/complex", 10, 3],
  [7, "/a", 1, 1],
])("finds the place of document %i %s at %i:%i", (document, pointer, line, column) => {
  expect(locatePointers(text, [{ document, pointer }])).toEqual([{ line, column }]);
});
