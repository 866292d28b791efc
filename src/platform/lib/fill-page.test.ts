import { expect, it } from "vitest";
import { fillPage } from "./fill-page.ts";

const numbers = Array.from({ length: 1_000 }, (_, index) => index);

async function pageOf(limit: number, isWanted: (row: number) => boolean, after = -1) {
  const looked: number[] = [];
  const items = await fillPage({
    limit,
    after,
    read: async (place: number, size) => numbers.filter((row) => row > place).slice(0, size),
    placeOf: (row) => row,
    toItem: async (row) => {
      looked.push(row);
      return isWanted(row) ? `item ${row}` : null;
    },
  });
  return { items, looked };
}

it("goes on behind rows that are left out, and stops as soon as the page is full", async () => {
  const { items, looked } = await pageOf(2, (row) => row % 450 === 449);
  expect(items).toEqual(["item 449", "item 899"]);
  expect(looked).toEqual(numbers.slice(0, 900));
});

it("ends with the rows, and begins after a place", async () => {
  expect((await pageOf(5, (row) => row >= 998)).items).toEqual(["item 998", "item 999"]);
  expect((await pageOf(5, () => true, 996)).items).toEqual(["item 997", "item 998", "item 999"]);
});
