import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  cyclicGroups,
  cyclicGroupsAsMet,
  reversed,
  shortestCycle,
  smallestFirstOrder,
  topologicalOrder,
  type Edges,
} from "./graph.ts";

const ascending = (a: number, b: number): number => a - b;

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

test("groups as met keep the order of the walk, with nodes that point to themselves", () => {
  expect(cyclicGroupsAsMet([[3, 1], [1], [4], [0], [2, 0], [1]])).toEqual([[1], [0, 3], [2, 4]]);
});

test("a long ring without recursion", () => {
  const size = 100_000;
  const ring = Array.from({ length: size }, (_, node) => [(node + 1) % size]);
  expect(cyclicGroupsAsMet(ring)[0]).toHaveLength(size);
  expect(smallestFirstOrder(ring)).toEqual([]);
});

const graphs: fc.Arbitrary<number[][]> = fc.integer({ min: 1, max: 8 }).chain((size) =>
  fc.array(fc.uniqueArray(fc.nat({ max: size - 1 }), { maxLength: 4 }), {
    minLength: size,
    maxLength: size,
  }),
);

test("groups are exactly the nodes that reach each other", () => {
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
      const met = cyclicGroupsAsMet(edges);
      expect(met.flat().toSorted(ascending)).toEqual(
        edges.flatMap((_, node) => (reach[node]!.has(node) ? [node] : [])),
      );
      const several = met.filter(({ length }) => length > 1).map((group) => group.toSorted(ascending));
      expect(several.toSorted((a, b) => a[0]! - b[0]!)).toEqual(cyclicGroups(edges));
    }),
    { numRuns: 2_000 },
  );
});

/** Slowly, by definition: always the smallest node that waits for nothing more. */
function orderByDefinition(edges: Edges, included: (node: number) => boolean): number[] {
  const order: number[] = [];
  for (;;) {
    const free = edges.flatMap((needs, node) =>
      included(node) &&
      !order.includes(node) &&
      needs.every((need) => !included(need) || order.includes(need))
        ? [node]
        : [],
    );
    if (free.length === 0) return order;
    order.push(free[0]!);
  }
}

test("orders have every node that is on no cycle and behind none, after what it waits for", () => {
  fc.assert(
    fc.property(graphs, fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), (edges, mask) => {
      const included = (node: number): boolean => mask[node]!;
      const expected = orderByDefinition(edges, included);
      const order = topologicalOrder(edges, included);
      expect(order.toSorted(ascending)).toEqual(expected.toSorted(ascending));
      for (const [at, node] of order.entries())
        for (const need of edges[node]!) if (included(need)) expect(order.slice(0, at)).toContain(need);
      expect(smallestFirstOrder(edges)).toEqual(orderByDefinition(edges, () => true));
    }),
    { numRuns: 2_000 },
  );
});

test("turned round twice, edges are the same but sorted", () => {
  fc.assert(
    fc.property(graphs, (edges) => {
      expect(reversed(reversed(edges))).toEqual(edges.map((list) => list.toSorted(ascending)));
    }),
  );
});

const calls = new Map([
  ["b", ["c", "d"]],
  ["c", ["a"]],
  ["d", ["e"]],
  ["e", ["d"]],
]);

test.each([
  ["nothing next", "a", [], null],
  ["one that points nowhere", "a", ["x"], null],
  ["itself", "a", ["x", "a"], ["a", "a"]],
  ["one that points to it", "a", ["c"], ["a", "c", "a"]],
  ["one that points to it over another", "a", ["b"], ["a", "b", "c", "a"]],
  ["the shorter of two ways", "a", ["b", "c"], ["a", "c", "a"]],
  ["a cycle of others", "a", ["d"], null],
])("the shortest cycle over %s", (_what, start, next, path) => {
  expect(shortestCycle(calls, start, next)).toEqual(path);
});

test("the shortest cycle in a long chain, without recursion", () => {
  const chain = new Map(Array.from({ length: 50_000 }, (_, n) => [n, [n + 1]]));
  expect(shortestCycle(chain, 50_000, [0])).toHaveLength(50_002);
});

test("a shortest cycle is a path of edges, there when the node reaches itself, and no shorter one is", () => {
  fc.assert(
    fc.property(graphs, (edges) => {
      const path = shortestCycle(new Map(edges.entries()), 0, edges[0]!);
      expect(path !== null).toBe(reachable(edges, 0).has(0));
      for (let at = 1; at < (path?.length ?? 0); at += 1) expect(edges[path![at - 1]!]).toContain(path![at]);
      let ends = new Set([0]);
      for (let step = 1; step < (path?.length ?? 1) - 1; step += 1) {
        ends = new Set([...ends].flatMap((node) => edges[node]!));
        expect(ends.has(0)).toBe(false);
      }
    }),
    { numRuns: 1_000 },
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
