import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalJson } from "./canonical-json.ts";
import { isUnstorable, safeJson, withoutUnstorable } from "./safe-json.ts";

const values = fc.jsonValue({ stringUnit: "binary" });

const textsIn = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? [...Object.keys(value), ...Object.values(value).flatMap(textsIn)]
      : [];

it("what is cleaned has texts and keys that PostgreSQL stores; what had only such ones stays the same", () => {
  fc.assert(
    fc.property(values, (value) => {
      const cleaned = withoutUnstorable(value);
      expect(textsIn(cleaned).filter((text) => text.includes("\0") || !text.isWellFormed())).toEqual([]);
      const json = JSON.stringify(value);
      if (isUnstorable(json)) return;
      expect(safeJson(value)).toBe(json);
      expect(JSON.stringify(cleaned)).toBe(json);
    }),
  );
});

it.each([
  ["a\0b", "a\ufffdb", "ab"],
  ["\ud800", "\ufffd", "\ufffd"],
])("%j is written as %j and cleaned to %j", (text, written, cleaned) => {
  expect(JSON.parse(safeJson([text]))).toEqual([written]);
  expect(withoutUnstorable({ [text]: [text] })).toEqual({ [cleaned]: [cleaned] });
});

it("canonical JSON is the same for every order of keys, and other for another value", () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1}]}');
  expect(canonicalJson({ a: null, b: [{ c: 2, d: 1 }] })).toBe('{"a":null,"b":[{"c":2,"d":1}]}');
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
});
