import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cyclicGroups, reversed, topologicalOrder } from "./graph.ts";

test("orders after what is waited for, first come first placed", () => {
  expect(topologicalOrder([[3], [], [0, 1], []])).toEqual([1, 3, 0, 2]);
});

test("leaves out a cycle and what is behind it", () => {
  expect(topologicalOrder([[1], [0], [0], []])).toEqual([3]);
});

test("orders a part, without the edges out of it", () => {
  expect(topologicalOrder([[1], [0], [0], []], (node) => node !== 1)).toEqual([0, 3, 2]);
});

test("turns edges round", () => {
  expect(reversed([[1, 2], [2], []])).toEqual([[], [0], [0, 1]]);
});

test("finds groups by their first members, no single nodes", () => {
  expect(cyclicGroups([[3], [1], [4], [0], [2, 0], [1]])).toEqual([
    [0, 3],
    [2, 4],
  ]);
});

test("a chain and a ring of ten thousand are no burden", () => {
  const size = 10_000;
  const chain = Array.from({ length: size }, (_, node) => (node === 0 ? [] : [node - 1]));
  expect(cyclicGroups(chain)).toEqual([]);
  expect(topologicalOrder(chain)).toHaveLength(size);
  const ring = Array.from({ length: size }, (_, node) => [(node + 1) % size]);
  expect(cyclicGroups(ring)[0]).toHaveLength(size);
  expect(topologicalOrder(ring)).toEqual([]);
});

test("groups are exactly the nodes that reach each other", () => {
  const graphs = fc.integer({ min: 1, max: 8 }).chain((size) =>
    fc.array(fc.uniqueArray(fc.nat({ max: size - 1 }), { maxLength: 4 }), {
      minLength: size,
      maxLength: size,
    }),
  );
  fc.assert(
    fc.property(graphs, (edges) => {
      const reach = edges.map((_, node) => reachable(edges, node));
      const groupOf = new Map<number, number>();
      cyclicGroups(edges).forEach((group, index) => group.forEach((node) => groupOf.set(node, index)));
      for (let a = 0; a < edges.length; a += 1) {
        for (let b = 0; b < edges.length; b += 1) {
          if (a === b) continue;
          const together = groupOf.has(a) && groupOf.get(a) === groupOf.get(b);
          expect(together).toBe(reach[a]!.has(b) && reach[b]!.has(a));
        }
      }
    }),
    { numRuns: 2_000 },
  );
});

function reachable(edges: number[][], from: number): Set<number> {
  const seen = new Set<number>();
  const pending = [...edges[from]!];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    pending.push(...edges[node]!);
  }
  return seen;
}
