import { expect, test } from "vitest";
import { presentStage, stagesOf } from "./stages.ts";
import { nodeOf } from "./testdata.ts";

const nodes = [
  nodeOf("policy:a", { status: "COMPLETED" }),
  nodeOf("p:stage-policies", { kind: "stage", dependsOn: ["policy:a"] }),
  nodeOf("validate:a", { status: "COMPLETED", dependsOn: ["p:stage-policies"] }),
  nodeOf("validate:b", { status: "FAILED", dependsOn: ["p:stage-policies"] }),
  nodeOf("p:stage-0", { kind: "stage", dependsOn: ["validate:a", "validate:b"] }),
  nodeOf("a", { dependsOn: ["p:stage-0"] }),
  nodeOf("b", { dependsOn: ["a"] }),
  nodeOf("p", { kind: "plan", dependsOn: ["b"] }),
];

test("tasks stand in the stage that begins them", () => {
  const stages = stagesOf("p", nodes).map(({ key, tasks }) => [key, tasks.map(({ id }) => id)]);
  expect(stages).toEqual([
    ["policies", ["policy:a"]],
    ["validation", ["validate:a", "validate:b"]],
    ["components", ["a", "b"]],
  ]);
});

test("a plan without policies has two stages, one without validation a single one", () => {
  const keys = (list: typeof nodes): string[] => stagesOf("p", list).map(({ key }) => key);
  const withoutPolicies = nodes
    .slice(2)
    .map((node) => ({ ...node, dependsOn: node.dependsOn.filter((id) => id !== "p:stage-policies") }));
  expect(keys(withoutPolicies)).toEqual(["validation", "components"]);
  expect(keys([nodeOf("a"), nodeOf("b", { dependsOn: ["a"] })])).toEqual(["components"]);
});

test("the stage where something happens is the present one", () => {
  expect(presentStage(stagesOf("p", nodes))?.key).toBe("validation");
  const done = nodes.map((node) => ({ ...node, status: "COMPLETED" as const }));
  expect(presentStage(stagesOf("p", done))?.key).toBe("components");
  expect(presentStage([])).toBeUndefined();
});
