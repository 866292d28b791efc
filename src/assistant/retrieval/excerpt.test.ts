import fc from "fast-check";
import { expect, it } from "vitest";
import { excerptOf } from "./excerpt.ts";

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
