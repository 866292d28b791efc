import { expect, test } from "vitest";
import { nodeOf } from "../model/testdata.ts";
import { nodeHeight, nodeWidth, placeStages } from "./placement.ts";

test("stages stand side by side, the tasks of each in layers", () => {
  const { tasks, edges, stages } = placeStages([
    { key: "validation", name: "Validation", tasks: [nodeOf("v")] },
    {
      key: "components",
      name: "Components",
      tasks: [nodeOf("a", { dependsOn: ["gate"] }), nodeOf("b", { dependsOn: ["a"] })],
    },
  ]);
  const xOf = (id: string): number => tasks.find((task) => task.id === id)?.x ?? Number.NaN;
  expect(xOf("v")).toBe(0);
  expect(xOf("a")).toBeGreaterThan(nodeWidth);
  expect(xOf("b")).toBeGreaterThan(xOf("a") + nodeWidth);
  expect(edges).toEqual([{ from: "a", to: "b" }]);
  expect(stages.map(({ x }) => x)).toEqual([0, xOf("a")]);
});

test("a wide layer goes on in further columns, and no two tasks overlap", () => {
  const many = Array.from({ length: 130 }, (_, index) => nodeOf(`t${index}`));
  const last = nodeOf("last", { dependsOn: many.map(({ id }) => id) });
  const { tasks, width, height } = placeStages([{ key: "components", name: "", tasks: [...many, last] }]);
  expect(height).toBeLessThan(25 * (nodeHeight + 12));
  expect(Math.max(...tasks.map(({ x }) => x)) + nodeWidth).toBe(width);
  expect(tasks.at(-1)?.x).toBe(width - nodeWidth);
  for (const [index, a] of tasks.entries())
    for (const b of tasks.slice(index + 1))
      expect(Math.abs(a.x - b.x) >= nodeWidth || Math.abs(a.y - b.y) >= nodeHeight).toBe(true);
});

test("a thousand tasks are placed in a moment", () => {
  const tasks = Array.from({ length: 1000 }, (_, index) =>
    nodeOf(`t${index}`, {
      dependsOn: [index - 10, index - 17, index - 31].filter((at) => at >= 0).map((at) => `t${at}`),
    }),
  );
  const before = process.threadCpuUsage();
  expect(placeStages([{ key: "components", name: "", tasks }]).tasks).toHaveLength(1000);
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(2000);
});

test("nothing is placed of nothing", () => {
  expect(placeStages([])).toEqual({ tasks: [], edges: [], stages: [], width: 0, height: 0 });
});
