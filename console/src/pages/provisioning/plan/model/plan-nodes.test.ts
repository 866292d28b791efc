import { expect, test } from "vitest";
import { isOlder, isOver, nodesOf } from "./plan-nodes.ts";

type GraphNode = Parameters<typeof nodesOf>[1];

const node = (id: string, dependsOnTasks: GraphNode[] = [], more: Partial<GraphNode> = {}): GraphNode => ({
  id,
  displayName: `Name of ${id}`,
  name: id,
  status: "COMPLETED",
  startTime: "2026-01-01T00:00:00.000Z",
  stopTime: null,
  result: { message: "" },
  dependsOnTasks,
  ...more,
});

test("each node comes once, after all that it depends on", () => {
  const raw = node("raw", [node("p:stage-0", [node("check")])]);
  const graph = node("p", [node("view", [node("refine", [raw]), node("raw")]), node("raw")]);
  const nodes = nodesOf("p", graph);
  expect(nodes.map(({ id }) => id)).toEqual(["check", "p:stage-0", "raw", "refine", "view", "p"]);
  expect(nodes.map(({ kind }) => kind)).toEqual(["task", "stage", "task", "task", "task", "plan"]);
  expect(nodes[4]?.dependsOn).toEqual(["refine", "raw"]);
  expect(nodes[2]).toMatchObject({ name: "Name of raw", startedAt: Date.UTC(2026, 0, 1), stoppedAt: null });
});

test("a chain of ten thousand tasks does not end the stack", () => {
  let chain = node("t0");
  for (let index = 1; index < 10_000; index += 1) chain = node(`t${index}`, [chain]);
  expect(nodesOf("p", node("p", [chain]))).toHaveLength(10_001);
});

test("problems and solutions are those of the adapter and those of policies", () => {
  const info = {
    problems: ["too small", { message: "not owned" }, 7],
    solutions: ["Make it larger."],
    policies: { problems: [{ message: "no owner" }], solutions: ["Name one."] },
  };
  const [task] = nodesOf("p", node("p", [node("t", [], { result: { message: "no", info } })]));
  expect(task?.problems).toEqual(["too small", "not owned", "no owner"]);
  expect(task?.solutions).toEqual(["Make it larger.", "Name one."]);
});

test("a task never goes back", () => {
  expect(isOlder("RUNNING", "COMPLETED")).toBe(true);
  expect(isOlder("WAITING", "RUNNING")).toBe(true);
  expect(isOlder("FAILED", "RUNNING")).toBe(false);
  expect(
    ["WAITING", "RUNNING", "TERMINATING", "SKIPPED", "TERMINATED"].map((s) => isOver(s as never)),
  ).toEqual([false, false, false, true, true]);
});
