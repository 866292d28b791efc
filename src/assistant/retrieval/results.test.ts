import fc from "fast-check";
import { expect, it } from "vitest";
import { excerptOf } from "./excerpt.ts";
import { fuse, weightOf, withPhrases } from "./service.ts";

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

const order = (words: number[], vectors: number[], weight: number): number[] =>
  fuse({ words, vectors, weight }).map(({ id }) => id);

it("one ranking stays as it is, with its scores", () => {
  expect(fuse({ words: [7, 3], vectors: [], weight: 1 })).toEqual([
    { id: 7, score: 1 / 11 },
    { id: 3, score: 1 / 12 },
  ]);
  expect(fuse({ words: [], vectors: [], weight: 1 })).toEqual([]);
});

it("what two rankings know comes before what one knows", () => {
  expect(order([1, 2, 3], [3, 4, 5], 1)).toEqual([3, 1, 2, 4, 5]);
});

const section = "docs/guides/running-plans.md#drift";
const likeOf = (like: number) => (key: string) => (key === section ? like : undefined);
const hits = [1, 0.9, 0.8, 0.7].map((score, at) => ({ id: at + 1, score }));
const documentOf = (id: number) => ({
  title: `Tide ${id}`,
  body: "",
  phrasesKey: id > 2 ? section : "",
});

it("a passage whose phrases are like the question comes before one with somewhat more of its words", () => {
  const orderAt = (like: number): number[] =>
    withPhrases(hits, { ofKey: likeOf(like), ofText: () => 0 }, documentOf);
  // Only the first passage of the section has its phrases.
  expect(orderAt(0.5)).toEqual([3, 1, 2, 4]);
  expect(orderAt(0.1)).toEqual([1, 3, 2, 4]);
  expect(orderAt(0)).toEqual([1, 2, 3, 4]);
  expect(withPhrases([], { ofKey: likeOf(1), ofText: () => 1 }, documentOf)).toEqual([]);
});

it("the title and the beginning of the text stand for phrases where there are none", () => {
  const texts: string[] = [];
  const ofText = (text: string): number => {
    texts.push(text);
    return text.startsWith("Tide 2") ? 0.5 : 0;
  };
  expect(withPhrases(hits, { ofKey: likeOf(0), ofText }, documentOf)).toEqual([2, 1, 3, 4]);
  expect(texts).toEqual(["Tide 1 ", "Tide 2 "]);
});

it("of equal ones the older comes first", () => {
  expect(order([9], [4], 1)).toEqual([4, 9]);
});

it("vectors that do not agree with the words change nothing of their order, and follow them", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(300)), fc.uniqueArray(fc.nat(300)), (words, vectors) => {
      const found = order(words.slice(0, 100), vectors.slice(0, 100), 0);
      expect(found.slice(0, Math.min(100, words.length))).toEqual(words.slice(0, 100));
    }),
  );
  expect(order([], [5, 4], 0)).toEqual([5, 4]);
});

it.each([
  [null, 0],
  [0, 0],
  [0.3, 0],
  [0.45, 0.5],
  [0.6, 1],
  [1, 1],
])("an agreement of %j counts %j", (agreement, weight) => {
  expect(weightOf({ agreement })).toBeCloseTo(weight);
});
