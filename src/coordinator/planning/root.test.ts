import { expect, test } from "vitest";
import {
  changesOf,
  decide,
  deploy,
  known,
  part,
  rootHash,
  tasksOf,
  template,
  undeploy,
} from "../../../test/properties/planner-fixture.ts";
import type { PlanRequest } from "../../../test/properties/planner-fixture.ts";
import type { KnownStatus, LastKnownState } from "./model.ts";

// A unit with an infrastructureTemplateId of its own is provisioned before its components.

const A = part("A", []);
const B = part("B", ["A"]);
const unit = { components: [A, B], hasRoot: true };

function withRoot(state: LastKnownState, status: KnownStatus, hash = rootHash): LastKnownState {
  return { ...state, root: { componentId: "shop:1", status, hash, infrastructureTemplateId: template } };
}

const deployed = withRoot(known([A, "DEPLOYED"], [B, "DEPLOYED"]), "DEPLOYED");

test("goes first, and needs no target where its components all have the same", () => {
  const request: PlanRequest = { ...unit, targets: deploy("A", "B") };
  expect(changesOf(request)).toEqual([
    "shop:1 DEPLOY/REQUESTED +ROOT_FIRST",
    "A DEPLOY/REQUESTED",
    "B DEPLOY/REQUESTED",
  ]);
  expect(decide(request).operations[0]).toMatchObject({ dependencyOf: ["A", "B"], dependantOn: [] });
  expect(tasksOf(request)).toEqual([
    "provision:shop:1 <-",
    "provision:A <- provision:shop:1",
    "provision:B <- provision:shop:1 provision:A",
  ]);
});

test("goes last when everything goes", () => {
  const request: PlanRequest = { ...unit, last: deployed, targets: undeploy("A", "B") };
  expect(changesOf(request)).toEqual([
    "B UNDEPLOY/REQUESTED",
    "A UNDEPLOY/REQUESTED",
    "shop:1 UNDEPLOY/REQUESTED",
  ]);
  expect(tasksOf(request)).toEqual([
    "unprovision:B <-",
    "unprovision:A <- unprovision:B",
    "unprovision:shop:1 <- unprovision:A",
  ]);
});

test("goes after all the others when the descriptor drops it, and the others stay", () => {
  const request: PlanRequest = { ...unit, hasRoot: false, last: deployed, targets: deploy("A", "B") };
  expect(changesOf({ ...request, preventRedeploy: true })).toEqual([
    "A NONE/UNCHANGED",
    "B NONE/UNCHANGED",
    "shop:1 UNDEPLOY/REMOVED_FROM_DESCRIPTOR",
  ]);
  expect(tasksOf(request)).toEqual([
    "provision:A <-",
    "provision:B <- provision:A",
    "unprovision:shop:1 <- provision:B",
  ]);
});

test("is left alone while nothing needs it to move", () => {
  const last = withRoot(known([A, "DEPLOYED"], [B, "DEPLOYED"]), "DEPLOYED", "another");
  const request: PlanRequest = { ...unit, last, targets: deploy("B"), mode: "unsafe" };
  expect(changesOf(request)[0]).toBe("shop:1 NONE/PRESERVED");
});

test.each(["strict", "autofill", "unsafe"] as const)("is pulled in by what needs it, %s", (mode) => {
  const targets = [...deploy("A"), ...undeploy("B")];
  expect(changesOf({ ...unit, targets, mode })).toEqual([
    "shop:1 DEPLOY/REQUIRED_BY_DEPENDANT +ROOT_FIRST",
    "B NONE/ALREADY_NOT_DEPLOYED",
    "A DEPLOY/REQUESTED",
  ]);
});

test("is repaired by what needs it", () => {
  const last = withRoot(known([A, "DEPLOYED"]), "CORRUPT");
  expect(changesOf({ ...unit, last, targets: deploy("B"), mode: "unsafe" })).toEqual([
    "shop:1 DEPLOY/REQUIRED_BY_DEPENDANT +ROOT_FIRST",
    "A NONE/PRESERVED +DEPENDENCY_REDEPLOYED",
    "B DEPLOY/REQUESTED",
  ]);
});

test("a component that was deployed without it does not need it until it is deployed again", () => {
  const last = known([A, "DEPLOYED"], [B, "DEPLOYED"]);
  expect(changesOf({ ...unit, last, targets: [], mode: "autofill" })).toEqual([
    "shop:1 NONE/PRESERVED",
    "A NONE/PRESERVED",
    "B NONE/PRESERVED",
  ]);
});

test("cannot go under components that stay", () => {
  const request: PlanRequest = {
    ...unit,
    last: deployed,
    targets: [...undeploy("shop:1"), ...deploy("A", "B")],
  };
  const plan = decide(request);
  expect(plan.outcome).toBe("KO");
  expect(plan.conflictingOperations.map(({ componentId }) => componentId)).toEqual(["A", "B", "shop:1"]);
  expect(changesOf({ ...request, targets: undeploy("SHOP:1"), mode: "autofill" })).toEqual([
    "B UNDEPLOY/DEPENDENCY_UNDEPLOYED",
    "A UNDEPLOY/DEPENDENCY_UNDEPLOYED",
    "shop:1 UNDEPLOY/REQUESTED",
  ]);
});

test("counts as changed by its own fields, not by its components", () => {
  const changed = part("A", [], { version: "2" });
  const request: PlanRequest = { ...unit, last: deployed, targets: deploy("A", "B"), preventRedeploy: true };
  expect(changesOf({ ...request, components: [changed, B] })).toEqual([
    "shop:1 NONE/UNCHANGED",
    "A REDEPLOY/DESCRIPTOR_CHANGED",
    "B NONE/UNCHANGED +DEPENDENCY_REDEPLOYED",
  ]);
  expect(changesOf({ ...request, descriptor: { domain: "other" } })[0]).toBe(
    "shop:1 REDEPLOY/DESCRIPTOR_CHANGED",
  );
});
