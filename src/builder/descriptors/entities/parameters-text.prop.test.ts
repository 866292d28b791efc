import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluateParameters } from "../../catalogue/entities/parameters.ts";
import { hostileText } from "./testdata.ts";
import { mergeSections, textAsExpression, writeParameters } from "./parameters-text.ts";
import { parseYaml, type YamlMap, type YamlValue } from "../../catalogue/entities/yaml.ts";

const reserved = new Set(["__proto__", "constructor", "prototype"]);
const key = hostileText.filter((text) => !reserved.has(text));
const value: fc.Arbitrary<YamlValue> = fc.letrec<{ value: YamlValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    hostileText,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
const section = fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true });

const evaluated = (text: string, names: { section: string; key: string }[]): unknown[] => {
  const parsed = parseYaml(text, { file: "parameters.yaml" });
  if (!parsed.ok) throw new Error(`${parsed.problem.where}: ${parsed.problem.message}`);
  const { scope, problems } = evaluateParameters(parsed.value, {
    environment: "development",
    file: "parameters.yaml",
  });
  expect(problems).toEqual([]);
  return names.map(({ section: name, key: wanted }) => {
    const result = scope.evaluate(`\${{ ${name}[${textOfKey(wanted)}] }}`);
    if (!result.ok) throw new Error(result.reason);
    return result.value;
  });
};

const textOfKey = (text: string): string =>
  `"${text.replaceAll("\\", "\\\\").replaceAll('"', String.raw`\"`)}"`;

const plain = (given: unknown): unknown => JSON.parse(JSON.stringify(given ?? null));

describe("parameters.yaml", () => {
  it("gives back every text as it was typed", () => {
    fc.assert(
      fc.property(section, section, section, (parameters, values, own) => {
        const text = writeParameters(
          mergeSections({}, { parameters, values, environmentParameters: { development: own } }),
        );
        const wanted = [
          ...Object.keys(parameters).map((name) => ({ section: "parameters", key: name, of: parameters })),
          ...Object.keys(values).map((name) => ({ section: "values", key: name, of: values })),
          ...Object.keys(own).map((name) => ({ section: "env", key: name, of: own })),
        ];
        expect(evaluated(text, wanted).map(plain)).toEqual(
          wanted.map(({ key: name, of }) => plain(of[name])),
        );
      }),
      { numRuns: 150 },
    );
  });

  it("leaves a text without marks as it is", () => {
    expect(textAsExpression("40 + 2 = {42}")).toBe("40 + 2 = {42}");
    expect(textAsExpression("${{ 40+2 }}")).toBe('${{ "${{ 40+2 }}" }}');
  });

  it("keeps the expressions of the skeleton's own file behind what was given", () => {
    const document: YamlMap = {
      environmentParameters: { production: { name: "${{ parameters.slug }}-production" } },
      parameters: { slug: "${{ parameters.name | lower }}", name: "Own", owner: "group:default/own" },
      readonly: { __system__: "${{ parameters.system }}" },
    };
    const merged = mergeSections(document, {
      parameters: { name: "Ferries", system: "system:default/travel" },
      values: { title: "${{ 1 }}" },
      environmentParameters: { production: { size: 3 } },
    });
    expect(Object.keys(merged["parameters"] as YamlMap)).toEqual(["name", "system", "slug", "owner"]);
    expect(merged).toEqual({
      parameters: {
        name: "Ferries",
        system: "system:default/travel",
        slug: "${{ parameters.name | lower }}",
        owner: "group:default/own",
      },
      values: { title: '${{ "${{ 1 }}" }}' },
      readonly: { __system__: "${{ parameters.system }}" },
      environmentParameters: { production: { name: "${{ parameters.slug }}-production", size: 3 } },
    });
  });
});
