import fc from "fast-check";
import { expect, it } from "vitest";
import { parseYaml, type YamlMap, type YamlValue } from "../../catalogue/entities/yaml.ts";
import { hostileText } from "../../descriptors/entities/testdata.ts";
import { patchYaml } from "./change-values.ts";

const read = (text: string): YamlMap => {
  const parsed = parseYaml(text, { file: "a" });
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.value as YamlMap;
};

it("keeps comments, the order and the form of what stays", () => {
  const text = `# Who owns it
a: "one" # the first
list: [1, 2]
deep:
  same: 'x' # stays
  changed: 1
gone: true
`;
  const after = { a: "one", list: [1, 2, 3], deep: { same: "x", changed: "two" }, more: { b: null } };
  expect(patchYaml(text, read(text), after)).toBe(`# Who owns it
a: "one" # the first
list:
  - 1
  - 2
  - 3
deep:
  same: 'x' # stays
  changed: two
more:
  b: null
`);
});

it("writes a text anew that the editing parser would get wrong", () => {
  const text = "base: &base { a: 1, b: 2 }\nother:\n  <<: *base\n  b: 3\n";
  const after = { base: { a: 1, b: 2 }, other: { a: 5, b: 3 } };
  expect(read(patchYaml(text, read(text), after))).toEqual(after);
  expect(read(patchYaml("", null, after))).toEqual(after);
});

it("always says what was meant", () => {
  const key = hostileText.filter((name) => !["__proto__", "constructor", "prototype"].includes(name));
  const leaf: fc.Arbitrary<YamlValue> = fc.oneof(hostileText, fc.integer(), fc.boolean(), fc.constant(null));
  const plain = { maxKeys: 3, noNullPrototype: true } as const;
  const below = fc.oneof(leaf, fc.dictionary(key, leaf, plain), fc.array(leaf, { maxLength: 3 }));
  const map = fc.dictionary(key, below, plain);
  fc.assert(
    fc.property(map, map, (before, change) => {
      const start = { ...before };
      const after = { ...before, ...change };
      const text = patchYaml("", null, start);
      expect(read(patchYaml(text, read(text), after))).toEqual(JSON.parse(JSON.stringify(after)));
    }),
    { numRuns: 100 },
  );
});
