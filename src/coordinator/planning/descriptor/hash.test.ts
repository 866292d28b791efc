import * as fc from "fast-check";
import { expect, test } from "vitest";
import { hashComponent, hashRoot } from "./hash.ts";

const component = {
  id: "a",
  dependsOn: ["b", "c"],
  specific: { x: 1, y: [true, null] },
  components: [{ id: "a:p" }],
};
const hash = hashComponent(component);

test("stays the same from release to release", () => {
  // Stored with every deployment: another value here makes every deployed component "changed".
  expect(hash).toBe("6653dabb18f42cb60768bb2f69f8d58231e9b1dc988364cc1b2e793d442ef311");
});

test.each([
  [
    "keys in another order",
    { components: [{ id: "a:p" }], specific: { y: [true, null], x: 1 }, dependsOn: ["b", "c"], id: "a" },
  ],
  ["info of the component", { ...component, info: { publicInfo: {} } }],
  ["info of a subcomponent", { ...component, components: [{ info: 1, id: "a:p" }] }],
  ["an undefined value", { ...component, nothing: undefined }],
])("does not count %s", (_, other) => {
  expect(hashComponent(other)).toBe(hash);
});

test.each([
  ["the version", { ...component, version: "2" }],
  ["the order of a list", { ...component, dependsOn: ["c", "b"] }],
  ["a number for its text", { ...component, specific: { x: "1", y: [true, null] } }],
  ["null for nothing", { ...component, nothing: null }],
  ["a subcomponent", { ...component, components: [{ id: "a:q" }] }],
  ["info deeper down", { ...component, specific: { ...component.specific, info: 1 } }],
  ["a list for a map", { ...component, specific: [1] }],
])("counts %s", (_, other) => {
  expect(hashComponent(other)).not.toBe(hash);
});

test("the root is hashed without its components", () => {
  const unit = { id: "u", version: "1", components: [component], info: 1 };
  expect(hashRoot({ ...unit, components: [], info: 2 })).toBe(hashRoot(unit));
  expect(hashRoot({ ...unit, version: "2" })).not.toBe(hashRoot(unit));
});

test("tells different content apart, and only that", () => {
  const content = fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
  const wrap = (value: object) => ({ id: "a", specific: value });
  fc.assert(
    fc.property(content, content, (one, other) => {
      const isSame = sortedJson(one) === sortedJson(other);
      expect(hashComponent(wrap(one)) === hashComponent(wrap(other))).toBe(isSame);
      expect(hashComponent(wrap(Object.fromEntries(Object.entries(one).toReversed())))).toBe(
        hashComponent(wrap(one)),
      );
    }),
    { numRuns: 2_000 },
  );
});

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    // Marked, so that a map is never taken for a list: {} for [], or {"a":1} for [["a",1]].
    return { map: Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)) };
  });
}
