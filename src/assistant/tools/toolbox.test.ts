import fc from "fast-check";
import { expect, it } from "vitest";
import { fitToLimit } from "./toolbox.ts";

it("leaves alone what fits", () => {
  expect(fitToLimit({ a: [1, 2] }, "Go on.")).toBe('{"a":[1,2]}');
  expect(fitToLimit(undefined, "Go on.")).toBe("null");
});

it("cuts long lists, says how many there were, and stays JSON", () => {
  const text = fitToLimit(
    { total: 500, entities: Array.from({ length: 500 }, (_, n) => ({ n })) },
    "Go on.",
    1_000,
  );
  const { note, answer } = JSON.parse(text) as {
    note: string;
    answer: { total: number; entities: unknown[] };
  };
  expect(note).toContain("Go on.");
  expect(answer.total).toBe(500);
  expect(answer.entities.at(0)).toEqual({ n: 0 });
  expect(answer.entities.at(-1)).toMatch(/^… \d+ more$/);
});

it("cuts the text where there is nothing else to cut", () => {
  const text = fitToLimit({ text: "x".repeat(5_000) }, "Ask less.", 1_000);
  expect(text).toHaveLength(1_000);
  expect(text).toMatch(/5011 characters. Ask less.\)$/);
});

it("never exceeds its limit", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 200, max: 2_000 }), (value, limit) => {
      expect(fitToLimit([value, value, value], "Go on.", limit).length).toBeLessThanOrEqual(limit);
    }),
  );
});
