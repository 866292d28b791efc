import { describe, expect, it } from "vitest";
import { describeEntity } from "./describe-entity.ts";
import type { EntityFileName } from "./entity-files.ts";

const context = {
  environment: "production",
  namespace: "dmb",
  taxonomy: { systemTypes: {}, componentTypes: {} },
};

const describeFiles = (files: Partial<Record<EntityFileName, string>>) => {
  const bytes = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]));
  return describeEntity({ directory: "view", files: bytes }, context, () => {});
};

const plain = `kind: Component
metadata: { name: fleet.positions.0.view }
spec: { type: outputport, system: "system:default/fleet.positions.0", mesh: { specific: { a: 1, list: [1, 2] } } }
`;
const skeleton = `%SKELETON
kind: Component
metadata:
  name: fleet.positions.0.\${{ parameters.name }}
spec:
  type: outputport
  mesh:
    {% if env.large %}
    size: large
    {% endif %}
    text: "\${{ values.missing }}"
`;

describe("describeEntity", () => {
  it("renders a skeleton with its parameters", () => {
    const parameters = "parameters: { name: view }\nenvironmentParameters: { production: { large: true } }\n";
    const outcome = describeFiles({ "catalog-info.yaml": skeleton, "parameters.yaml": parameters });
    expect(outcome).toMatchObject({
      kind: "component",
      problems: [],
      systemName: "fleet.positions.0",
      descriptor: { id: "urn:dmb:cmp:fleet:positions:0:view", size: "large", text: "" },
    });
  });

  it("leaves expressions in a file that is no skeleton alone", () => {
    const text = plain.replace("a: 1", 'a: "${{ x | nope }}"');
    expect(describeFiles({ "catalog-info.yaml": text }).descriptor).toMatchObject({
      specific: { a: "${{ x | nope }}" },
    });
  });

  it("merges the configuration, which is always a template", () => {
    const outcome = describeFiles({
      "catalog-info.yaml": plain,
      "parameters.yaml": "values: { b: 2 }",
      "configurations.yaml": "%SKELETON\r\nspecific:\r\n  b: ${{ values.b }}\r\n  list: [9]\r\n",
    });
    expect(outcome.problems).toEqual([]);
    expect(outcome.descriptor).toMatchObject({ specific: { a: 1, b: 2, list: [9] } });
  });

  it.each([
    ["", "empty"],
    ["# nothing\n", "a comment"],
    ["\uFEFF", "a BOM"],
    ["null", "null"],
  ])("takes a configuration of %j (%s)", (text) => {
    expect(describeFiles({ "catalog-info.yaml": plain, "configurations.yaml": text })).toMatchObject({
      problems: [],
      descriptor: { specific: { a: 1 } },
    });
  });

  it("says which system a component states and what nested components it has", () => {
    const text = plain.replace(
      "type: outputport",
      "type: outputport, components: [{ name: eu, dependsOn: [storage] }]",
    );
    expect(describeFiles({ "catalog-info.yaml": text })).toMatchObject({
      statedSystem: "fleet.positions.0",
      components: [
        { id: "urn:dmb:cmp:fleet:positions:0:view", path: "" },
        {
          id: "urn:dmb:cmp:fleet:positions:0:view:eu",
          path: "/components/0",
          dependsOn: ["urn:dmb:cmp:fleet:positions:0:storage"],
        },
      ],
    });
  });

  it.each<[string, Partial<Record<EntityFileName, string>>, string[]]>([
    ["YAML in the entity", { "catalog-info.yaml": "a: 1\nb: [" }, ["view/catalog-info.yaml:2:5"]],
    [
      "YAML in a rendered skeleton",
      { "catalog-info.yaml": "%SKELETON\nkind: ${{ 1 }}\nkind: 2" },
      ["view/catalog-info.yaml:3:1"],
    ],
    [
      "a template",
      { "catalog-info.yaml": "%SKELETON\na: 1\nb: ${{ x | nope }}" },
      ["view/catalog-info.yaml:3:12"],
    ],
    [
      "entity and configuration at once",
      { "catalog-info.yaml": "a: [", "configurations.yaml": "b: [" },
      ["view/catalog-info.yaml:1:5", "view/environments/production/configurations.yaml:1:5"],
    ],
    [
      "a configuration that is a list",
      { "catalog-info.yaml": plain, "configurations.yaml": "[1]" },
      ["view/environments/production/configurations.yaml"],
    ],
    ["parameters", { "catalog-info.yaml": plain, "parameters.yaml": "a: [" }, ["view/parameters.yaml:1:5"]],
    [
      "an undefined part of the name",
      {
        "catalog-info.yaml":
          "%SKELETON\nkind: Component\nmetadata: { name: a.${{ x | default('undefined') }}.0.c }\nspec: { type: t }",
      },
      ["view/catalog-info.yaml#/metadata/name", "view/catalog-info.yaml#/id"],
    ],
    [
      "a part of the name that rendered empty",
      {
        "catalog-info.yaml":
          "%SKELETON\nkind: Component\nmetadata: { name: a.${{ x }}.0.c }\nspec: { type: t }",
      },
      ["view/catalog-info.yaml#/metadata/name"],
    ],
    [
      "a configuration that moves the system",
      {
        "catalog-info.yaml": "kind: System\nmetadata: { name: a.b.0 }",
        "configurations.yaml": "environment: test\nprojectKind: component",
      },
      [
        "view/environments/production/configurations.yaml#/environment",
        "view/environments/production/configurations.yaml#/projectKind",
      ],
    ],
  ])("names the place of a problem in %s", (_case, files, where) => {
    const outcome = describeFiles(files);
    expect(outcome.descriptor).toBeNull();
    expect(outcome.problems.map((problem) => problem.where)).toEqual(where);
  });

  it("warns of a system without an owner and of components inside it", () => {
    const text = "kind: System\nmetadata: { name: a.b.0 }\nspec: { mesh: { components: [{ id: x }] } }";
    const outcome = describeFiles({ "catalog-info.yaml": text });
    expect(outcome.descriptor).not.toHaveProperty("components");
    expect(outcome.warnings).toEqual([
      "view/catalog-info.yaml names no owner.",
      "view/catalog-info.yaml#/spec/mesh/components is ignored: each component has its own directory.",
    ]);
  });
});
