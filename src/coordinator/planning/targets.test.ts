import { expect, test } from "vitest";
import {
  changesOf,
  decide,
  deploy,
  known,
  part,
  problemsIn,
  undeploy,
} from "../../../test/properties/planner-fixture.ts";
import type { KnownStatus, RequestedTarget } from "./model.ts";

const A = part("A", []);
const B = part("B", ["A"]);
const components = [A, B];

const one = (targetStatus: RequestedTarget["targetStatus"], action?: RequestedTarget["action"]) => [
  { componentId: "A", targetStatus, action },
];

test("unknown and repeated ids, case aside", () => {
  expect(problemsIn({ components, targets: deploy("A", "a", "B", "x", "x") })).toEqual([
    "/targetStatus/1/componentId a has more than one target status.",
    "/targetStatus/3/componentId x is neither a component of the descriptor nor deployed.",
    "/targetStatus/4/componentId x is neither a component of the descriptor nor deployed.",
  ]);
});

test.each<[RequestedTarget["targetStatus"], RequestedTarget["action"], KnownStatus, string]>([
  ["DEPLOYED", undefined, "DEPLOYED", "A REDEPLOY/REQUESTED"],
  ["DEPLOYED", "DEPLOY", "DEPLOYED", "A REDEPLOY/REQUESTED"],
  ["DEPLOYED", "REDEPLOY", "NOT_DEPLOYED", "A DEPLOY/REQUESTED"],
  ["DEPLOYED", "NONE", "DEPLOYED", "A NONE/PRESERVED"],
  ["DEPLOYED", "NONE", "CORRUPT", "A NONE/PRESERVED"],
  ["NOT_DEPLOYED", "NONE", "CORRUPT", "A NONE/PRESERVED"],
  ["NOT_DEPLOYED", "NONE", "NOT_DEPLOYED", "A NONE/ALREADY_NOT_DEPLOYED"],
  ["NOT_DEPLOYED", "UNDEPLOY", "NOT_DEPLOYED", "A NONE/ALREADY_NOT_DEPLOYED"],
  ["NOT_DEPLOYED", "UNDEPLOY", "CORRUPT", "A UNDEPLOY/REQUESTED"],
])("%s with action %s on %s: %s", (...[targetStatus, action, status, expected]) => {
  expect(
    changesOf({ components: [A], last: known([A, status]), targets: one(targetStatus, action) }),
  ).toEqual([expected]);
});

test.each<[RequestedTarget["targetStatus"], RequestedTarget["action"], KnownStatus, string]>([
  [
    "DEPLOYED",
    "UNDEPLOY",
    "DEPLOYED",
    "The action UNDEPLOY of A does not lead to its targetStatus DEPLOYED.",
  ],
  [
    "NOT_DEPLOYED",
    "DEPLOY",
    "DEPLOYED",
    "The action DEPLOY of A does not lead to its targetStatus NOT_DEPLOYED.",
  ],
  [
    "NOT_DEPLOYED",
    "REDEPLOY",
    "DEPLOYED",
    "The action REDEPLOY of A does not lead to its targetStatus NOT_DEPLOYED.",
  ],
  ["DEPLOYED", "NONE", "NOT_DEPLOYED", "A is NOT_DEPLOYED; with the action NONE it cannot become DEPLOYED."],
  ["NOT_DEPLOYED", "NONE", "DEPLOYED", "A is DEPLOYED; with the action NONE it cannot become NOT_DEPLOYED."],
])("%s with action %s on %s is refused", (...[targetStatus, action, status, message]) => {
  expect(
    problemsIn({ components: [A], last: known([A, status]), targets: one(targetStatus, action) }),
  ).toEqual([`/targetStatus/0/action ${message}`]);
});

test("what is asked to stay is not moved by autofill", () => {
  const last = known([A, "DEPLOYED"], [B, "DEPLOYED"]);
  const stay: RequestedTarget = { componentId: "B", targetStatus: "DEPLOYED", action: "NONE" };
  const plan = decide({ components, last, targets: [...undeploy("A"), stay], mode: "autofill" });
  expect(plan.outcome).toBe("KO");
  expect(plan.conflictingOperations.map(({ componentId }) => componentId)).toEqual(["B", "A"]);
});

test("a removed component may be named, but only to go", () => {
  const last = known([A, "DEPLOYED"], [B, "CORRUPT"]);
  const request = { components: [A], last };
  expect(changesOf({ ...request, targets: [...deploy("A"), ...undeploy("b")] })).toEqual([
    "A REDEPLOY/REQUESTED",
    "B UNDEPLOY/REMOVED_FROM_DESCRIPTOR",
  ]);
  expect(problemsIn({ ...request, targets: deploy("A", "B") })).toEqual([
    "/targetStatus/1/targetStatus B is not in the descriptor, so it can only be undeployed.",
  ]);
  const stays: RequestedTarget = { componentId: "B", targetStatus: "NOT_DEPLOYED", action: "NONE" };
  expect(problemsIn({ ...request, targets: [...deploy("A"), stays] })).toEqual([
    "/targetStatus/1/action B is not in the descriptor, so it can only be undeployed.",
  ]);
});

test("a component that is gone and not deployed is unknown", () => {
  expect(
    problemsIn({
      components: [A],
      last: known([B, "NOT_DEPLOYED"]),
      targets: [...deploy("A"), ...undeploy("B")],
    }),
  ).toEqual(["/targetStatus/1/componentId B is neither a component of the descriptor nor deployed."]);
});

const withPart = part("A", [], { components: [{ id: "A:p" }, { id: "A:q" }] });

test("a part goes with its component and needs no target", () => {
  const request = { components: [withPart, part("B", ["A:q"])], targets: deploy("A", "B") };
  expect(changesOf(request)).toEqual([
    "A DEPLOY/REQUESTED",
    "A:p DEPLOY/REQUESTED +PARENT_DEPLOYED",
    "A:q DEPLOY/REQUESTED +PARENT_DEPLOYED",
    "B DEPLOY/REQUESTED",
  ]);
  expect(decide(request).operations.map(({ dependantOn }) => dependantOn)).toEqual([[], [], [], ["A"]]);
});

test("a part's target must be its component's", () => {
  expect(
    problemsIn({ components: [withPart], targets: [...deploy("A", "A:p"), ...undeploy("A:q")] }),
  ).toEqual(["/targetStatus/2/targetStatus A:q is a part of A and is deployed and undeployed with it."]);
  expect(problemsIn({ components: [withPart], targets: deploy("A:p", "A:p"), mode: "unsafe" })).toEqual([
    "/targetStatus/1/componentId A:p has more than one target status.",
    "/targetStatus/0/targetStatus A:p is a part of A and is deployed and undeployed with it.",
  ]);
});
