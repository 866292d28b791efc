import fc from "fast-check";
import { expect, it } from "vitest";
import { createMask } from "./mask.ts";

const inPieces = (secrets: string[], pieces: readonly string[]): string[] => {
  const mask = createMask(secrets).pieces();
  return [...pieces.map((piece) => mask.push(piece)), mask.end()];
};

it.each<[string, string[], string[]]>([
  ["whole", ["the key sk-0001 again"], ["the key *** again", ""]],
  ["cut in two", ["the key sk-0", "001 again"], ["the key ", "*** again", ""]],
  ["letter by letter", ["s", "k", "-", "0", "0", "0", "1", "!"], ["", "", "", "", "", "", "***", "!", ""]],
  ["begun and not ended", ["the key sk-0", "002"], ["the key ", "sk-0002", ""]],
  ["begun at the end", ["as", "k"], ["a", "", "sk"]],
  ["begun twice", ["sk-0", "sk-0001"], ["", "sk-0***", ""]],
  ["in base64", ["it is c2stM", "DAwMQ."], ["it is ", "***.", ""]],
])("hides a secret that comes %s", (_how, pieces, out) => {
  expect(inPieces(["sk-0001"], pieces)).toEqual(out);
});

it("lets all through where there is nothing to hide", () => {
  expect(inPieces([], ["a", "b"])).toEqual(["a", "b", ""]);
});

it("hides the same in pieces as in the whole, and never the beginning of a secret before its end", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 30 });
  const secret = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 4, maxLength: 6 });
  fc.assert(
    fc.property(secret, fc.array(letters, { maxLength: 8 }), (hidden, pieces) => {
      expect(inPieces([hidden], pieces).join("")).toBe(createMask([hidden]).text(pieces.join("")));
      expect(inPieces([hidden], pieces).join("")).not.toContain(hidden);
    }),
  );
});
