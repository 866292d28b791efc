import { expect, it } from "vitest";
import { fuse } from "./fuse.ts";

const order = (...rankings: number[][]): number[] => fuse(rankings).map(({ id }) => id);

it("one ranking stays as it is, with its scores", () => {
  expect(fuse([[7, 3]])).toEqual([
    { id: 7, score: 1 / 61 },
    { id: 3, score: 1 / 62 },
  ]);
  expect(fuse([])).toEqual([]);
});

it("what two rankings know comes before what one knows", () => {
  expect(order([1, 2, 3], [3, 4, 5])).toEqual([3, 1, 2, 4, 5]);
});

it("of equal ones the older comes first", () => {
  expect(order([9], [4])).toEqual([4, 9]);
});
