import { expect, test } from "vitest";
import { findItem, itemsOf, nextOffset } from "./all-pages.ts";

/** A list that is read by offsets, two at a time. */
const listOf = (total: number) => {
  const asked: (number | undefined)[] = [];
  const read = async (place: number | undefined) => {
    asked.push(place);
    const offset = place ?? 0;
    const data = Array.from(
      { length: Math.max(0, Math.min(2, total - offset)) },
      (_, index) => offset + index,
    );
    return { data, next: nextOffset({ data, meta: { pagination: { offset, total } } }) };
  };
  return { asked, items: () => itemsOf(read) };
};

test.each([0, 1, 2, 3, 4, 205])("of %i items each is read once and in order", async (total) => {
  const { items } = listOf(total);
  const all: number[] = [];
  for await (const item of items()) all.push(item);
  expect(all).toEqual(Array.from({ length: Math.min(total, 200) }, (_, index) => index));
});

test("what is found ends the reading", async () => {
  const { asked, items } = listOf(9);
  expect(await findItem(items(), (item) => item === 4)).toBe(4);
  expect(asked).toEqual([undefined, 2, 4]);
  expect(await findItem(items(), (item) => item === 9)).toBeUndefined();
});
