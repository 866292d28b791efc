import { describe, expect, it } from "vitest";
import type { Entity } from "./classify.ts";
import { describeComponent, finishComponent } from "./component-descriptor.ts";
import type { YamlMap } from "../../catalogue/entities/yaml.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

const context = {
  environment: "production",
  namespace: "dmb",
  taxonomy: {
    systemTypes: {},
    componentTypes: {
      shard: { consumable: true, shoppable: false },
    },
  },
};
const file = "view/catalog-info.yaml";

const component = (spec: YamlMap, metadata: YamlMap = {}): Entity => ({
  kind: "component",
  entityName: "fleet.positions.0.view",
  name: { domain: "fleet", system: "positions", major: "0", component: "view" },
  metadata: { name: "fleet.positions.0.view", ...metadata },
  spec,
  mesh: isRecord(spec["mesh"]) ? spec["mesh"] : {},
});

const finish = (descriptor: YamlMap) => finishComponent(descriptor, { entity: component({}), context, file });

describe("describeComponent", () => {
  it("has the named fields first, then the other mesh keys", () => {
    const entity = component(
      {
        type: "outputport",
        mesh: {
          technology: "PostgreSQL",
          specific: { view: "positions" },
          dependsOn: ["storage"],
          version: "1.2.3",
          name: "Positions",
          fullyQualifiedName: "Positions of the fleet",
          infrastructureTemplateId: "urn:dmb:itm:postgres-outputport:1",
          useCaseTemplateId: "urn:dmb:utm:postgres-outputport-template:0.0.0",
          consumable: true,
          shoppable: false,
        },
      },
      { description: "A view" },
    );
    const described = describeComponent(entity, context);
    expect(described).toEqual({
      kind: "outputport",
      id: "urn:dmb:cmp:fleet:positions:0:view",
      description: "A view",
      name: "Positions",
      fullyQualifiedName: "Positions of the fleet",
      version: "1.2.3",
      infrastructureTemplateId: "urn:dmb:itm:postgres-outputport:1",
      useCaseTemplateId: "urn:dmb:utm:postgres-outputport-template:0.0.0",
      dependsOn: ["storage"],
      technology: "PostgreSQL",
      specific: { view: "positions" },
      consumable: true,
      shoppable: false,
    });
    expect(Object.keys(described).slice(0, 3)).toEqual(["kind", "id", "description"]);
    expect(Object.keys(described).slice(-4)).toEqual(["technology", "specific", "consumable", "shoppable"]);
  });

  it("makes do with a type alone", () => {
    expect(describeComponent(component({ type: "storage" }), context)).toEqual({
      kind: "storage",
      id: "urn:dmb:cmp:fleet:positions:0:view",
      name: "view",
      version: "0.0.0",
      dependsOn: [],
      specific: {},
    });
  });

  it("takes dependsOn of spec when mesh has none, and the kind of mesh before the type", () => {
    const spec = {
      type: "a",
      dependsOn: ["component:default/fleet.positions.0.storage"],
      mesh: { kind: "b" },
    };
    expect(describeComponent(component(spec), context)).toMatchObject({
      kind: "b",
      dependsOn: ["component:default/fleet.positions.0.storage"],
    });
  });
});

describe("what the component type says", () => {
  it.each<[string, YamlMap, YamlMap]>([
    ["by its type", { type: "shard" }, { kind: "shard", consumable: true, shoppable: false }],
    [
      "by what it is an instance of",
      { instanceOf: "componenttype:default/shard", type: "part" },
      { kind: "part", consumable: true },
    ],
    ["by the kind of mesh alone", { mesh: { kind: "Shard" } }, { kind: "Shard", consumable: true }],
    [
      "not where the component says it",
      { type: "shard", mesh: { consumable: false, shoppable: true } },
      { consumable: false, shoppable: true },
    ],
  ])("%s", (_case, spec, expected) => {
    expect(describeComponent(component(spec), context)).toMatchObject(expected);
  });

  it("is said of nested components too", () => {
    const { descriptor } = finish({
      id: "x",
      kind: "shard",
      components: [{ name: "same" }, { name: "other", kind: "table" }, { name: "own", consumable: false }],
    });
    expect(descriptor["components"]).toMatchObject([
      { name: "same", consumable: true, shoppable: false },
      { name: "other" },
      { name: "own", consumable: false, shoppable: false },
    ]);
    expect(descriptor["components"]).not.toMatchObject([{}, { consumable: expect.anything() }, {}]);
  });
});

describe("finishComponent", () => {
  it("takes one dependency for a list of one", () => {
    const { descriptor, problems } = finish({ id: "x", dependsOn: "storage" });
    expect(problems).toEqual([]);
    expect(descriptor["dependsOn"]).toEqual(["urn:dmb:cmp:fleet:positions:0:storage"]);
  });

  it("writes dependencies as ids, each once", () => {
    const { descriptor, problems } = finish({
      id: "x",
      dependsOn: ["storage", "component:default/fleet.positions.0.storage", "urn:dmb:cmp:a:b:0:c"],
    });
    expect(problems).toEqual([]);
    expect(descriptor["dependsOn"]).toEqual(["urn:dmb:cmp:fleet:positions:0:storage", "urn:dmb:cmp:a:b:0:c"]);
  });

  it("nests subcomponents with ids below their parent's", () => {
    const { descriptor, problems } = finish({
      id: "urn:p",
      kind: "outputport",
      version: "1.0.0",
      components: [
        { name: "eu", specific: { region: "eu" }, components: [{ name: "de", type: "slice", id: "own" }] },
      ],
    });
    expect(problems).toEqual([]);
    expect(descriptor["components"]).toEqual([
      {
        kind: "outputport",
        id: "urn:p:eu",
        name: "eu",
        version: "1.0.0",
        dependsOn: [],
        specific: { region: "eu" },
        components: [
          {
            kind: "slice",
            type: "slice",
            id: "own",
            name: "de",
            version: "1.0.0",
            dependsOn: [],
            specific: {},
          },
        ],
      },
    ]);
  });

  it.each<[string, YamlMap, string]>([
    ["dependsOn that is no list", { dependsOn: { id: "storage" } }, `${file}#/dependsOn`],
    ["a dependency that is no text", { dependsOn: ["storage", 1] }, `${file}#/dependsOn/1`],
    [
      "too many dependencies",
      { dependsOn: Array.from({ length: 1_001 }, (_, at) => `c${at}`) },
      `${file}#/dependsOn`,
    ],
    ["components that are no list", { components: {} }, `${file}#/components`],
    ["a nested component without a name", { components: [{ kind: "x" }] }, `${file}#/components/0`],
    ["a nested component that is a text", { components: ["x"] }, `${file}#/components/0`],
  ])("%s is a problem", (_case, descriptor, where) => {
    expect(finish({ id: "x", ...descriptor }).problems.map((problem) => problem.where)).toEqual([where]);
  });
});
