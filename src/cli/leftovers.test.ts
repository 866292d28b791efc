import { expect, test } from "vitest";
import { descendantsOf } from "./leftovers.ts";

test("everything below a process, children first, and nothing beside it", () => {
  const table = "    1     0\n   10     1\n   11    10\n   12    10\n   13    11\n   20     1\n   21    20\n";
  expect(descendantsOf(10, table)).toEqual([13, 12, 11]);
  expect(descendantsOf(99, table)).toEqual([]);
  expect(descendantsOf(10, "")).toEqual([]);
});
