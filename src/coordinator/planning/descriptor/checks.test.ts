import { expect, test } from "vitest";
import { checkStructure } from "./checks.ts";
import { readUnit } from "./unit.ts";

function check(components: object[], extra: object = {}) {
  const { unit, problems } = readUnit({ id: "u", ...extra, components });
  expect(problems).toEqual([]);
  return checkStructure(unit!);
}

const listed = (components: object[], extra?: object) =>
  check(components, extra).problems.map(({ where, message }) => `${where} ${message}`);

test("resolves dependencies to components, parts included, without doubles", () => {
  const { problems, graph } = check([
    { id: "A", dependsOn: ["b", "B", "c:part"] },
    {
      id: "B",
      components: [
        { id: "B:p", dependsOn: ["C"] },
        { id: "B:q", dependsOn: ["B:p", "B"] },
      ],
    },
    { id: "C", components: [{ id: "C:part" }] },
  ]);
  expect(problems).toEqual([]);
  expect(graph.dependencies).toEqual([[1, 2], [2], []]);
  expect(graph.indexOf.get("c:part")).toBe(2);
});

test("doubled ids, nested ones and the unit's own included", () => {
  expect(
    listed([{ id: "A" }, { id: "a" }, { id: "B", components: [{ id: "A" }, { id: "b" }] }, { id: "U" }]),
  ).toEqual([
    "/descriptor/components/1/id The id a is used twice, case aside; it is first used at /descriptor/components/0.",
    "/descriptor/components/2/components/0/id The id A is used twice, case aside; it is first used at /descriptor/components/0.",
    "/descriptor/components/2/components/1/id The id b is used twice, case aside; it is first used at /descriptor/components/2.",
    "/descriptor/components/3/id The id U is used twice, case aside; it is first used at /descriptor.",
  ]);
});

test("dependencies that lead outside", () => {
  expect(
    listed([
      { id: "A", dependsOn: ["B", "x", "u"] },
      { id: "B", components: [{ id: "B:p", dependsOn: ["y"] }] },
    ]),
  ).toEqual([
    "/descriptor/components/0/dependsOn/1 A depends on x, which is not a component of this unit.",
    "/descriptor/components/0/dependsOn/2 A depends on u, which is not a component of this unit.",
    "/descriptor/components/1/components/0/dependsOn/0 B:p depends on y, which is not a component of this unit.",
  ]);
});

test("a dependency on the unit itself is fine where the unit is provisioned", () => {
  expect(listed([{ id: "A", dependsOn: ["U"] }], { infrastructureTemplateId: "t" })).toEqual([]);
});

test("cycles, each with its members", () => {
  expect(
    listed([
      { id: "A", dependsOn: ["E", "C"] },
      { id: "B", dependsOn: ["A", "b"] },
      { id: "C", components: [{ id: "C:p", dependsOn: ["B"] }] },
      { id: "D", dependsOn: ["E"] },
      { id: "E", dependsOn: ["F"] },
      { id: "F", dependsOn: ["E"] },
      {
        id: "G",
        components: [
          { id: "G:p", dependsOn: ["G:q"] },
          { id: "G:q", dependsOn: ["G:p"] },
          { id: "G:r", dependsOn: ["G:r", "G:p"] },
        ],
      },
    ]),
  ).toEqual([
    "/descriptor/components/1/dependsOn/1 B depends on itself.",
    "/descriptor/components/6/components/2/dependsOn/0 G:r depends on itself.",
    "/descriptor/components/0/dependsOn/1 The dependencies of A, B, C form a cycle.",
    "/descriptor/components/4/dependsOn/0 The dependencies of E, F form a cycle.",
    "/descriptor/components/6/components/0/dependsOn/0 The dependencies of G:p, G:q form a cycle.",
  ]);
});

test("a chain of ten thousand is fine, a ring names all its members", () => {
  const chain = Array.from({ length: 10_000 }, (_, index) => ({
    id: `c${index}`,
    dependsOn: index === 0 ? [] : [`c${index - 1}`],
  }));
  expect(listed(chain)).toEqual([]);
  chain[0]!.dependsOn.push("c9999");
  const [problem, ...others] = check(chain).problems;
  expect(others).toEqual([]);
  expect(problem!.message.split(",")).toHaveLength(10_000);
});

test("too many dependencies are refused before they are walked", () => {
  const dependsOn = Array.from({ length: 200_001 }, () => "B");
  expect(listed([{ id: "A", dependsOn }, { id: "B" }])).toEqual([
    "/descriptor/components The dependsOn lists have 200001 entries; at most 200000 are allowed.",
  ]);
});

test("every problem says what to do", () => {
  const { problems } = check([
    { id: "A", dependsOn: ["A", "x", "B"] },
    { id: "a" },
    { id: "B", dependsOn: ["A"] },
  ]);
  expect(problems.length).toBe(4);
  for (const { solution } of problems) expect(solution).toMatch(/\.$/);
});
