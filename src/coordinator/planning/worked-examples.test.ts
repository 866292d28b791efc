import { expect, test } from "vitest";
import {
  decide,
  deploy,
  known,
  part,
  planOf,
  tasksOf,
  undeploy,
} from "../../../test/properties/planner-fixture.ts";
import type { PlanRequest } from "../../../test/properties/planner-fixture.ts";
import type { PlanResponse } from "./model.ts";
import { conflictProblems, planResponse } from "./plan.ts";

// The worked examples of the planning rules, each answer in full as it travels.
// W needs S, O needs W, P needs S.

const S = part("S", []);
const W = part("W", ["S"]);
const O = part("O", ["W"]);
const P = part("P", ["S"]);
const components = [S, W, O, P];

const respond = (request: PlanRequest): PlanResponse => planResponse(decide(request));

test("E1: nothing deployed, everything wanted", () => {
  const request = { components, targets: deploy("S", "W", "O", "P") };
  expect(respond(request)).toEqual({
    outcome: "OK",
    operations: [
      {
        componentId: "S",
        targetStatus: "DEPLOYED",
        action: "DEPLOY",
        reason: "REQUESTED",
        additionalReasons: [],
        dependencyOf: ["W", "P"],
        dependantOn: [],
      },
      {
        componentId: "W",
        targetStatus: "DEPLOYED",
        action: "DEPLOY",
        reason: "REQUESTED",
        additionalReasons: [],
        dependencyOf: ["O"],
        dependantOn: ["S"],
      },
      {
        componentId: "P",
        targetStatus: "DEPLOYED",
        action: "DEPLOY",
        reason: "REQUESTED",
        additionalReasons: [],
        dependencyOf: [],
        dependantOn: ["S"],
      },
      {
        componentId: "O",
        targetStatus: "DEPLOYED",
        action: "DEPLOY",
        reason: "REQUESTED",
        additionalReasons: [],
        dependencyOf: [],
        dependantOn: ["W"],
      },
    ],
    conflictingOperations: [],
  });
  expect(tasksOf(request)).toEqual([
    "provision:S <-",
    "provision:W <- provision:S",
    "provision:P <- provision:S",
    "provision:O <- provision:W",
  ]);
});

const changedW = part("W", ["S"], { version: "2" });
const partlyBroken = known([S, "DEPLOYED"], [W, "DEPLOYED"], [O, "DEPLOYED"], [P, "CORRUPT"]);

test("E2: one changed, one corrupt, everything wanted", () => {
  const request = {
    components: [S, changedW, O, P],
    last: partlyBroken,
    targets: deploy("S", "W", "O", "P"),
  };
  expect(respond(request)).toEqual({
    outcome: "OK",
    operations: [
      {
        componentId: "S",
        targetStatus: "DEPLOYED",
        action: "REDEPLOY",
        reason: "REQUESTED",
        additionalReasons: [],
        dependencyOf: ["W", "P"],
        dependantOn: [],
      },
      {
        componentId: "W",
        targetStatus: "DEPLOYED",
        action: "REDEPLOY",
        reason: "DESCRIPTOR_CHANGED",
        additionalReasons: [],
        dependencyOf: ["O"],
        dependantOn: ["S"],
      },
      {
        componentId: "P",
        targetStatus: "DEPLOYED",
        action: "DEPLOY",
        reason: "CORRUPT",
        additionalReasons: [],
        dependencyOf: [],
        dependantOn: ["S"],
      },
      {
        componentId: "O",
        targetStatus: "DEPLOYED",
        action: "REDEPLOY",
        reason: "REQUESTED",
        additionalReasons: [],
        dependencyOf: [],
        dependantOn: ["W"],
      },
    ],
    conflictingOperations: [],
  });
});

test("E3: the same with preventRedeploy", () => {
  const request = {
    components: [S, changedW, O, P],
    last: partlyBroken,
    targets: deploy("S", "W", "O", "P"),
    preventRedeploy: true,
  };
  expect(respond(request)).toEqual({
    outcome: "OK",
    operations: [
      {
        componentId: "S",
        targetStatus: "DEPLOYED",
        action: "NONE",
        reason: "UNCHANGED",
        additionalReasons: [],
        dependencyOf: ["W", "P"],
        dependantOn: [],
      },
      {
        componentId: "W",
        targetStatus: "DEPLOYED",
        action: "REDEPLOY",
        reason: "DESCRIPTOR_CHANGED",
        additionalReasons: [],
        dependencyOf: ["O"],
        dependantOn: ["S"],
      },
      {
        componentId: "P",
        targetStatus: "DEPLOYED",
        action: "DEPLOY",
        reason: "CORRUPT",
        additionalReasons: [],
        dependencyOf: [],
        dependantOn: ["S"],
      },
      {
        componentId: "O",
        targetStatus: "DEPLOYED",
        action: "NONE",
        reason: "UNCHANGED",
        additionalReasons: ["DEPENDENCY_REDEPLOYED"],
        dependencyOf: [],
        dependantOn: ["W"],
      },
    ],
    conflictingOperations: [],
  });
  expect(tasksOf(request)).toEqual(["provision:W <-", "provision:P <-"]);
});

const healthy = known([S, "DEPLOYED"], [W, "DEPLOYED"], [O, "DEPLOYED"], [P, "DEPLOYED"]);

test("E4: what stays wanted stands on what is to go", () => {
  const request = { components, last: healthy, targets: [...undeploy("S", "W", "P"), ...deploy("O")] };
  const undeployedW = {
    componentId: "W",
    targetStatus: "NOT_DEPLOYED",
    action: "UNDEPLOY",
    reason: "REQUESTED",
    additionalReasons: [],
    dependencyOf: ["O"],
    dependantOn: ["S"],
  };
  const redeployedO = {
    componentId: "O",
    targetStatus: "DEPLOYED",
    action: "REDEPLOY",
    reason: "REQUESTED",
    additionalReasons: [],
    dependencyOf: [],
    dependantOn: ["W"],
  };
  expect(respond(request)).toEqual({
    outcome: "KO",
    operations: [
      redeployedO,
      undeployedW,
      {
        componentId: "P",
        targetStatus: "NOT_DEPLOYED",
        action: "UNDEPLOY",
        reason: "REQUESTED",
        additionalReasons: [],
        dependencyOf: [],
        dependantOn: ["S"],
      },
      {
        componentId: "S",
        targetStatus: "NOT_DEPLOYED",
        action: "UNDEPLOY",
        reason: "REQUESTED",
        additionalReasons: [],
        dependencyOf: ["W", "P"],
        dependantOn: [],
      },
    ],
    conflictingOperations: [redeployedO, undeployedW],
  });
  expect(conflictProblems(decide(request))).toEqual([
    {
      where: "/targetStatus/3",
      message: "O is to be redeployed (REQUESTED) and needs W, but W is to be undeployed (REQUESTED).",
      solution: "Deploy W as well, or undeploy O.",
    },
  ]);
});

test("E5: autofill undeploys what stands on what is to go", () => {
  const request: PlanRequest = { components, last: healthy, targets: undeploy("S"), mode: "autofill" };
  const dropped = { targetStatus: "NOT_DEPLOYED", action: "UNDEPLOY", reason: "DEPENDENCY_UNDEPLOYED" };
  expect(respond(request)).toEqual({
    outcome: "OK",
    operations: [
      { componentId: "O", ...dropped, additionalReasons: [], dependencyOf: [], dependantOn: ["W"] },
      { componentId: "P", ...dropped, additionalReasons: [], dependencyOf: [], dependantOn: ["S"] },
      { componentId: "W", ...dropped, additionalReasons: [], dependencyOf: ["O"], dependantOn: ["S"] },
      {
        componentId: "S",
        targetStatus: "NOT_DEPLOYED",
        action: "UNDEPLOY",
        reason: "REQUESTED",
        additionalReasons: [],
        dependencyOf: ["W", "P"],
        dependantOn: [],
      },
    ],
    conflictingOperations: [],
  });
  expect(tasksOf(request)).toEqual([
    "unprovision:O <-",
    "unprovision:P <-",
    "unprovision:W <- unprovision:O",
    "unprovision:S <- unprovision:W unprovision:P",
  ]);
});

test("E6: autofill deploys what the wanted one needs, and no more", () => {
  expect(respond({ components, targets: deploy("O"), mode: "autofill" })).toEqual({
    outcome: "OK",
    operations: [
      {
        componentId: "S",
        targetStatus: "DEPLOYED",
        action: "DEPLOY",
        reason: "REQUIRED_BY_DEPENDANT",
        additionalReasons: [],
        dependencyOf: ["W"],
        dependantOn: [],
      },
      {
        componentId: "P",
        targetStatus: "NOT_DEPLOYED",
        action: "NONE",
        reason: "PRESERVED",
        additionalReasons: [],
        dependencyOf: [],
        dependantOn: [],
      },
      {
        componentId: "W",
        targetStatus: "DEPLOYED",
        action: "DEPLOY",
        reason: "REQUIRED_BY_DEPENDANT",
        additionalReasons: [],
        dependencyOf: ["O"],
        dependantOn: ["S"],
      },
      {
        componentId: "O",
        targetStatus: "DEPLOYED",
        action: "DEPLOY",
        reason: "REQUESTED",
        additionalReasons: [],
        dependencyOf: [],
        dependantOn: ["W"],
      },
    ],
    conflictingOperations: [],
  });
});

test("E7: what is moved off a removed component moves before it goes", () => {
  const request = {
    components: [S, part("O", ["S"])],
    last: known([S, "DEPLOYED"], [W, "DEPLOYED"], [O, "DEPLOYED"]),
    targets: deploy("S", "O"),
    preventRedeploy: true,
  };
  expect(respond(request)).toEqual({
    outcome: "OK",
    operations: [
      {
        componentId: "S",
        targetStatus: "DEPLOYED",
        action: "NONE",
        reason: "UNCHANGED",
        additionalReasons: [],
        dependencyOf: ["O", "W"],
        dependantOn: [],
      },
      {
        componentId: "O",
        targetStatus: "DEPLOYED",
        action: "REDEPLOY",
        reason: "DESCRIPTOR_CHANGED",
        additionalReasons: [],
        dependencyOf: [],
        dependantOn: ["S"],
      },
      {
        componentId: "W",
        targetStatus: "NOT_DEPLOYED",
        action: "UNDEPLOY",
        reason: "REMOVED_FROM_DESCRIPTOR",
        additionalReasons: [],
        dependencyOf: [],
        dependantOn: ["S"],
      },
    ],
    conflictingOperations: [],
  });
  expect(tasksOf(request)).toEqual(["provision:O <-", "unprovision:W <- provision:O"]);
});

test("E8: a strict start names every component without a target", () => {
  expect(planOf({ components, targets: deploy("O") })).toEqual({
    problems: [
      {
        where: "/targetStatus",
        message: "These components have no target status: S, W, P.",
        solution: "Give each of them a targetStatus, or start with unsafe=true to leave them as they are.",
      },
    ],
  });
});

test("E9: unsafe preserves and pulls in nobody", () => {
  const request: PlanRequest = { components, targets: deploy("O"), mode: "unsafe" };
  const untouched = {
    targetStatus: "NOT_DEPLOYED",
    action: "NONE",
    reason: "PRESERVED",
    additionalReasons: [],
    dependantOn: [],
  };
  const deployedO = {
    componentId: "O",
    targetStatus: "DEPLOYED",
    action: "DEPLOY",
    reason: "REQUESTED",
    additionalReasons: [],
    dependencyOf: [],
    dependantOn: ["W"],
  };
  expect(respond(request)).toEqual({
    outcome: "KO",
    operations: [
      { componentId: "S", ...untouched, dependencyOf: [] },
      { componentId: "W", ...untouched, dependencyOf: ["O"] },
      { componentId: "P", ...untouched, dependencyOf: [] },
      deployedO,
    ],
    conflictingOperations: [{ componentId: "W", ...untouched, dependencyOf: ["O"] }, deployedO],
  });
  expect(conflictProblems(decide(request))).toEqual([
    {
      where: "/targetStatus/0",
      message: "O is to be deployed (REQUESTED) and needs W, but W stays as it is (NOT_DEPLOYED, PRESERVED).",
      solution: "Deploy W as well, or undeploy O.",
    },
  ]);
});
