import { expect, test } from "vitest";
import { isLongList, whileShort } from "./long-lists.ts";

const listOf = (...pages: string[][]) => ({ state: { data: { pages } } });

test("a list is read again by itself while two pages of it were read, and no longer with three", () => {
  const interval = whileShort(10_000);
  expect(interval({ state: { data: undefined } })).toBe(10_000);
  expect(interval(listOf(["a"], ["b"]))).toBe(10_000);
  expect(interval(listOf(["a"], ["b"], ["c"]))).toBe(false);
});

test("whether there is anything to follow is asked for as long", () => {
  const interval = whileShort((pages: readonly string[][]) =>
    pages.flat().includes("open") ? 3_000 : false,
  );
  expect(interval(listOf(["open"]))).toBe(3_000);
  expect(interval(listOf(["done"]))).toBe(false);
  expect(interval(listOf(["open"], ["done"], ["done"]))).toBe(false);
});

test.each([undefined, null, [], {}, { pages: 3 }, { pages: [[], []] }])("%j is no long list", (data) => {
  expect(isLongList(data)).toBe(false);
});
