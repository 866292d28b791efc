import fc from "fast-check";
import { expect, it } from "vitest";
import { pageCursor, readPageCursor } from "./page-cursor.ts";

it("gives back what it was made from", () => {
  const part = fc
    .string({ unit: "binary", maxLength: 20 })
    .filter((text) => text.isWellFormed() && !text.includes("\0"));
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (key) => {
      expect(readPageCursor(pageCursor(key), key.length)).toEqual(key);
    }),
  );
});

it.each([
  ["nothing", ""],
  ["a word", "zebra"],
  ["another number of parts", pageCursor(["a"])],
  ["numbers", Buffer.from("[1,2]").toString("base64url")],
  ["an object", Buffer.from("{}").toString("base64url")],
  ["NUL", pageCursor(["a", "\0"])],
  ["half a surrogate pair", Buffer.from('["a","\\ud800"]').toString("base64url")],
])("refuses %s", (_, text) => {
  expect(readPageCursor(text, 2)).toBeNull();
});
