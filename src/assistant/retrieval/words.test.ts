import fc from "fast-check";
import { expect, it } from "vitest";
import stopWords from "./stop-words.json" with { type: "json" };
import synonyms from "./synonyms.json" with { type: "json" };
import { longestPhrase, queryTerms, queryWords, wordsOf } from "./words.ts";

it.each<[string, string[]]>([
  ["", []],
  ["The harbour's tides", ["the", "harbour", "s", "tides"]],
  [
    "it can't, cannot, won’t and doesn't",
    ["it", "can", "not", "can", "not", "will", "not", "and", "does", "not"],
  ],
  ["customerOrders", ["customer", "orders", "customerorders"]],
  ["XMLHttpRequest2", ["xml", "http", "request2", "xmlhttprequest2"]],
  ["snake_case-and.dots", ["snake", "case", "and", "dots"]],
  ["urn:dmb:cmp:sea:ports:0", ["urn", "dmb", "cmp", "sea", "ports", "0"]],
  ["platform:build_descriptor", ["platform", "build", "descriptor"]],
  ["Café ÜBER ﬁne", ["cafe", "uber", "fine"]],
  ["S3 A2A v2", ["s3", "a2", "a", "a2a", "v2"]],
  ["\0 ' & | ! <-> :* \\ \ud800", []],
])("the words of %j", (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

it("a question has each word once, and not too many", () => {
  expect(queryWords("ports ports Ports of the sea")).toEqual(["ports", "of", "the", "sea"]);
  expect(queryWords(Array.from({ length: 5_000 }, (_, n) => `w${n}`).join(" "))).toHaveLength(24);
  expect(queryWords("x".repeat(10_000))).toEqual(["x".repeat(64)]);
});

it("terms hold nothing but letters, digits and single spaces, whatever is asked, and are bounded", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      for (const { text: term } of queryTerms(text))
        expect(term).toMatch(/^[\p{L}\p{N}]{1,64}(?: [\p{L}\p{N}]+)*$/u);
    }),
  );
  const everything = synonyms.meanings.flatMap(({ said }) => said).join(" ");
  expect(queryTerms(everything.repeat(20)).length).toBeLessThanOrEqual(48);
});

const termsOf = (query: string): Record<string, number> =>
  Object.fromEntries(queryTerms(query).map(({ text, factor }) => [text, factor]));

it("words that say nothing are left out, unless there are no others", () => {
  expect(Object.keys(termsOf("please show me something about tides"))).toEqual(["tides"]);
  expect(Object.keys(termsOf("somebody wants their own boat all the time"))).toEqual(["boat"]);
  expect(Object.keys(termsOf("show me"))).toEqual(["show", "me"]);
  expect(Object.keys(termsOf("show something"))).toEqual(["show", "something"]);
});

it("a word that means something on a data platform is no stop word, though the list has it", () => {
  for (const word of stopWords.meaningful) {
    expect(stopWords.smart).toContain(word);
    expect(termsOf(`${word} of the boat`), word).toHaveProperty(word);
  }
});

it("a word of the field brings what it means, in any of its endings", () => {
  for (const word of ["undo", "undone", "reverting", "Rollback"])
    expect(termsOf(word), word).toMatchObject({ "roll back": 0.85 });
  const [own, ...meant] = queryTerms("undo");
  expect(own).toEqual({ group: 0, text: "undo", factor: 1, isOwn: true });
  expect(meant.map(({ group, isOwn }) => [group, isOwn])).toEqual([
    [0, false],
    [0, false],
  ]);
});

it("a negation means the same however it is said", () => {
  for (const said of ["the model doesn't answer", "The model won’t answer", "the model cannot answer"])
    expect(termsOf(said), said).toHaveProperty("does not answer");
});

it("a phrase means more than its words", () => {
  const terms = termsOf("somebody changed it by hand");
  expect(terms).toMatchObject({ drift: 0.85, hand: 0.3 });
  expect(termsOf("get rid of it")).toMatchObject({ undeploy: 0.85, rid: 0.3 });
  // "reverse" alone would mean to roll back.
  expect(termsOf("a reverse proxy")).not.toHaveProperty("roll back");
});

it("every phrase of the table can be said, and means something else", () => {
  for (const { said, meant } of synonyms.meanings) {
    expect(meant.length).toBeGreaterThan(0);
    for (const phrase of said) {
      expect(wordsOf(phrase).length, phrase).toBeLessThanOrEqual(longestPhrase);
      expect(queryTerms(phrase).length, phrase).toBeGreaterThan(0);
    }
  }
});
