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

const letter = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz".split(""));
const manyLines = (seed: number, count: number, length: number): string[] =>
  fc.sample(fc.string({ unit: letter, minLength: length, maxLength: length }), { seed, numRuns: count });

it("hides every line of a secret that is as long as one may be", () => {
  const lines = manyLines(1, 1_000, 64);
  const mask = createMask([lines.join("\n")]);
  const forms = (line: string) => [line, Buffer.from(line).toString("base64url")];
  for (const line of lines) {
    expect(mask.text(`a ${forms(line).join(" ")} b`)).toBe("a *** *** b");
  }
  expect(mask.text(lines.join("\n"))).toBe("***");
  expect(mask.text(`x${lines.join("\n")}`)).toBe("x***");
  expect(mask.text(lines.join(" "))).toBe(lines.map(() => "***").join(" "));
  expect(mask.json({ [lines[0]!]: [`${lines[999]}`] })).toEqual({ "***": ["***"] });
  expect(mask.text("nothing of it")).toBe("nothing of it");
});

it("hides the longest of many secrets that begin at a place", () => {
  const nested = Array.from({ length: 300 }, (_, count) => "ab".repeat(count + 2));
  const mask = createMask(nested);
  expect(mask.text(`<${"ab".repeat(301)}>`)).toBe("<***>");
  expect(mask.text(`<${"ab".repeat(2)}c${"ab".repeat(17)}a>`)).toBe("<***c***a>");
});

it("finds a secret in bytes, wherever it stands", () => {
  const lines = [...manyLines(2, 1_000, 40), "größer als Łódź"];
  const mask = createMask([lines.join("\n")]);
  const padding = Buffer.alloc(600_000, ".");
  for (const line of [lines[0]!, lines[500]!, lines[1_000]!]) {
    expect(mask.finds(Buffer.concat([padding, Buffer.from(line), padding]))).toBe(true);
    expect(mask.finds(Buffer.concat([padding, Buffer.from(line).subarray(1), padding]))).toBe(false);
  }
});

it("hides what a search for each form hides", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 60 });
  const secret = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 3, maxLength: 9 });
  fc.assert(
    fc.property(fc.array(secret, { maxLength: 12 }), fc.array(text, { maxLength: 4 }), (secrets, pieces) => {
      const longestFirst = secrets.toSorted((a, b) => b.length - a.length);
      const whole = pieces.join("");
      const expected =
        secrets.length === 0 ? whole : whole.replaceAll(new RegExp(longestFirst.join("|"), "g"), "***");
      expect(createMask(secrets).text(whole)).toBe(expected);
      expect(createMask(secrets).finds(Buffer.from(whole))).toBe(
        secrets.some((each) => whole.includes(each)),
      );
    }),
  );
});

it("hides a secret however deep it lies, and copies everything else as it is", () => {
  const levels = 20_000;
  const deep: unknown = JSON.parse(`${'{"a":['.repeat(levels)}"the key sk-0001"${"]}".repeat(levels)}`);
  let masked: any = createMask(["sk-0001"]).json(deep);
  for (let level = 0; level < levels; level += 1) masked = masked.a[0];
  expect(masked).toBe("the key ***");
  const text = '{"__proto__":{"x":[1,null,{}]},"constructor":[],"b":true,"sk-0001":41}';
  expect(JSON.stringify(createMask(["sk-0001"]).json(JSON.parse(text)))).toBe(text.replace("sk-0001", "***"));
});

it("hides the rest of a text that is full of beginnings of a secret, and takes no more than that", () => {
  const long = createMask([`${"a".repeat(65_535)}b`]);
  const text = "a".repeat(300_000);
  expect(long.text(text)).toMatch(/^a{1,1000}\*\*\*$/);
  expect(long.text(`${"a".repeat(65_535)}b`)).toBe("***");
  expect(long.text(`<${"a".repeat(70_000)}b>`)).toMatch(/^<a*\*\*\*(?:>?)$/);
  const nested = createMask(Array.from({ length: 2_000 }, (_, count) => `aaax${"a".repeat(count)}`));
  expect(nested.text("aaay".repeat(100_000))).toMatch(/^(?:aaay)*(?:\*\*\*)?$/);
});

it("hides a secret in a text with many beginnings of it", () => {
  const secret = `${"-".repeat(60)}key`;
  const lines = `${"-".repeat(59)}\n`.repeat(100);
  expect(createMask([secret]).text(`${lines}${secret}${lines}`)).toBe(`${lines}***${lines}`);
});
