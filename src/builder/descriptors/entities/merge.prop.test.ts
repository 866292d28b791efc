import * as fc from "fast-check";
import { expect, it } from "vitest";
import { mergeConfiguration } from "./merge.ts";
import type { YamlMap, YamlValue } from "../../catalogue/entities/yaml.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

const { map } = fc.letrec<{ value: YamlValue; map: YamlMap; list: YamlValue[] }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.integer(),
    fc.string({ maxLength: 3 }),
    tie("list"),
    tie("map"),
  ),
  list: fc.array(tie("value"), { maxLength: 3 }),
  map: fc.dictionary(fc.constantFrom("a", "b", "c", "toString", "constructor"), tie("value"), { maxKeys: 4 }),
}));

/** Every path that ends in something other than a map with keys. */
const leaves = (value: YamlValue, path: string[] = []): [string, YamlValue][] =>
  isRecord(value) && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([key, item]) => leaves(item, [...path, key]))
    : [[path.join("/"), value]];

it("laying a configuration over once or twice is the same, and its leaves win", () => {
  fc.assert(
    fc.property(map, map, (base, over) => {
      const merged = mergeConfiguration(base, over);
      expect(mergeConfiguration(merged, over)).toEqual(merged);
      const found = new Map(leaves(merged));
      for (const [path, value] of leaves(over)) {
        // An empty map of the configuration adds nothing to a map that is there.
        if (!isRecord(value)) expect(found.get(path)).toEqual(value);
      }
    }),
    { numRuns: 1_000 },
  );
});

it("is associative, so that layers can be put together in any grouping", () => {
  fc.assert(
    fc.property(map, map, map, (a, b, c) => {
      const left = mergeConfiguration(mergeConfiguration(a, b), c);
      const right = mergeConfiguration(a, mergeConfiguration(b, c));
      // A scalar between two maps hides the first from the second, which no grouping can express.
      fc.pre(!hidesMap(a, b, c));
      expect(left).toEqual(right);
    }),
    { numRuns: 1_000 },
  );
});

const hidesMap = (a: YamlMap, b: YamlMap, c: YamlMap): boolean =>
  Object.keys(c).some((key) => {
    const [x, y, z] = [a, b, c].map((layer) => (Object.hasOwn(layer, key) ? layer[key] : undefined));
    if (isRecord(z) && isRecord(x) && y !== undefined && !isRecord(y)) return true;
    return isRecord(x) && isRecord(y) && isRecord(z) && hidesMap(x, y, z);
  });
