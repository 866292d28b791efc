import { expect, it } from "vitest";
import { createTurns } from "./turns.ts";

it("who has enough under way is full, and nobody can be taken over that", () => {
  const turns = createTurns(3);
  expect([turns.full(), turns.room()]).toEqual([[], 3]);
  turns.begin("ada");
  turns.begin("ada");
  expect([turns.full(), turns.room()]).toEqual([[], 1]);
  turns.begin("bob");
  turns.begin("ada");
  expect([turns.full(), turns.room()]).toEqual([["ada"], 2]);
  turns.end("bob");
  expect([turns.full(), turns.room()]).toEqual([["ada"], 3]);
  turns.end("ada");
  expect([turns.full(), turns.room()]).toEqual([[], 1]);
});
