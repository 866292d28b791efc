import { expect, it } from "vitest";
import { DatabaseWait } from "./database-wait.ts";
import {
  currentDatabaseWait,
  outsideRequest,
  withinDatabaseWait,
  withinRequest,
  withoutDatabaseWait,
  type RequestScope,
} from "./request-scope.ts";

it("follows what a request awaits, and nothing else", async () => {
  const wait = new DatabaseWait(1_000);
  const seen = await withinDatabaseWait(wait, async () => {
    await new Promise((next) => setImmediate(next));
    return [currentDatabaseWait(), withoutDatabaseWait(() => currentDatabaseWait())];
  });
  expect(seen).toEqual([wait, undefined]);
  expect(currentDatabaseWait()).toBeUndefined();
});

it("is that of the request, unless a part of its work has its own, and connections are opened within it", () => {
  const [ofRequest, ofInner, own] = [
    new DatabaseWait(1_000),
    new DatabaseWait(2_000),
    new DatabaseWait(3_000),
  ];
  const scopeOf = (databaseWait: DatabaseWait | undefined): RequestScope => ({
    requestId: "r",
    clientAddress: undefined,
    isOver: false,
    databaseWait,
  });
  const inner = (databaseWait?: DatabaseWait) =>
    withinRequest(scopeOf(databaseWait), () => currentDatabaseWait());
  const outer = () => [currentDatabaseWait(), outsideRequest(currentDatabaseWait), inner(ofInner), inner()];
  const seen = withinRequest(scopeOf(ofRequest), () => [
    outer(),
    withinDatabaseWait(own, outer),
    withoutDatabaseWait(outer),
    outsideRequest(() => withinDatabaseWait(own, outer)),
  ]);
  expect(seen).toEqual([
    [ofRequest, ofRequest, ofInner, undefined],
    [own, own, ofInner, undefined],
    [undefined, undefined, ofInner, undefined],
    [own, own, ofInner, undefined],
  ]);
  // What the process began at its start, within a limit of its own, has none in the requests that come later.
  expect(withinDatabaseWait(own, () => [inner(), inner(ofInner)])).toEqual([undefined, ofInner]);
  expect(
    withinDatabaseWait(own, () =>
      withinRequest(scopeOf(undefined), () => outsideRequest(currentDatabaseWait)),
    ),
  ).toBeUndefined();
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
