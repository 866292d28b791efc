import { expect, test } from "vitest";
import {
  changesOf,
  decide,
  deploy,
  known,
  part,
  undeploy,
} from "../../../test/properties/planner-fixture.ts";
import type { PlanRequest } from "../../../test/properties/planner-fixture.ts";
import { hashComponent } from "./descriptor/hash.ts";
import { readUnit } from "./descriptor/unit.ts";
import { conflictProblems, planResponse, snapshotsOf } from "./plan.ts";

const [A, B, C] = [part("A", []), part("B", ["A"]), part("C", ["B"])];

test("what travels has nothing besides the three lists", () => {
  const plan = decide({ components: [A], targets: deploy("A") });
  expect(Object.keys(planResponse(plan))).toEqual(["outcome", "operations", "conflictingOperations"]);
});

test("a unit without components is a plan without operations", () => {
  expect(planResponse(decide({ components: [], targets: [] }))).toEqual({
    outcome: "OK",
    operations: [],
    conflictingOperations: [],
  });
});

test("a component that nothing is known to have changed is compared by content, not by version", () => {
  const last = known([A, "DEPLOYED"], [B, "DEPLOYED"]);
  const touched = part("B", ["A"], { info: { publicInfo: 1 } });
  const request = { components: [A, touched], last, targets: deploy("A", "B"), preventRedeploy: true };
  expect(changesOf({ ...request, descriptor: { version: "9" } })).toEqual([
    "A NONE/UNCHANGED",
    "B NONE/UNCHANGED",
  ]);
  const withoutHash = { components: last.components.map((component) => ({ ...component, hash: undefined })) };
  expect(changesOf({ ...request, last: withoutHash })[0]).toBe("A REDEPLOY/DESCRIPTOR_CHANGED");
});

test("the state's spelling of an id does not matter", () => {
  const last = {
    components: known([A, "DEPLOYED"]).components.map((entry) => ({ ...entry, componentId: "a" })),
  };
  expect(changesOf({ components: [A], last, targets: deploy("a"), preventRedeploy: true })).toEqual([
    "A NONE/UNCHANGED",
  ]);
});

test("autofill repairs a corrupt dependency of what stays, and leaves a corrupt one that nobody needs", () => {
  const last = known([A, "CORRUPT"], [B, "DEPLOYED"], [C, "CORRUPT"]);
  const request: PlanRequest = { components: [A, B, C], last, targets: [], mode: "autofill" };
  expect(changesOf(request)).toEqual([
    "A DEPLOY/REQUIRED_BY_DEPENDANT",
    "B NONE/PRESERVED +DEPENDENCY_REDEPLOYED",
    "C NONE/PRESERVED",
  ]);
  expect(decide(request).operations[2]!.targetStatus).toBe("DEPLOYED");
});

test("autofill undeploys before it deploys: nothing is deployed for what goes anyway", () => {
  // B stands on A, which is corrupt, and on D, which is to go. B goes, so nobody needs A.
  const D = part("D", []);
  const both = part("B", ["A", "D"]);
  const last = known([A, "CORRUPT"], [D, "DEPLOYED"], [both, "DEPLOYED"]);
  expect(changesOf({ components: [A, D, both], last, targets: undeploy("D"), mode: "autofill" })).toEqual([
    "A NONE/PRESERVED",
    "B UNDEPLOY/DEPENDENCY_UNDEPLOYED",
    "D UNDEPLOY/REQUESTED",
  ]);
});

test("autofill pulls in what the descriptor wants now, not what a snapshot wanted", () => {
  const plan = { components: [A, B, C], last: known([part("B", []), "CORRUPT"]), targets: deploy("C") };
  expect(changesOf({ ...plan, mode: "autofill" })).toEqual([
    "A DEPLOY/REQUIRED_BY_DEPENDANT",
    "B DEPLOY/REQUIRED_BY_DEPENDANT",
    "C DEPLOY/REQUESTED",
  ]);
});

test("autofill does not change an explicit target", () => {
  const plan = decide({
    components: [A, B, C],
    targets: [...undeploy("A"), ...deploy("C")],
    mode: "autofill",
  });
  expect(plan.outcome).toBe("KO");
  expect(conflictProblems(plan)).toEqual([
    {
      where: "/targetStatus/0",
      message:
        "B is to be deployed (REQUIRED_BY_DEPENDANT) and needs A, but A stays as it is (NOT_DEPLOYED, ALREADY_NOT_DEPLOYED).",
      solution: "Deploy A as well, or undeploy B.",
    },
  ]);
});

test("what the store keeps of a deployment: components with their parts' needs, and the root", () => {
  const whole = part("A", [], { name: "a", components: [{ id: "A:p", dependsOn: ["B"] }] });
  const other = part("B", []);
  const descriptor = { id: "u", name: "n", infrastructureTemplateId: "t", components: [whole, other] };
  expect(snapshotsOf(readUnit(descriptor).unit!)).toMatchObject([
    { componentId: "u", name: "n", dependsOn: [], infrastructureTemplateId: "t" },
    { componentId: "A", name: "a", dependsOn: ["B"], hash: hashComponent(whole) },
    { componentId: "B", name: "", dependsOn: [], infrastructureTemplateId: "urn:dmb:itm:mock:1" },
  ]);
});

test("what autofill moved once it does not move again", () => {
  // B stands on A, which is to go, so B goes; that C now wants B does not bring it back.
  const request: PlanRequest = {
    components: [A, B, C],
    last: known([A, "DEPLOYED"], [B, "DEPLOYED"]),
    targets: [...undeploy("A"), ...deploy("C")],
    mode: "autofill",
  };
  expect(changesOf(request)).toEqual([
    "C DEPLOY/REQUESTED",
    "B UNDEPLOY/DEPENDENCY_UNDEPLOYED",
    "A UNDEPLOY/REQUESTED",
  ]);
  expect(decide(request).conflictingOperations.map(({ componentId }) => componentId)).toEqual(["C", "B"]);
});
