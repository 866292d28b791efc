import { expect, test } from "vitest";
import {
  deploy,
  known,
  part,
  planOf,
  problemsIn,
  template,
} from "../../../test/properties/planner-fixture.ts";
import { readUnit } from "./descriptor/unit.ts";
import { checkUnit } from "./plan.ts";

const components = [part("A", [])];
const targets = deploy("A");

test("nothing to say about a good request; ids compare without case", () => {
  expect(problemsIn({ components, targets, configured: { pathUnitId: "SHOP:1" } })).toEqual([]);
});

test("path and descriptor name different units", () => {
  expect(problemsIn({ components, targets, configured: { pathUnitId: "shop:2" } })).toEqual([
    "/descriptor/id The descriptor is of shop:1, the path names shop:2.",
  ]);
});

test("the id has not the configured form", () => {
  const configured = { unitIdPattern: /^urn:/g };
  expect(problemsIn({ components, targets, configured })).toEqual([
    "/descriptor/id The id shop:1 does not have the configured form ^urn:.",
  ]);
  expect(problemsIn({ components, targets, configured: { unitIdPattern: /^shop:\d$/ } })).toEqual([]);
});

test("the environment is not configured", () => {
  expect(problemsIn({ components, targets, configured: { environment: "moon" } })).toEqual([
    "environment The environment moon is not configured.",
  ]);
});

test("the environment is not the descriptor's", () => {
  expect(problemsIn({ components, targets, descriptor: { environment: "production" } })).toEqual([
    "/descriptor/environment The descriptor is for the environment production, the request for development.",
  ]);
});

test("an operation without an environment takes the descriptor's", () => {
  const configured = { environment: undefined };
  expect(problemsIn({ components, targets, configured, descriptor: { environment: "production" } })).toEqual(
    [],
  );
  expect(problemsIn({ components, targets, configured, descriptor: { environment: "moon" } })).toEqual([
    "/descriptor/environment The environment moon is not configured.",
  ]);
  expect(problemsIn({ components, targets, configured })).toEqual([
    "/descriptor/environment The environment is missing.",
  ]);
});

test("no enabled adapter: components, left alone or not, removed ones, the root; compared with case", () => {
  const gone = { componentId: "gone", status: "DEPLOYED", infrastructureTemplateId: "urn:old" } as const;
  const moved = { componentId: "C", status: "DEPLOYED", infrastructureTemplateId: "urn:older" } as const;
  expect(
    problemsIn({
      components: [
        part("A", [], { infrastructureTemplateId: template.toUpperCase() }),
        part("B", [], { infrastructureTemplateId: undefined }),
        part("C", []),
      ],
      last: { components: [gone, moved] },
      descriptor: { infrastructureTemplateId: "urn:root" },
      targets: [],
      mode: "unsafe",
    }),
  ).toEqual([
    "/descriptor/infrastructureTemplateId shop:1 needs the tech adapter urn:root, which has no enabled deployment in development.",
    "/descriptor/components/0/infrastructureTemplateId A needs the tech adapter URN:DMB:ITM:MOCK:1, which has no enabled deployment in development.",
    "/descriptor/components/1/infrastructureTemplateId B has no infrastructureTemplateId, so no tech adapter can provision it.",
    "/descriptor/components/2/infrastructureTemplateId C needs the tech adapter urn:older, which has no enabled deployment in development.",
    "/descriptor/components gone, which is to be removed, needs the tech adapter urn:old, which has no enabled deployment in development.",
  ]);
});

test("a component that is gone and not deployed needs no adapter", () => {
  const gone = { componentId: "gone", status: "NOT_DEPLOYED", infrastructureTemplateId: "urn:old" } as const;
  expect(problemsIn({ components, targets, last: { components: [gone] } })).toEqual([]);
});

test("asks for each template once", () => {
  const asked: string[] = [];
  const hasAdapter = (id: string) => asked.push(id) > 0;
  const many = Array.from({ length: 50 }, (_, index) => part(`c${index}`, []));
  planOf({ components: many, targets: [], mode: "unsafe", configured: { hasAdapter } });
  expect(asked).toEqual([template]);
});

test("all problems of a request are reported at once", () => {
  expect(
    problemsIn({
      components: [part("A", ["B", "x"]), part("B", ["A"]), part("b", []), part("C", [], { name: [] })],
      last: known([part("gone", []), "DEPLOYED"]),
      descriptor: { environment: "production" },
      targets: [
        ...deploy("A", "a", "y", "gone"),
        { componentId: "B", targetStatus: "DEPLOYED", action: "UNDEPLOY" },
      ],
      configured: { pathUnitId: "other" },
    }),
  ).toEqual([
    "/descriptor/components/3/name name is not text.",
    "/descriptor/components/2/id The id b is used twice, case aside; it is first used at /descriptor/components/1.",
    "/descriptor/components/0/dependsOn/1 A depends on x, which is not a component of this unit.",
    "/descriptor/components/0/dependsOn/0 The dependencies of A, B form a cycle.",
    "/descriptor/id The descriptor is of shop:1, the path names other.",
    "/descriptor/environment The descriptor is for the environment production, the request for development.",
    "/targetStatus/1/componentId a has more than one target status.",
    "/targetStatus/2/componentId y is neither a component of the descriptor nor deployed.",
    "/targetStatus/3/targetStatus gone is not in the descriptor, so it can only be undeployed.",
    "/targetStatus/4/action The action UNDEPLOY of B does not lead to its targetStatus DEPLOYED.",
    "/targetStatus These components have no target status: b, C.",
  ]);
});

test("every problem says what to do", () => {
  const { problems } = planOf({
    components: [part("A", [], { infrastructureTemplateId: "other" })],
    targets: deploy("x"),
    configured: { environment: "moon", pathUnitId: "other", unitIdPattern: /^urn/ },
  });
  expect(problems!.length).toBe(5);
  for (const { solution } of problems!) expect(solution).toMatch(/\.$/);
});

test("a thousand problems are reported, and that there are more", () => {
  const problems = problemsIn({
    components,
    targets: deploy("A", ...Array.from({ length: 1_200 }, () => "x")),
  });
  expect(problems).toHaveLength(1_001);
  expect(problems.at(-1)).toBe(" There are further problems, which are not listed.");
});

test("a unit is checked without a plan", () => {
  const { unit } = readUnit({ id: "u", environment: "moon", components: [part("A", ["A"])] });
  const configured = { environments: ["development"], hasAdapter: () => false };
  expect(checkUnit(unit!, configured).map(({ where }) => where)).toEqual([
    "/descriptor/components/0/dependsOn/0",
    "/descriptor/environment",
  ]);
  expect(checkUnit(unit!, { ...configured, environments: ["moon"] }).map(({ where }) => where)).toEqual([
    "/descriptor/components/0/dependsOn/0",
    "/descriptor/components/0/infrastructureTemplateId",
  ]);
});
