import { expect, test } from "vitest";
import {
  changesOf,
  decide,
  deploy,
  known,
  part,
  tasksOf,
  undeploy,
} from "../../../test/properties/planner-fixture.ts";
import type { PlanRequest } from "../../../test/properties/planner-fixture.ts";
import type { RequestedTarget } from "./model.ts";
import { buildTaskGraph, exactJoinSteps } from "./task-graph.ts";

test("validates all that is deployed in a stage of its own, and nothing that goes or stays", () => {
  const [A, B, C] = [part("A", []), part("B", []), part("C", ["A"])];
  const last = known([B, "DEPLOYED"], [part("D", []), "DEPLOYED"], [C, "DEPLOYED"]);
  const request = {
    components: [A, B, C],
    last,
    targets: [...deploy("A", "C"), ...undeploy("B")],
    removeData: true,
  };
  expect(buildTaskGraph(decide(request)).tasks).toEqual([
    task("validate:A", "VALIDATE_COMPONENT", []),
    task("validate:C", "VALIDATE_COMPONENT", []),
    task("provision:A", "PROVISION", []),
    task("provision:C", "PROVISION", ["provision:A"]),
    task("unprovision:B", "UNPROVISION", []),
    task("unprovision:D", "UNPROVISION", []),
  ]);
});

function task(key: string, action: string, dependsOn: string[]): object {
  return {
    key,
    action,
    stage: action === "VALIDATE_COMPONENT" ? "validate" : "execute",
    componentId: key.split(":")[1],
    isRoot: false,
    infrastructureTemplateId: "urn:dmb:itm:mock:1",
    removeData: action === "UNPROVISION",
    dependsOn,
  };
}

test("an undeployment is the deployed snapshot's adapter's", () => {
  const A = part("A", []);
  const last = {
    components: [{ componentId: "A", status: "DEPLOYED", infrastructureTemplateId: "old" } as const],
  };
  const configured = { hasAdapter: () => true };
  const { tasks } = buildTaskGraph(decide({ components: [A], last, targets: undeploy("A"), configured }));
  expect(tasks.map(({ infrastructureTemplateId }) => infrastructureTemplateId)).toEqual(["old"]);
});

test("waits through what is left alone", () => {
  const [A, B, C, D] = [part("A", []), part("B", ["A"]), part("C", ["B"]), part("D", ["C", "B"])];
  const last = known([A, "CORRUPT"], [B, "DEPLOYED"], [C, "DEPLOYED"], [D, "CORRUPT"]);
  const request: PlanRequest = { components: [A, B, C, D], last, targets: deploy("A", "D"), mode: "unsafe" };
  expect(tasksOf(request)).toEqual(["provision:A <-", "provision:D <- provision:A"]);
});

test("goes after what stood on it, also through what is left alone", () => {
  const [A, B, C] = [part("A", []), part("B", ["A"]), part("C", ["B"])];
  const last = known([A, "DEPLOYED"], [B, "CORRUPT"], [C, "DEPLOYED"]);
  const targets = [
    ...undeploy("A", "C"),
    { componentId: "B", targetStatus: "DEPLOYED", action: "NONE" } as const,
  ];
  expect(tasksOf({ components: [A, B, C], last, targets })).toEqual([
    "unprovision:C <-",
    "unprovision:A <- unprovision:C",
  ]);
});

// B was deployed onto C. Then the descriptor turned: C needs A, A needs B, and B, which needs nobody now, is
// left alone. What is wanted has no order that keeps to all three; the older word of B gives way.
const [A, B, C] = [part("A", ["B"]), part("B", []), part("C", ["A"])];
const oldB = part("B", ["C"]);
const turned: PlanRequest = {
  components: [A, B, C],
  last: known([part("C", []), "DEPLOYED"], [oldB, "DEPLOYED"]),
  targets: deploy("A", "C"),
  mode: "unsafe",
};

test("a circle of the descriptor and an older snapshot follows the descriptor", () => {
  expect(changesOf(turned)).toEqual([
    "B NONE/PRESERVED +DEPENDENCY_REDEPLOYED",
    "A DEPLOY/REQUESTED",
    "C REDEPLOY/DESCRIPTOR_CHANGED",
  ]);
  expect(tasksOf(turned)).toEqual(["provision:A <-", "provision:C <- provision:A"]);
});

test("a circle of snapshots goes in reverse order of deployment", () => {
  // What the plan above leaves: B is the oldest, C the youngest.
  const last = known([oldB, "DEPLOYED"], [A, "DEPLOYED"], [C, "DEPLOYED"]);
  expect(tasksOf({ ...turned, last, mode: "strict", targets: undeploy("A", "B", "C") })).toEqual([
    "unprovision:C <-",
    "unprovision:A <- unprovision:C",
    "unprovision:B <- unprovision:A",
  ]);
});

/** `count` below one component that is left alone, and as many above it. */
function hourglass(count: number): PlanRequest {
  const below = Array.from({ length: count }, (_, index) => part(`b${index}`, []));
  const neck = part(
    "neck",
    below.map(({ id }) => id),
  );
  const above = Array.from({ length: count }, (_, index) => part(`a${index}`, ["neck"]));
  const components = [...below, neck, ...above];
  const last = known(
    ...components.map((component) => [component, "DEPLOYED"] as [typeof component, "DEPLOYED"]),
  );
  const targets: RequestedTarget[] = [...deploy(...below.map(({ id }) => id), ...above.map(({ id }) => id))];
  return { components, last, targets, mode: "unsafe" };
}

test("few tasks wait through a component exactly", () => {
  const { tasks } = buildTaskGraph(decide(hourglass(3)));
  const below = ["provision:b0", "provision:b1", "provision:b2"];
  expect(tasks.filter(({ key }) => key.startsWith("provision:a")).map(({ dependsOn }) => dependsOn)).toEqual([
    below,
    below,
    below,
  ]);
});

test("many tasks wait through a component by their first, so that edges stay few", () => {
  const count = 3_000;
  expect(count).toBeGreaterThan(exactJoinSteps);
  const { tasks } = buildTaskGraph(decide(hourglass(count)));
  const above = tasks.filter(({ key }) => key.startsWith("provision:a"));
  expect(above[0]!.dependsOn).toHaveLength(count);
  for (const { dependsOn } of above.slice(1)) expect(dependsOn).toEqual(["provision:a0"]);
  expect(tasks.reduce((sum, { dependsOn }) => sum + dependsOn.length, 0)).toBe(2 * count - 1);
});

test("plans and tasks of ten thousand components in a chain", () => {
  const components = Array.from({ length: 10_000 }, (_, index) =>
    part(`c${index}`, index === 0 ? [] : [`c${index - 1}`]),
  );
  const ids = components.map(({ id }) => id);
  const { tasks } = buildTaskGraph(decide({ components, targets: deploy(ids.at(-1)!), mode: "autofill" }));
  expect(tasks).toHaveLength(20_000);
  const last = known(
    ...components.map((component) => [component, "DEPLOYED"] as [typeof component, "DEPLOYED"]),
  );
  const down = buildTaskGraph(decide({ components, last, targets: undeploy("c0"), mode: "autofill" }));
  expect(down.tasks.at(-1)).toMatchObject({ key: "unprovision:c0", dependsOn: ["unprovision:c1"] });
});
