import { afterEach, expect, it } from "vitest";
import { createConcurrency } from "./concurrency.ts";
import type { Decision } from "./plan-round.ts";

const closers: (() => void)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

const name = "tasks of x";
const decision = (usable: number): Decision => ({
  name,
  period: 0,
  limit: 9,
  demand: 3,
  used: 1,
  implied: 0,
  share: usable,
  usable,
  usedElsewhere: 4,
  isChanged: false,
  concernsOthers: false,
});

function stage() {
  let now = 0;
  let grown = 0;
  const concurrency = createConcurrency(
    () => undefined,
    () => now,
  );
  closers.push(concurrency.close);
  concurrency.join({
    needs: () => [{ name, limit: 9, used: 1, waiting: 2 }],
    onGrown: () => void grown++,
    begin: () => undefined,
  });
  const pass = (ms: number): void => void (now += ms);
  return { concurrency, shares: concurrency.shares, pass, grown: () => grown };
}

it("a process has nothing of a limit before its first round, and then what was agreed", () => {
  const { concurrency, shares, grown } = stage();
  expect(shares.usable(name, 9)).toBe(0);
  concurrency.apply([decision(4)]);
  expect([shares.usable(name, 9), shares.usedElsewhere(name), grown()]).toEqual([4, 4, 1]);
  expect(shares.usable(name, 2)).toBe(2);
});

it("a process that did not run for a while begins nothing until a round that began afterwards is over", () => {
  const { concurrency, shares, pass, grown } = stage();
  concurrency.apply([decision(4)]);
  concurrency.wants([]);
  pass(3_500);
  expect(shares.usable(name, 9)).toBe(0);
  // The round that was under way when the process stopped to run.
  concurrency.hasRun();
  expect(shares.usable(name, 9)).toBe(0);
  concurrency.wants([]);
  concurrency.apply([decision(1)]);
  concurrency.hasRun();
  expect([shares.usable(name, 9), grown()]).toEqual([0, 2]);
});

it("gives back at once what a round takes away", () => {
  const { concurrency, shares } = stage();
  concurrency.apply([decision(4)]);
  concurrency.tighten([decision(2)], []);
  expect(shares.usable(name, 9)).toBe(2);
  concurrency.tighten([decision(3)], []);
  expect(shares.usable(name, 9)).toBe(2);
});
