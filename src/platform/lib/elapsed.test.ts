import { expect, it } from "vitest";
import { createElapsed } from "./elapsed.ts";

const minute = 60_000;

it("goes on from where it was when the clock is set back", () => {
  let at = 100 * minute;
  const elapsed = createElapsed(() => at, 99 * minute);
  expect(elapsed()).toBe(minute);
  at -= 60 * minute;
  expect(elapsed()).toBe(minute);
  at += 2 * minute;
  expect(elapsed()).toBe(3 * minute);
});

it("begins with nothing where the clock is behind that of who began it", () => {
  let at = 10 * minute;
  const elapsed = createElapsed(() => at, 70 * minute);
  expect(elapsed()).toBe(0);
  at += minute;
  expect(elapsed()).toBe(minute);
});
