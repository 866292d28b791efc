import { expect, it } from "vitest";
import { mergeConfiguration } from "./merge.ts";
import type { YamlMap } from "../../catalogue/entities/yaml.ts";

it("takes no prototype from a configuration", () => {
  const over: YamlMap = JSON.parse('{ "__proto__": { "polluted": 1 }, "b": 2 }');
  const merged = mergeConfiguration({ a: 1 }, over);
  expect(merged).toEqual({ a: 1, b: 2 });
  expect(merged["polluted"]).toBeUndefined();
});

it.each([
  ["a scalar replaces", { a: 1 }, { a: 2 }, { a: 2 }],
  ["a new key is added", { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
  [
    "maps merge at every depth",
    { a: { b: { c: 1, d: 2 } } },
    { a: { b: { c: 3 } } },
    { a: { b: { c: 3, d: 2 } } },
  ],
  ["a list replaces the whole list", { a: [1, 2, 3] }, { a: [9] }, { a: [9] }],
  ["a list of maps is not merged", { a: [{ x: 1, y: 2 }] }, { a: [{ x: 3 }] }, { a: [{ x: 3 }] }],
  ["a scalar replaces a map", { a: { b: 1 } }, { a: "x" }, { a: "x" }],
  ["a map replaces a scalar", { a: "x" }, { a: { b: 1 } }, { a: { b: 1 } }],
  ["null replaces", { a: { b: 1 } }, { a: null }, { a: null }],
  ["an empty map changes nothing", { a: { b: 1 } }, { a: {} }, { a: { b: 1 } }],
  [
    "names of Object.prototype are only names",
    { a: 1 },
    { toString: { b: 1 } },
    { a: 1, toString: { b: 1 } },
  ],
] satisfies [string, YamlMap, YamlMap, YamlMap][])("%s", (...[, base, over, expected]) => {
  const before = structuredClone({ base, over });
  expect(mergeConfiguration(base, over)).toEqual(expected);
  expect({ base, over }).toEqual(before);
});
