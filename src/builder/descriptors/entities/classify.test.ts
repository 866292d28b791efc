import { describe, expect, it } from "vitest";
import { classifyEntity } from "./classify.ts";
import type { YamlValue } from "../../catalogue/entities/yaml.ts";

const file = "orders/catalog-info.yaml";

describe("classifyEntity", () => {
  it.each([
    ["System", "a.b.0", "system"],
    ["SYSTEM", "a.b.0", "system"],
    ["component", "a.b.0.c", "component"],
    [" Component ", "a.b.0.c", "component"],
  ])("kind %j named %s is a %s", (kind, name, expected) => {
    const classified = classifyEntity({ kind, metadata: { name } }, file);
    expect(classified).toMatchObject({
      kind: expected,
      problems: [],
      entity: { entityName: name, spec: {}, mesh: {} },
    });
  });

  it.each<[string, YamlValue, string[]]>([
    ["no document", null, [file]],
    ["a list", [1], [file]],
    ["no kind", { metadata: { name: "a.b.0" } }, [`${file}#/kind`]],
    ["another kind", { kind: "API", metadata: { name: "a.b.0" } }, [`${file}#/kind`]],
    ["no name", { kind: "System" }, [`${file}#/metadata/name`]],
    ["a name that is a number", { kind: "System", metadata: { name: 1 } }, [`${file}#/metadata/name`]],
    [
      "a system named like a component",
      { kind: "System", metadata: { name: "a.b.0.c" } },
      [`${file}#/metadata/name`],
    ],
    [
      "a component named like a system",
      { kind: "Component", metadata: { name: "a.b.0" } },
      [`${file}#/metadata/name`],
    ],
    [
      "all at once",
      { kind: "System", metadata: "x", spec: { mesh: [] } },
      [`${file}#/metadata`, `${file}#/spec/mesh`, `${file}#/metadata/name`],
    ],
  ])("%s is a problem", (_case, document, where) => {
    const classified = classifyEntity(document, file);
    expect(classified.entity).toBeNull();
    expect(classified.problems.map((problem) => problem.where)).toEqual(where);
  });

  it("knows the kind of a broken system", () => {
    expect(classifyEntity({ kind: "System", metadata: { name: "x" } }, file).kind).toBe("system");
  });
});
