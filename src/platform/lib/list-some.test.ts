import { expect, it } from "vitest";
import { listSome } from "./list-some.ts";

it.each([
  [[], ""],
  [["a"], "a"],
  [["a", "b"], "a, b"],
  [["a", "b", "c"], "a, b and 1 more"],
])("the first two of %j are listed as %j", (texts, listed) => {
  expect(listSome(texts, 2)).toBe(listed);
});
