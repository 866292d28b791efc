import { afterEach, expect, it } from "vitest";
import { createConcurrency, type Need } from "./concurrency.ts";
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
  let woken = 0;
  const needs: Need[] = [{ name, limit: 9, used: 1, waiting: 2 }];
  const concurrency = createConcurrency(
    () => void woken++,
    () => now,
  );
  closers.push(concurrency.close);
  concurrency.join({
    needs: () => needs,
    onGrown: () => void grown++,
    begin: () => undefined,
  });
  const pass = (ms: number): void => void (now += ms);
  const shares = concurrency.shares;
  return { concurrency, shares, needs, pass, grown: () => grown, woken: () => woken };
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

const row = { memberId: "me", name, period: 0, demand: 0, share: 4, used: 0 };

it("keeps a share that nothing needs for as long as it has the row, and uses none that others have removed", () => {
  const { concurrency, shares, needs } = stage();
  concurrency.apply([decision(4)]);
  needs.length = 0;
  concurrency.wants([row]);
  expect(shares.usable(name, 9)).toBe(4);
  expect(concurrency.wants([])).toEqual([]);
  expect(shares.usable(name, 9)).toBe(0);
});

it("the same where a limit is named of which nothing is in use", () => {
  const { concurrency, shares, needs } = stage();
  concurrency.apply([decision(4)]);
  needs.splice(0, 1, { name, limit: 9, used: 0, waiting: 0 });
  concurrency.wants([]);
  expect(shares.usable(name, 9)).toBe(0);
});

it("keeps what is at work when others have removed the share", () => {
  const { concurrency, needs } = stage();
  concurrency.apply([decision(4)]);
  needs.splice(0, 1, { name, limit: 9, used: 3, waiting: 0 });
  expect(concurrency.wants([])).toMatchObject([{ name, used: 3, demand: 3 }]);
});

it("asks again where what had asked is gone before the round", () => {
  const { concurrency, shares, needs, woken } = stage();
  shares.ask(name);
  shares.ask(name);
  expect(woken()).toBe(1);
  needs.length = 0;
  concurrency.wants([]);
  shares.ask(name);
  expect(woken()).toBe(2);
});
