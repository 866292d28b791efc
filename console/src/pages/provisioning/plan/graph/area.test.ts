import { expect, test } from "vitest";
import { areaAround, doTouch, isWithin } from "./area.ts";

const view = { left: 0, top: 0, right: 100, bottom: 50 };

test("there is a margin around what is in view, within which one can move", () => {
  expect(areaAround(view)).toEqual({ left: -40, top: -20, right: 140, bottom: 70 });
  const moved = { left: 35, top: -15, right: 135, bottom: 35 };
  expect(isWithin(moved, areaAround(view))).toBe(true);
  expect(isWithin({ ...moved, right: 141 }, areaAround(view))).toBe(false);
  expect(isWithin({ ...moved, top: -21 }, areaAround(view))).toBe(false);
});

test("what touches the area is in it, and what is beside it is not", () => {
  const box = (left: number, top: number) => ({ left, top, right: left + 10, bottom: top + 10 });
  expect(doTouch(box(95, 45), view)).toBe(true);
  expect(doTouch(box(-9, 0), view)).toBe(true);
  expect(doTouch(box(100, 0), view)).toBe(false);
  expect(doTouch(box(0, -10), view)).toBe(false);
});
