import { expect, test } from "vitest";
import { movedChanges, summaryOf } from "./changes.ts";

type Change = Parameters<typeof movedChanges>[0][number];

const change = (componentId: string, action: Change["action"], reason = "REQUESTED"): Change => ({
  componentId,
  action,
  reason,
  targetStatus: action === "UNDEPLOY" ? "NOT_DEPLOYED" : "DEPLOYED",
  additionalReasons: [],
  dependencyOf: [],
  dependantOn: [],
});

test("changes are counted by what they do", () => {
  expect(summaryOf([change("a", "DEPLOY"), change("b", "NONE"), change("c", "DEPLOY")])).toBe(
    "3 components: 2 to deploy, 1 left alone",
  );
  expect(summaryOf([change("a", "UNDEPLOY")])).toBe("1 component: 1 to undeploy");
});

test("what another plan does otherwise is found, also what only one of both has", () => {
  const before = [change("a", "DEPLOY"), change("b", "DEPLOY"), change("c", "DEPLOY")];
  const after = [change("a", "DEPLOY"), change("b", "REDEPLOY"), change("d", "DEPLOY")];
  expect([...movedChanges(before, after)].toSorted()).toEqual(["b", "c", "d"]);
  expect(movedChanges(before, [...before]).size).toBe(0);
  expect([...movedChanges([change("a", "REDEPLOY")], [change("a", "REDEPLOY", "CHANGED")])]).toEqual(["a"]);
});
