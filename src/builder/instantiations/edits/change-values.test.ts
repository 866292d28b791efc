import { describe, expect, it } from "vitest";
import type { YamlMap } from "../../catalogue/entities/yaml.ts";
import { applyUpdates, changeSection, readUpdates } from "./change-values.ts";

describe("changeSection", () => {
  const own = {
    name: "Ferries",
    slug: "${{ parameters.name | lower }}",
    gone: 1,
    literal: '${{ "${{ 1 }}" }}',
  };
  const known = { name: "Ferries", slug: "ferries", gone: 1, literal: "${{ 1 }}" };

  it("keeps what stays the same as it is written, and writes the rest as text", () => {
    const given = { ...known, name: "Boats ${{ 2 }}", gone: null, more: ["${{ 3 }}"] };
    expect(changeSection({ own, known, given })).toEqual({
      name: '${{ "Boats ${{ 2 }}" }}',
      slug: "${{ parameters.name | lower }}",
      literal: '${{ "${{ 1 }}" }}',
      more: ["${{ 3 }}"],
    });
    expect(own.gone).toBe(1);
  });

  it("makes a section that was not there", () =>
    expect(changeSection({ own: undefined, known: {}, given: { a: 1, b: null } })).toEqual({ a: 1 }));
});

describe("updates of an adapter", () => {
  it("are paths in dots, in their order, of the entity or of its parameters", () => {
    const { entity, parameters, problems } = readUpdates({
      "spec.mesh.specific.workflow.settings": { a: 1 },
      "spec.mesh.specific.workflow.settings.name": "IGNORED",
      'metadata.annotations["example.com/id"]': "7",
      spec: { mesh: { tags: ["x"], specific: { deep: { er: 1 } } } },
      "witboost.parameters.schemaDefinition.schemaColumns": [],
      "environmentParameters.production.region": "eu",
    });
    expect(problems).toEqual([]);
    const document = { kind: "Component", spec: { mesh: { name: "n", specific: { keep: true } } } };
    expect(applyUpdates(document, entity, { problems })).toEqual({
      kind: "Component",
      metadata: { annotations: { "example.com/id": "7" } },
      spec: {
        mesh: {
          name: "n",
          tags: ["x"],
          specific: { keep: true, deep: { er: 1 }, workflow: { settings: { a: 1, name: "IGNORED" } } },
        },
      },
    });
    expect(document.spec.mesh.specific).toEqual({ keep: true });
    expect(parameters).toEqual([
      { path: ["parameters", "schemaDefinition", "schemaColumns"], value: [] },
      { path: ["environmentParameters", "production", "region"], value: "eu" },
    ]);
  });

  it("change the item of a list that they name, and nothing that is no map or no such item", () => {
    const { entity, problems } = readUpdates({
      "spec.columns.1.type": "text",
      "spec.columns[0].name": "key",
      "spec.columns[0].more.deep": 1,
      "spec.tags.1": "b2",
      "spec.empty.a": 1,
      "spec.columns.2.type": "text",
      "spec.tags.2": "c",
      "spec.tags.01": "x",
      "spec.columns.length": 0,
      "spec.columns.name.x": 1,
      "spec.name.first": "Ada",
    });
    const columns: YamlMap[] = [{ name: "id" }, { name: "text", type: "int" }];
    const spec = { columns, tags: ["a", "b"], empty: null, name: "Ada" };
    expect(applyUpdates({ spec }, entity, { problems })).toEqual({
      spec: {
        columns: [
          { name: "key", more: { deep: 1 } },
          { name: "text", type: "text" },
        ],
        tags: ["a", "b2"],
        empty: { a: 1 },
        name: "Ada",
      },
    });
    expect(problems).toEqual([
      '"spec.columns.2.type" names no item of the list spec.columns.',
      '"spec.tags.2" names no item of the list spec.tags.',
      '"spec.tags.01" names no item of the list spec.tags.',
      '"spec.columns.length" names no item of the list spec.columns.',
      '"spec.columns.name.x" names no item of the list spec.columns.',
      '"spec.name.first" leads into spec.name, which is no map.',
    ]);
    const inSection: string[] = [];
    const update = { path: ["list", "0"], value: 1 };
    applyUpdates({ list: [] }, [update, update], { problems: inSection, section: ["values"] });
    expect(inSection).toEqual(['"values.list.0" names no item of the list values.list.']);
  });

  it.each(["kind", "", "__proto__.a", "spec.constructor.x", "metadata.name", "metadata.namespace"])(
    "%j is refused",
    (key) => {
      const { entity, parameters, problems } = readUpdates({ [key]: "x" });
      expect([entity, parameters, problems.length]).toEqual([[], [], 1]);
    },
  );
});
