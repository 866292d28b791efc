import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planText, type DagFlavour } from "./dag.ts";
import type { PlanView, TaskView } from "./store.ts";
import { planRow, policyTask, polling, startedAt, stoppedAt, taskRow, validation } from "./testdata.ts";

interface Node {
  id: string;
  status: string;
  stopTime: string | null;
  result: unknown;
  dependsOnTasks: Node[];
  [more: string]: unknown;
}

const dagOf = (tasks: TaskView[], flavour: DagFlavour = "status", plan: PlanView = planRow()): Node =>
  JSON.parse(
    planText({
      plan,
      tasks,
      flavour,
      print: (given) => JSON.stringify(given) ?? "",
      now: startedAt,
      polling,
    }),
  ).dag;

/** `a(b c)`: a task with its dependencies, as written. */
const shape = ({ id, dependsOnTasks }: Node): string =>
  dependsOnTasks.length === 0 ? id : `${id}(${dependsOnTasks.map(shape).join(" ")})`;

const done = { status: "COMPLETED" as const, stoppedAt };

describe("the graph of a plan", () => {
  it("has the plan over the tasks that nothing waits for, and the stages joined by one node", () => {
    const tasks = [validation("v"), validation("w"), taskRow("a"), taskRow("b", ["a"]), taskRow("c", ["a"])];
    expect(shape(dagOf(tasks))).toBe("p(b(a(p:stage-0(v w))) c(a))");
  });

  it("has the policies before the validations, in a stage with a name", () => {
    const tasks = [policyTask("u"), policyTask("x"), validation("v"), taskRow("a")];
    expect(shape(dagOf(tasks))).toBe("p(a(p:stage-0(v(p:stage-policies(u x)))))");
    const gate = dagOf(tasks).dependsOnTasks[0]!.dependsOnTasks[0]!.dependsOnTasks[0]!.dependsOnTasks[0];
    expect(gate).toMatchObject({ displayName: "All policies hold" });
  });

  it("has the report of the policies in the plan, and what they found in its status", () => {
    const findings = { problems: ["No owner."], warnings: ["No tags."], solutions: [], held: 2 };
    const of = (policies: object, flavour: "plan" | "status") =>
      dagOf([policyTask("u", { result: "{}", publicInfo: { policies } })], flavour).dependsOnTasks[0]?.result;
    expect(of(findings, "plan")).toBe("{}");
    expect(of(findings, "status")).toMatchObject({ message: "No owner." });
    expect(of({ ...findings, problems: [] }, "status")).toMatchObject({ message: "No tags." });
    expect(of({ held: 1 }, "status")).toMatchObject({ message: "1 policy holds." });
    const skipped = dagOf([policyTask("u", { result: "The plan was ended." })], "status");
    expect(skipped.dependsOnTasks[0]?.result).toMatchObject({ message: "The plan was ended." });
  });

  it("is the plan alone when there is nothing to do", () => {
    expect(shape(dagOf([]))).toBe("p");
  });

  it("has no node between stages when nothing is validated", () => {
    expect(shape(dagOf([taskRow("a"), taskRow("b")]))).toBe("p(a b)");
  });

  it.each<[what: string, tasks: TaskView[], status: string]>([
    ["waits", [validation("v"), validation("w")], "WAITING"],
    ["runs", [validation("v", done), validation("w")], "RUNNING"],
    [
      "runs with a failure while others are at work",
      [validation("v", { ...done, status: "FAILED" }), validation("w")],
      "RUNNING",
    ],
    ["has completed", [validation("v", done), validation("w", done)], "COMPLETED"],
    ["has failed", [validation("v", done), validation("w", { ...done, status: "FAILED" })], "FAILED"],
    ["was ended", [validation("v", done), validation("w", { ...done, status: "TERMINATED" })], "TERMINATED"],
  ])("a stage that %s", (...[, tasks, status]) => {
    const gate = dagOf([...tasks, taskRow("a")]).dependsOnTasks[0]?.dependsOnTasks[0];
    expect([gate?.id, gate?.status, gate?.stopTime]).toEqual([
      "p:stage-0",
      status,
      ["COMPLETED", "FAILED", "TERMINATED"].includes(status) ? stoppedAt.toISOString() : null,
    ]);
  });

  it("says why the plan failed: a text in the plan, an object in its status", () => {
    const failed = planRow({ status: "FAILED", failure: "The hull leaks.", stoppedAt });
    expect(dagOf([], "plan", failed).result).toBe("The hull leaks.");
    expect(dagOf([], "status", failed).result).toEqual({ message: "The hull leaks." });
  });
});

/** Tasks that depend on earlier ones only, in any order of rows. */
const graphs = fc
  .array(fc.uniqueArray(fc.nat(), { maxLength: 5 }), { maxLength: 30 })
  .map((lists) =>
    lists.map((list, index) =>
      taskRow(`t${index}`, index === 0 ? [] : [...new Set(list.map((other) => `t${other % index}`))]),
    ),
  );

describe("every graph", () => {
  it("tells each task once with its dependencies and nothing that is not there", () => {
    fc.assert(
      fc.property(graphs, (tasks) => {
        const written = new Map<string, string[]>();
        let nodes = 0;
        const visit = ({ id, dependsOnTasks }: Node): void => {
          nodes += 1;
          if (dependsOnTasks.length > 0) {
            expect(written.has(id)).toBe(false);
            written.set(
              id,
              dependsOnTasks.map((each) => each.id),
            );
          }
          dependsOnTasks.forEach(visit);
        };
        const root = dagOf(tasks);
        visit(root);
        for (const { taskId, dependsOn } of tasks) expect(written.get(taskId) ?? []).toEqual(dependsOn);
        const edges = tasks.reduce((sum, { dependsOn }) => sum + dependsOn.length, 0);
        expect(nodes).toBe(1 + edges + root.dependsOnTasks.length);
      }),
      { numRuns: 300 },
    );
  });
});
