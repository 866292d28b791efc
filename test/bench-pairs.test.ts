import { expect, it } from "vitest";
import { resultsIn, type BenchResult } from "../bench/support/command.ts";
import { comparePairs, worstRatio } from "../bench/support/pairs.ts";

const result = (cpuMsPerUnit: number, perSecond = 100, name = "starts"): BenchResult[] => [
  { name, unit: "start", cpuMsPerUnit, perSecond },
];

it("compares the two runs of each pair, so that a machine that becomes slower says nothing", () => {
  const pairs = [1, 2, 4].map((load) => ({ before: result(10 * load), after: result(11 * load, 50) }));
  const [compared, ...more] = comparePairs(pairs);
  expect(more).toEqual([]);
  expect(compared).toMatchObject({
    name: "starts",
    unit: "start",
    cpuMs: { before: 20, after: 22 },
    rateRatio: 0.5,
  });
  expect(compared?.cpuRatio).toBeCloseTo(1.1);
  expect(compared?.cpuRatio).toBeGreaterThan(worstRatio);
});

it("leaves out a result that a run lacks", () => {
  const pairs = [
    { before: result(1), after: result(1) },
    { before: result(1, 100, "other"), after: result(1) },
  ];
  expect(comparePairs(pairs)).toEqual([]);
});

it("finds results among the other lines that a bench prints", () => {
  const [expected] = result(3);
  expect(resultsIn(`starts accepted 200 /s\n${JSON.stringify(expected)}\ndone\n`)).toEqual([expected]);
});
