import { describe, expect, it } from "vitest";
import { evaluateParameters } from "./parameters.ts";
import { parseYaml } from "./yaml.ts";

const evaluate = (text: string, environment = "development") => {
  const parsed = parseYaml(text, { file: "p" });
  return evaluateParameters(parsed.ok ? parsed.value : "broken", {
    environment,
    file: "orders/parameters.yaml",
  });
};

const show = (text: string, expression: string, environment?: string): unknown => {
  const { scope, problems } = evaluate(text, environment);
  expect(problems).toEqual([]);
  const result = scope.evaluate(`\${{ ${expression} }}`);
  return result.ok ? result.value : result.reason;
};

describe("evaluateParameters", () => {
  const text = `
parameters:
  name: Orders
  count: 3
  later: "[\${{ values.slug }}]"
values:
  slug: "\${{ parameters.name | lower }}"
  twice: "\${{ values.slug }}-\${{ values.slug }}"
  same: "\${{ parameters.count }}"
  list: [1, "\${{ parameters.name }}"]
  gone: "\${{ parameters.missing }}"
readonly:
  both: "\${{ values.twice }}/\${{ environment }}"
environmentParameters:
  development: { size: small, label: "\${{ readonly.both }}" }
  production: { size: large }
`;

  it.each([
    ["a plain value", "parameters.name", "Orders"],
    ["an expression over an earlier section", "values.slug", "orders"],
    ["an expression over an earlier key", "values.twice", "orders-orders"],
    ["a later section is not seen", "parameters.later", "[]"],
    ["a single expression keeps its type", "values.same", 3],
    ["only top-level keys are evaluated", "values.list", [1, "${{ parameters.name }}"]],
    ["an expression without a value leaves its key out", "values.gone | default('d')", "d"],
    ["readonly sees values and the environment", "readonly.both", "orders-orders/development"],
    ["env is the section of the environment", "env.size", "small"],
    ["env sees all", "env.label", "orders-orders/development"],
    ["environment is its name", "environment", "development"],
  ])("%s", (_case, expression, expected) => {
    expect(show(text, expression)).toEqual(expected);
  });

  it("takes the section of the target environment", () => {
    expect(show(text, "env.size", "production")).toBe("large");
    expect(show(text, "env | dump", "test")).toBe("{}");
    expect(show(text, "env | dump", "toString")).toBe("{}");
  });

  it.each([
    ["an empty file", ""],
    ["empty sections", "parameters:\nvalues: {}\n"],
  ])("%s is fine", (_case, empty) => {
    expect(show(empty, "parameters | dump")).toBe("{}");
  });

  it("collects every problem with its pointer", () => {
    const { problems } = evaluate(`
parameters: { a: "\${{ x | nope }}", b: "{% if %}" }
values: [1]
environmentParameters: { development: 3 }
`);
    expect(problems.map((problem) => problem.where)).toEqual([
      "orders/parameters.yaml#/parameters/a",
      "orders/parameters.yaml#/parameters/b",
      "orders/parameters.yaml#/values",
      "orders/parameters.yaml#/environmentParameters/development",
    ]);
  });

  it("keeps reserved names out of templates and says so", () => {
    const { scope, problems, warnings } = evaluate("values: { constructor: 1, a: { prototype: 2, b: 3 } }");
    expect(problems).toEqual([]);
    expect(warnings).toEqual([
      "orders/parameters.yaml#/values/constructor has a reserved name, so templates do not see it.",
      "orders/parameters.yaml#/values/a/prototype has a reserved name, so templates do not see it.",
    ]);
    expect(scope.render("${{ values.a.b | default(0) }}")).toEqual({ ok: true, value: "3" });
  });
});
