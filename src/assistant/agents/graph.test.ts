import { expect, it } from "vitest";
import { findCycle } from "./graph.ts";

const edges = new Map([
  ["b", ["c", "d"]],
  ["c", ["a"]],
  ["d", ["e"]],
  ["e", ["d"]],
]);

it.each([
  ["no sub-agents", "a", [], null],
  ["one that calls nobody", "a", ["x"], null],
  ["itself", "a", ["x", "a"], ["a", "a"]],
  ["one that calls it", "a", ["c"], ["a", "c", "a"]],
  ["one that calls it over another", "a", ["b"], ["a", "b", "c", "a"]],
  ["the shorter of two ways", "a", ["b", "c"], ["a", "c", "a"]],
  ["a cycle of others", "a", ["d"], null],
])("%s", (_what, agent, subagents, path) => {
  expect(findCycle(edges, agent, subagents)).toEqual(path);
});

it("follows a long chain without recursion", () => {
  const chain = new Map(Array.from({ length: 50_000 }, (_, n) => [`${n}`, [`${n + 1}`]]));
  expect(findCycle(chain, "50000", ["0"])).toHaveLength(50_002);
});
