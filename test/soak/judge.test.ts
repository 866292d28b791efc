import { expect, it } from "vitest";
import { judgeSeries } from "./judge.ts";

const samplesOf = (name: string, values: readonly number[]) =>
  values.map((value, at) => ({ atMs: at, values: new Map([[name, value]]) }));

it.each<[string, number[], boolean]>([
  ["memory of the server", [100, 150, 200, 201, 200, 202], false],
  ["memory of the server", [100, 150, 200, 201, 240, 262], true],
  ["files of the worker", [20, 20, 25, 24, 26, 30], false],
  ["files of the worker", [20, 20, 25, 24, 30, 40], true],
  ["rows of plan_tasks", [0, 5_000, 9_000, 4_000, 9_500, 4_000], false],
  ["rows of plan_tasks", [0, 5_000, 9_000, 14_000, 19_000, 24_000], true],
  ["MB of events", [1, 5, 9, 9, 12, 12], false],
  ["MB of events", [1, 5, 9, 14, 19, 24], true],
])("%s: %j", (name, values, grows) => {
  expect(judgeSeries(samplesOf(name, values))).toMatchObject([{ name, grows }]);
});
