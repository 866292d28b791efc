import { expect, it } from "vitest";
import {
  currentDatabaseWait,
  DatabaseWait,
  withinDatabaseWait,
  withoutDatabaseWait,
} from "./database-wait.ts";

it("follows what a request awaits, and nothing else", async () => {
  const wait = new DatabaseWait(1_000);
  const seen = await withinDatabaseWait(wait, async () => {
    await new Promise((next) => setImmediate(next));
    return [currentDatabaseWait(), withoutDatabaseWait(() => currentDatabaseWait())];
  });
  expect(seen).toEqual([wait, undefined]);
  expect(currentDatabaseWait()).toBeUndefined();
});

it("counts the time of waits, overlapping ones once, and leaves a little for a rollback", async () => {
  const wait = new DatabaseWait(60_000);
  const first = performance.now();
  wait.begin();
  wait.begin();
  const before = performance.now();
  while (performance.now() - before < 5) await new Promise((next) => setImmediate(next));
  wait.end();
  wait.end();
  const spent = 60_000 - wait.left();
  expect(spent).toBeGreaterThanOrEqual(5);
  expect(spent).toBeLessThanOrEqual(performance.now() - first);
  // What is awaited between two waits does not count.
  await new Promise((next) => setImmediate(next));
  expect(60_000 - wait.left()).toBe(spent);
  expect(new DatabaseWait(0).left()).toBeGreaterThan(0);
});

it("has no limit once the answer has begun", () => {
  let isAnswered = false;
  const wait = new DatabaseWait(1_000, () => isAnswered);
  expect(wait.left()).toBe(1_000);
  isAnswered = true;
  expect(wait.left()).toBe(Infinity);
});
