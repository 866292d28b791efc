/** What begins at once is spread over pace, and nothing waits for ever. */
import { expect, it } from "vitest";
import { createPace } from "./pace.ts";

it("gives each pass its share, in the order of asking", async () => {
  const pace = createPace(10);
  let pass = 0;
  const count = (): void => {
    pass += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const done: { n: number; pass: number }[] = [];
  await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      await pace.take(5);
      done.push({ n, pass });
    }),
  );
  clearImmediate(counting);
  expect(done.map(({ n }) => n)).toEqual(Array.from({ length: 12 }, (_, n) => n));
  const ofPasses = Object.values(Object.groupBy(done, (each) => each.pass)).map((found) => found?.length);
  expect(ofPasses).toEqual([2, 2, 2, 2, 2, 2]);
});

it("a piece above the share has a pass of its own", async () => {
  const pace = createPace(10);
  expect(pace.take(1_000)).toBeUndefined();
  await pace.take(1_000);
  await pace.take(1);
});
