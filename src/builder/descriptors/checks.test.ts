import { describe, expect, it } from "vitest";
import { resolveUnit, type EntitySummary } from "./checks.ts";

const base: Omit<EntitySummary, "directory" | "kind"> = {
  problems: [],
  warnings: [],
  systemName: "a.b.0",
  statedSystem: null,
  components: [],
};
const system = (directory: string, more: Partial<EntitySummary> = {}): EntitySummary => ({
  ...base,
  directory,
  kind: "system",
  ...more,
});
const component = (
  directory: string,
  dependsOn: string[] = [],
  more: Partial<EntitySummary> = {},
): EntitySummary => ({
  ...base,
  directory,
  kind: "component",
  components: [
    {
      id: `urn:${directory}`,
      name: directory,
      dependsOn: dependsOn.map((other) => `urn:${other}`),
      path: "",
    },
  ],
  ...more,
});
const broken = (directory: string): EntitySummary => ({
  ...base,
  directory,
  kind: null,
  systemName: "",
  problems: [{ where: directory, message: "broken" }],
});

describe("resolveUnit", () => {
  it("orders the components of the one system", () => {
    const unit = resolveUnit([component("a", ["z"]), component("m"), system("s"), component("z")]);
    expect(unit).toEqual({
      system: "s",
      components: ["m", "z", "a"],
      problems: [],
      problemCount: 0,
      warnings: [],
    });
  });

  it("uses the first of several systems, ignores what is wrong with the others and warns", () => {
    const other = system("t", {
      systemName: "x.y.0",
      problems: [{ where: "t", message: "x" }],
      warnings: ["w"],
    });
    const unit = resolveUnit([component("c"), system("s"), other, system("u")]);
    expect(unit.problems).toEqual([]);
    expect(unit.system).toBe("s");
    expect(unit.warnings).toEqual(["The archive holds 3 systems; s is used, ignored: t, u."]);
  });

  it("ignores the components of the systems that it ignores", () => {
    const ofOther: Partial<EntitySummary> = { systemName: "x.y.0", statedSystem: "x.y.0" };
    const unit = resolveUnit([
      component("c"),
      component("d", ["nowhere"], { ...ofOther, problems: [{ where: "d", message: "broken" }] }),
      component("e", [], { ...ofOther, components: component("c").components }),
      system("s"),
      system("t", { systemName: "x.y.0" }),
    ]);
    expect(unit).toMatchObject({ system: "s", components: ["c"], problems: [] });
    expect(unit.warnings).toEqual([
      "The archive holds 2 systems; s is used, ignored: t, with their components d, e.",
    ]);
  });

  it("waits for what nested components need", () => {
    const outer = component("a");
    outer.components.push({
      id: "urn:a:x",
      name: "x",
      dependsOn: ["urn:z", "urn:a", "urn:a:y"],
      path: "/components/0",
    });
    outer.components.push({ id: "urn:a:y", name: "y", dependsOn: [], path: "/components/1" });
    const unit = resolveUnit([outer, system("s"), component("z")]);
    expect(unit).toMatchObject({ problems: [], components: ["z", "a"] });
  });

  it.each<[string, EntitySummary[], [string, RegExp][]]>([
    ["no system", [component("c")], [["/archive", /No directory of the archive holds a System/]]],
    ["no system is not said while an entity is unknown", [broken("x"), component("c")], [["x", /broken/]]],
    [
      "a component of another system by name",
      [component("c", [], { systemName: "a.other.0" }), system("s")],
      [
        [
          "c/catalog-info.yaml#/metadata/name",
          /belongs to the system a.other.0, the archive's system is a.b.0/,
        ],
      ],
    ],
    [
      "a component of another system by spec.system",
      [component("c", [], { statedSystem: "x.y.1" }), system("s")],
      [["c/catalog-info.yaml#/spec/system", /belongs to the system x.y.1/]],
    ],
    [
      "a dependency that is no sibling",
      [component("c", ["gone"]), system("s")],
      [["c/catalog-info.yaml#/dependsOn", /urn:gone, which is not a component of this system/]],
    ],
    [
      "strangers are not judged while an entity is unknown",
      [component("c", ["gone"]), system("s"), broken("x")],
      [["x", /broken/]],
    ],
    [
      "the same id twice, apart from case",
      [
        component("c"),
        { ...component("d"), components: [{ id: "URN:C", name: "d", dependsOn: [], path: "" }] },
        system("s"),
      ],
      [["d/catalog-info.yaml#", /already taken by c\/catalog-info.yaml/]],
    ],
    [
      "a circle",
      [component("a", ["b"]), component("b", ["a"]), system("s")],
      [["/archive", /circle: urn:a, urn:b|circle: urn:b, urn:a/]],
    ],
    [
      "everything at once",
      [
        component("a", ["a", "gone"], { statedSystem: "x.y.1" }),
        broken("q"),
        component("z", [], { problems: [{ where: "z", message: "own" }] }),
      ],
      [
        ["q", /broken/],
        ["z", /own/],
        ["/archive", /circle/],
      ],
    ],
  ])("%s", (_case, entities, expected) => {
    const { problems } = resolveUnit(entities);
    expect(problems.map((problem) => problem.where)).toEqual(expected.map(([where]) => where));
    expected.forEach(([, message], index) => expect(problems[index]?.message).toMatch(message));
  });
});
