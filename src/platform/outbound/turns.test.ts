/** What begins at once is spread over turns, and nothing waits for ever. */
import { expect, it } from "vitest";
import { createTurns } from "./turns.ts";

it("gives each turn its share, in the order of asking", async () => {
  const turns = createTurns(10);
  let turn = 0;
  const count = (): void => {
    turn += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const done: { n: number; turn: number }[] = [];
  await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      await turns.take(5);
      done.push({ n, turn });
    }),
  );
  clearImmediate(counting);
  expect(done.map(({ n }) => n)).toEqual(Array.from({ length: 12 }, (_, n) => n));
  const ofTurns = Object.values(Object.groupBy(done, (each) => each.turn)).map((found) => found?.length);
  expect(ofTurns).toEqual([2, 2, 2, 2, 2, 2]);
});

it("a piece above the share has a turn of its own", async () => {
  const turns = createTurns(10);
  expect(turns.take(1_000)).toBeUndefined();
  await turns.take(1_000);
  await turns.take(1);
});
