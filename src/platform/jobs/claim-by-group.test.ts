import { expect, it } from "vitest";
import { claimByGroup, type RowGroup } from "./claim-by-group.ts";

/** A group whose claims find as many rows as they ask for, each with the group's name and a number. */
const group = (name: string, parallel: number, claim?: RowGroup<string>["claim"]): RowGroup<string> => ({
  parallel,
  has: (row) => row.startsWith(name),
  claim:
    claim ??
    (async ({ underWay, limit }) =>
      Array.from({ length: limit }, (_, index) => `${name} ${index} beside ${underWay.length}`)),
});

it("claims for each group as many as it has places; what pauses takes none", async () => {
  const query = { underWay: ["a1", "a2", "b1", "c1", "c2"], pausing: new Set(["a2"]) };
  expect(await claimByGroup(query, [group("a", 2), group("b", 3), group("c", 2)])).toEqual([
    "a 0 beside 2",
    "b 0 beside 1",
    "b 1 beside 1",
  ]);
});

it("a group that can't be claimed for holds up no other, and fails the round where there is nothing else", async () => {
  const query = { underWay: [], pausing: new Set<string>() };
  const broken = group("b", 1, () => Promise.reject(new Error("away")));
  expect(await claimByGroup(query, [broken, group("a", 1), broken, group("c", 1)])).toEqual([
    "a 0 beside 0",
    "c 0 beside 0",
  ]);
  await expect(claimByGroup(query, [broken])).rejects.toThrow("away");
});
