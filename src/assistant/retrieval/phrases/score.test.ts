import fc from "fast-check";
import { expect, it } from "vitest";
import { askedAs, askedPhrases } from "./asked-as.ts";
import { scoreByPhrases } from "./score.ts";

/** Of all keys, the one that scores most. */
async function bestFor(query: string): Promise<string | undefined> {
  const { ofKey } = await scoreByPhrases(query);
  return Object.keys(askedPhrases()).toSorted((a, b) => (ofKey(b) ?? 0) - (ofKey(a) ?? 0))[0];
}

it("a question is like the phrases that share most of its words, also where each of them says little", async () => {
  expect(await bestFor("What am I allowed to do here?")).toBe("platform:who_am_i");
});

it("each phrase finds its own key before the others, but where others have nearly the same", async () => {
  const keys = Object.keys(askedPhrases()).filter((_, at) => at % 40 === 0);
  const found = await Promise.all(keys.map(async (key) => (await bestFor(askedAs(key)?.[4] ?? "")) === key));
  expect(found.filter(Boolean).length).toBeGreaterThanOrEqual(keys.length - 2);
});

it("who says a phrase in other words of the same meaning is understood nearly as well", async () => {
  const of = async (query: string): Promise<number> =>
    (await scoreByPhrases(query)).ofKey("platform:roll_back") ?? 0;
  expect(await of("revert the last rollout")).toBeGreaterThan(await of("paint the last rollout"));
});

const windows = "docs/guides/running-plans.md#maintenance-windows";

it("a section scores by all of its phrases together, and also for mistyped words", async () => {
  const of = async (query: string): Promise<number> => (await scoreByPhrases(query)).ofKey(windows) ?? 0;
  // "weekends" and "freeze" are words of different phrases.
  expect(await of("freeze at weekends")).toBeGreaterThan(await of("freeze at qwxzjk"));
  expect(await of("maintenence windos")).toBeGreaterThan((await of("qwxz jkvq")) + 0.05);
  expect((await scoreByPhrases("")).ofKey("no such key")).toBeUndefined();
});

it("a text without phrases scores by the part of the question that it has", async () => {
  const { ofText } = await scoreByPhrases("harbour tides");
  expect(ofText("Tides of the harbour")).toBeCloseTo(0.8);
  expect(ofText("The harbour")).toBeGreaterThan(0);
  expect(ofText("The harbour")).toBeLessThan(0.8);
  expect(ofText("")).toBe(0);
  expect((await scoreByPhrases("")).ofText("anything")).toBe(0);
});

it("scores are finite and bounded, whatever is asked", async () => {
  expect(askedAs(windows)?.length).toBeGreaterThan(5);
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 2_000 }), async (query) => {
      const score = (await scoreByPhrases(query)).ofKey(windows);
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThan(5);
    }),
  );
});
