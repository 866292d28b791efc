import fc from "fast-check";
import { expect, it } from "vitest";
import { askedAs, likenessToPhrases, scoreByPhrases } from "./phrases.ts";

it("a question is like the phrases that share most of its words, also where each of them says little", () => {
  const likeness = likenessToPhrases("What am I allowed to do here?");
  const [[best] = []] = [...likeness].toSorted(([, a], [, b]) => b - a);
  expect(best).toBe("platform:who_am_i");
  expect(likenessToPhrases("")).toEqual(new Map());
  expect(likenessToPhrases("qwxz jkvq")).toEqual(new Map());
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 5_000 }), (query) => {
      for (const value of likenessToPhrases(query).values()) {
        expect(value).toBeGreaterThan(0);
        expect(value).toBeLessThanOrEqual(1.75 + 1e-9);
      }
    }),
  );
});

it("who says a phrase in other words of the same meaning is understood nearly as well", () => {
  const of = (query: string): number => likenessToPhrases(query).get("platform:roll_back") ?? 0;
  expect(of("undo the last deployment")).toBeGreaterThan(1);
  expect(of("revert the last rollout")).toBeGreaterThan(of("paint the last rollout"));
});

const windows = "docs/guides/running-plans.md#maintenance-windows";

it("a section scores by all of its phrases together, and also for mistyped words", () => {
  const of = (query: string): number => scoreByPhrases(query).ofKey(windows);
  // "weekends" and "freeze" are words of different phrases.
  expect(of("freeze at weekends")).toBeGreaterThan(of("freeze at qwxzjk"));
  expect(of("maintenence windos")).toBeGreaterThan(of("qwxz jkvq") + 0.05);
  expect(scoreByPhrases("").ofKey("no such key")).toBe(0);
});

it("a text without phrases scores by the part of the question that it has", () => {
  const { ofText } = scoreByPhrases("harbour tides");
  expect(ofText("Tides of the harbour")).toBeCloseTo(0.8);
  expect(ofText("The harbour")).toBeGreaterThan(0);
  expect(ofText("The harbour")).toBeLessThan(0.8);
  expect(ofText("")).toBe(0);
  expect(scoreByPhrases("").ofText("anything")).toBe(0);
});

it("scores are finite and bounded, whatever is asked", () => {
  expect(askedAs(windows)?.length).toBeGreaterThan(5);
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), (query) => {
      const score = scoreByPhrases(query).ofKey(windows);
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThan(4);
    }),
  );
});
