import fc from "fast-check";
import { expect, it } from "vitest";
import { isCursorTime, pageCursor, pageOf, readPageCursor } from "./page-cursor.ts";

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

it("a page has at most its limit of rows, and a next one when there was one row more", () => {
  fc.assert(
    fc.property(fc.nat({ max: 20 }), fc.integer({ min: 1, max: 10 }), (size, limit) => {
      const all = Array.from({ length: size }, (_, n) => `${n}`);
      const seen: string[] = [];
      for (let next: string | null = pageCursor(["-1"]); next !== null;) {
        const [after = ""] = readPageCursor(next, 1) ?? [];
        const rows = all.slice(Number(after) + 1).slice(0, limit + 1);
        const found: { page: string[]; next: string | null } = pageOf(rows, limit, (row) => [row]);
        expect(found.page.length).toBeLessThanOrEqual(limit);
        seen.push(...found.page);
        next = found.next;
      }
      expect(seen).toEqual(all);
    }),
  );
});

it.each([
  ["2026-11-22T08:00:00.000Z", true],
  ["2026-11-22T08:00:00Z", false],
  ["2026-13-22T08:00:00.000Z", false],
  // Date.parse takes these, PostgreSQL does not.
  ["2026-02-30T00:00:00.000Z", false],
  ["2026-02-28T24:00:00.000Z", false],
  ["0000-01-01T00:00:00.000Z", false],
  ["0001-01-01T00:00:00.000Z", true],
  ["yesterday", false],
])("that %s is a time of a cursor is %s", (text, expected) => {
  expect(isCursorTime(text)).toBe(expected);
});
