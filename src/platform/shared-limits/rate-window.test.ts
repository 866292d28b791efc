import { expect, it } from "vitest";
import type { Member, View } from "./plan-round.ts";
import { rateWindow } from "./rate-window.ts";

const minute = 60_000;
const member = (id: string, joinedMs: number, serves = true): Member => ({
  id,
  serves,
  joinedMs,
  workerId: null,
  heartbeatMs: joinedMs,
  goneMs: null,
  isDead: false,
});
const view = (...members: Member[]): View => ({ nowMs: 5 * minute + 20_000, members, shares: [] });
const base = (own: string, seen: View, mostServing = 0): number =>
  rateWindow(seen, { own, perMinute: 600, mostServing }).base;

it("gives each process an equal part, and the only one all", () => {
  expect(base("a", view(member("a", 0)))).toBe(600);
  expect(base("a", view(member("a", 0), member("worker", 0, false)))).toBe(600);
  expect(
    ["a", "b", "c"].map((own) => base(own, view(member("a", 0), member("b", 1), member("c", 2)))),
  ).toEqual([200, 200, 200]);
});

it("gives a process that joins during the minute little until the next one, for the others hold all of it", () => {
  const seen = view(member("a", 0), member("b", 5 * minute + 1));
  expect([base("a", seen), base("b", seen)]).toEqual([600, 30]);
  expect(rateWindow(seen, { own: "b", perMinute: 600, mostServing: 1 }).nextBase).toBe(300);
});

it("keeps the part of a process that is gone until the minute is over", () => {
  const seen = view(member("a", 0));
  expect(base("a", seen, 2)).toBe(300);
  expect([...rateWindow(seen, { own: "a", perMinute: 600, mostServing: 2 }).others.values()]).toEqual([
    { share: 300, demand: 0, isGone: true },
  ]);
});
