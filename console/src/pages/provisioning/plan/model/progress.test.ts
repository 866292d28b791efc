import { expect, test } from "vitest";
import { firstFailure, heldUpBy, progressOf, selectTasks, spanOf, ticksOf } from "./progress.ts";
import { nodeOf } from "./testdata.ts";

const nodes = [
  nodeOf("raw", { status: "COMPLETED", startedAt: 1000, stoppedAt: 2000 }),
  nodeOf("p:stage-0", { kind: "stage", status: "COMPLETED" }),
  nodeOf("other", { status: "FAILED", startedAt: 2000, stoppedAt: 5000 }),
  nodeOf("refine", { status: "FAILED", startedAt: 2000, stoppedAt: 3000, dependsOn: ["raw"] }),
  nodeOf("view", { status: "SKIPPED", dependsOn: ["refine"] }),
  nodeOf("report", { status: "SKIPPED", dependsOn: ["view"] }),
  nodeOf("p", { kind: "plan", status: "FAILED", dependsOn: ["report", "other"] }),
];

test("tasks are counted, and nothing else", () => {
  expect(progressOf(nodes)).toEqual({ total: 5, done: 1, failed: 2, skipped: 2, running: 0, waiting: 0 });
});

test("the failure that came first is shown, with all that it holds up", () => {
  expect(firstFailure(nodes)?.id).toBe("refine");
  expect(heldUpBy("refine", nodes).map(({ id }) => id)).toEqual(["view", "report"]);
  expect(firstFailure([nodeOf("a")])).toBeUndefined();
});

test("tasks are chosen by status, by words and from a path", () => {
  const ids = (selection: Partial<Parameters<typeof selectTasks>[1]>): string[] =>
    selectTasks(nodes, { filter: "all", q: "", within: null, ...selection }).map(({ id }) => id);
  expect(ids({})).toEqual(["raw", "other", "refine", "view", "report"]);
  expect(ids({ filter: "failed" })).toEqual(["other", "refine", "view", "report"]);
  expect(ids({ filter: "done" })).toEqual(["raw"]);
  expect(ids({ q: "provision RE" })).toEqual(["refine", "report"]);
  expect(ids({ within: new Set(["view"]) })).toEqual(["view"]);
});

test("bars are drawn from the first moment to the last, and to now while something is at work", () => {
  expect(spanOf(nodes, 500, 9000)).toEqual([500, 5000]);
  expect(spanOf(nodes, null, 9000)).toEqual([1000, 5000]);
  expect(spanOf([nodeOf("a", { status: "RUNNING", startedAt: 1000 })], null, 9000)).toEqual([1000, 9000]);
  expect(spanOf([nodeOf("a")], null, 9000)).toEqual([9000, 9001]);
});

test("there are a few marks, at round times, with room for their text", () => {
  expect(ticksOf(200)).toEqual([0, 50, 100, 150]);
  expect(ticksOf(13_000)).toEqual([0, 5000, 10_000]);
  expect(ticksOf(3_600_000)).toEqual([0, 600_000, 1_200_000, 1_800_000, 2_400_000, 3_000_000]);
  expect(ticksOf(1_000_000_000).length).toBeLessThan(8);
});
