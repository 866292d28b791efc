import { expect, it } from "vitest";
import type { PlanView, TaskView } from "./store.ts";
import { createdAt, planRow, startedAt, stoppedAt, taskRow, validation } from "./testdata.ts";
import { openStageOf, waitingOf } from "./waiting.ts";

const waiting = (task: TaskView, others: TaskView[] = [], plan: PlanView = planRow()) => {
  const tasks = [task, ...others];
  return waitingOf(task, {
    plan,
    tasks: new Map(tasks.map((each) => [each.taskId, each])),
    openStage: openStageOf(tasks),
  });
};
const done = { status: "COMPLETED" as const, stoppedAt };

it.each(["COMPLETED", "FAILED", "SKIPPED", "TERMINATED"] as const)(
  "nothing for a task that is %s",
  (status) => {
    expect(waiting(taskRow("a", [], { status, waiting: { reason: "old", since: "x" } }))).toBeNull();
  },
);

it("nothing while a call is under way", () => {
  expect(waiting(taskRow("a", [], { status: "RUNNING", startedAt }))).toBeNull();
});

it("that the adapter is at work, since the task began", () => {
  expect(waiting(taskRow("a", [], { status: "RUNNING", token: true, startedAt }))).toEqual({
    reason: "The adapter is at work; its token is polled.",
    since: startedAt.toISOString(),
  });
});

it("what the engine wrote down goes before everything else", () => {
  const own = { reason: "The adapter can't be reached.", since: "s", nextAttemptAt: "n", attempts: 2 };
  expect(waiting(taskRow("a", ["b"], { waiting: own }), [taskRow("b")])).toEqual(own);
});

it("that nobody has taken the plan, since it was made", () => {
  expect(waiting(taskRow("a"), [], planRow({ startedAt: null }))).toEqual({
    reason: "No worker has taken the plan yet.",
    since: createdAt.toISOString(),
  });
});

it("the tasks before it that have not completed, at most three by name", () => {
  const others = ["b", "c", "d", "e", "f"].map((id) => taskRow(id, [], id === "b" ? done : {}));
  expect(waiting(taskRow("a", ["b", "c"]), others)?.reason).toBe("Waits for C.");
  expect(waiting(taskRow("a", ["b", "c", "d", "e", "f"]), others)?.reason).toBe(
    "Waits for C, D, E and 1 more.",
  );
  expect(waiting(taskRow("a", ["b"]), [taskRow("b", [], { componentName: null })])?.reason).toBe(
    "Waits for b.",
  );
});

it("the stage before it, and after that a free place", () => {
  expect(waiting(taskRow("a"), [validation("v", done), validation("w")])?.reason).toBe(
    "Waits until every component is found valid.",
  );
  expect(waiting(taskRow("a"), [validation("v", done), validation("w", done)])?.reason).toBe(
    "Ready; waits for a free place among the tasks that may run at once.",
  );
  expect(waiting(validation("v"), [taskRow("a")])?.reason).toMatch(/^Ready/);
});
