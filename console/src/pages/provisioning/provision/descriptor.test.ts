import { expect, test } from "vitest";
import { componentsOf, parseDescriptor, printed } from "./descriptor.ts";

test("a descriptor is read from its text, and from the body of a start", () => {
  expect(parseDescriptor('{"id":"u","name":"U"}')).toEqual({ descriptor: { id: "u", name: "U" } });
  expect(parseDescriptor('{"descriptor":{"id":"u"},"targetStatus":[]}')).toEqual({ descriptor: { id: "u" } });
  expect(parseDescriptor("id: u\nversion: 2026-11-26\ncomponents:\n  - id: a\n")).toEqual({
    descriptor: { id: "u", version: "2026-11-26", components: [{ id: "a" }] },
  });
});

test.each([
  ["{", /^This is not JSON: /],
  ["id: u\n\tname: U", /^This is not YAML: .*2:/],
  ["[]", /^A descriptor is an object\.$/],
  ["7", /^A descriptor is an object\.$/],
  ['{"name":"U"}', /^A descriptor has an id\.$/],
])("it is said what is wrong with %s", (text, problem) => {
  expect(parseDescriptor(text)).toEqual({ problem: expect.stringMatching(problem) });
});

test("components that have an id are read", () => {
  const components = [{ id: "a", name: "A", kind: "storage" }, { id: "b" }, { name: "none" }, "x"];
  expect(componentsOf({ id: "u", components })).toEqual([
    { id: "a", name: "A", kind: "storage" },
    { id: "b", name: "b", kind: "" },
  ]);
  expect(componentsOf({ id: "u" })).toEqual([]);
});

test("equal content is printed equally, whatever its order", () => {
  const a = printed({ version: "1", id: "u", b: [{ y: 1, x: 2 }], a: null });
  expect(a).toBe(printed({ a: null, b: [{ x: 2, y: 1 }], id: "u", version: "1" }));
  expect(a.indexOf('"id"')).toBeLessThan(a.indexOf('"version"'));
  expect(a.indexOf('"version"')).toBeLessThan(a.indexOf('"a"'));
});
