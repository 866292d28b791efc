import { expect, it } from "vitest";
import { createOwnerSlots } from "./owner-slots.ts";

it("an owner at the limit is full, and no task beyond it can start", () => {
  const slots = createOwnerSlots(3);
  expect([slots.full(), slots.free()]).toEqual([[], 3]);
  slots.begin("ada");
  slots.begin("ada");
  expect([slots.full(), slots.free()]).toEqual([[], 1]);
  slots.begin("bob");
  slots.begin("ada");
  expect([slots.full(), slots.free()]).toEqual([["ada"], 2]);
  slots.end("bob");
  expect([slots.full(), slots.free()]).toEqual([["ada"], 3]);
  slots.end("ada");
  expect([slots.full(), slots.free()]).toEqual([[], 1]);
});
