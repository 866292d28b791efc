import { expect, it } from "vitest";
import { adapterPlacesOf, environmentPlacesOf, operationTimeoutOf, timesOf } from "./limits.ts";

const limits = {
  callTimeoutMs: 1,
  taskTimeoutMs: 10,
  operationTimeoutMs: 100,
  perAdapter: 5,
  environments: [{ name: "production", callTimeoutMs: 2, operationTimeoutMs: 200, parallelTasks: 20 }],
  adapters: [
    { id: "slow", callTimeoutMs: 3, taskTimeoutMs: 30, parallelTasks: 1 },
    { id: "slow", environment: "production", callTimeoutMs: 4, parallelTasks: 2 },
    { id: "here", environment: "production", taskTimeoutMs: 50 },
  ],
};

it.each([
  ["nothing is said of either", "development", "fast", [1, 10, 5]],
  ["the environment has its own", "production", "fast", [2, 10, 5]],
  ["the adapter has its own everywhere", "development", "slow", [3, 30, 1]],
  ["the adapter has its own there, field by field", "production", "slow", [4, 30, 2]],
  ["adapter and environment say different things", "production", "here", [2, 50, 5]],
  ["the adapter has its own elsewhere only", "development", "here", [1, 10, 5]],
  ["a task has no adapter", "production", null, [2, 10, 5]],
])("call, task and parallel tasks when %s", (...[, environment, adapterId, wanted]) => {
  const { callTimeoutMs, taskTimeoutMs } = timesOf(limits, { environment, adapterId });
  const places = adapterPlacesOf(limits, { environment, adapterId });
  expect([callTimeoutMs, taskTimeoutMs, places]).toEqual(wanted);
});

it("the operation and the tasks at a time of an environment", () => {
  expect(operationTimeoutOf(limits, "production")).toBe(200);
  expect(operationTimeoutOf(limits, "development")).toBe(100);
  expect(environmentPlacesOf(limits, "production")).toBe(20);
  expect(environmentPlacesOf(limits, "development")).toBe(Infinity);
});
