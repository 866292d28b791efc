import fc from "fast-check";
import { expect, it } from "vitest";
import { excerptOf, fuse } from "./service.ts";

it("what is short stays whole, on one line", () => {
  expect(excerptOf("  The tide\n\nis high. ", ["tide"])).toBe("The tide is high.");
});

it("shows where most words of the question are", () => {
  const text = `${"sand ".repeat(100)}the pilot boards at dawn ${"mud ".repeat(100)}`;
  const shown = excerptOf(text, ["pilot", "dawn"], 80);
  expect(shown).toContain("pilot boards at dawn");
  expect(shown).toMatch(/^….*…$/);
});

it("is never longer than its limit", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 900 }), fc.array(fc.string()), (text, words) => {
      expect(excerptOf(text, words, 120).length).toBeLessThanOrEqual(120);
    }),
  );
});

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
