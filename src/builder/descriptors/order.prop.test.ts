import * as fc from "fast-check";
import { expect, it } from "vitest";
import { orderComponents, type OrderNode } from "./checks.ts";

const graph = fc
  .integer({ min: 0, max: 12 })
  .chain((size) =>
    fc.array(fc.array(fc.integer({ min: 0, max: 13 }), { maxLength: 4 }), {
      minLength: size,
      maxLength: size,
    }),
  )
  .map((edges) =>
    edges.map((needs, index): OrderNode => ({
      id: `id-${index}`,
      name: `n${index % 5}`,
      dependsOn: needs.map((need) => `id-${need}`),
    })),
  );

/** Whether a node can reach itself, found by walking every path. */
const reachesItself = (nodes: readonly OrderNode[], start: string): boolean => {
  const seen = new Set<string>();
  const open = [start];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const need of nodes.find((node) => node.id === id)?.dependsOn ?? []) {
      if (need === start) return true;
      if (!seen.has(need)) open.push(need);
      seen.add(need);
    }
  }
  return false;
};

it("orders by dependency and name, or names every member of every circle", () => {
  fc.assert(
    fc.property(graph, (nodes) => {
      const { order, cycles } = orderComponents(nodes);
      const ids = order.map((position) => nodes[position]!.id);
      const circular = nodes.filter((node) => reachesItself(nodes, node.id)).map((node) => node.id);
      expect(cycles.flat().toSorted()).toEqual(circular.toSorted());
      if (cycles.length === 0) expect(ids.toSorted()).toEqual(nodes.map((node) => node.id).toSorted());
      for (const [at, id] of ids.entries()) {
        const node = nodes.find((candidate) => candidate.id === id)!;
        const needs = node.dependsOn.filter((need) => nodes.some((other) => other.id === need));
        for (const need of needs) expect(ids.indexOf(need)).toBeLessThan(at);
        // Whatever could have come earlier and did not has a later name.
        const lastNeed = Math.max(-1, ...needs.map((need) => ids.indexOf(need)));
        for (const other of ids.slice(lastNeed + 1, at)) {
          const name = nodes.find((candidate) => candidate.id === other)!.name;
          expect(name < node.name || (name === node.name && other < id)).toBe(true);
        }
      }
    }),
    { numRuns: 2_000 },
  );
});

it("gives the same order whatever order the input has", () => {
  fc.assert(
    fc.property(
      graph.chain((nodes) =>
        fc.tuple(fc.constant(nodes), fc.shuffledSubarray(nodes, { minLength: nodes.length })),
      ),
      ([nodes, shuffled]) => {
        const idsOf = (list: OrderNode[]) =>
          orderComponents(list).order.map((position) => list[position]!.id);
        expect(idsOf(shuffled)).toEqual(idsOf(nodes));
      },
    ),
    { numRuns: 1_000 },
  );
});
