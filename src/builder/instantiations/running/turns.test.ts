import { expect, it } from "vitest";
import { createTurns } from "./turns.ts";

it("one user's tasks take turns, first come first served, and others do not wait for them", () => {
  const turns = createTurns(2);
  expect(["a", "b", "c", "d", "c"].map((id) => turns.begin("ada", id))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  expect([turns.begin("bob", "x"), turns.full()]).toEqual([true, ["ada"]]);
  expect([turns.end("ada"), turns.full()]).toEqual(["c", []]);
  expect(turns.begin("ada", "c")).toBe(true);
  expect([turns.end("ada"), turns.end("ada"), turns.end("bob")]).toEqual(["d", undefined, undefined]);
  expect(turns.full()).toEqual([]);
});

it("no more are kept than there is room for", () => {
  const turns = createTurns(1);
  for (let n = 0; n < 1_500; n += 1) turns.begin("ada", `t${n}`);
  let next = turns.end("ada");
  let count = 0;
  for (; next !== undefined; next = turns.end("ada")) count += 1;
  expect(count).toBe(1_000);
});
