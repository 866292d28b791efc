import fc from "fast-check";
import { expect, it } from "vitest";
import { queryTerms, queryWords, wordsOf } from "./passages.ts";

it.each<[string, string[]]>([
  ["", []],
  ["The harbour's tides", ["the", "harbour", "s", "tides"]],
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

it("terms hold nothing but letters and digits, whatever is asked", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      for (const term of queryTerms(queryWords(text)))
        expect(term).toMatch(/^'[\p{L}\p{N}]{1,64}'(?::\*)?$/u);
    }),
  );
  expect(queryTerms(["at", "sea"])).toEqual(["'at'", "'sea':*"]);
});
