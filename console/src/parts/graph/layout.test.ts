import { expect, test } from "vitest";
import { layoutOf, type GraphEdge } from "./layout.ts";

const edges = (...pairs: string[]): GraphEdge[] =>
  pairs.map((pair) => ({ from: pair.charAt(0), to: pair.charAt(1) }));

const layersOf = (ids: string, list: GraphEdge[]): Record<string, number> =>
  Object.fromEntries(layoutOf(ids.split(""), list).nodes.map(({ id, layer }) => [id, layer]));

test("a node is in the layer of the longest path to it", () => {
  expect(layersOf("abcd", edges("ab", "bc", "ac", "cd"))).toEqual({ a: 0, b: 1, c: 2, d: 3 });
  expect(layersOf("dcba", edges("ab", "bc", "ac", "cd"))).toEqual({ a: 0, b: 1, c: 2, d: 3 });
});

test("nodes are placed from the left upper corner, layers in the middle of the highest one", () => {
  const options = { nodeWidth: 100, nodeHeight: 40, gapX: 50, gapY: 10 };
  expect(layoutOf(["a", "b", "c"], edges("ac", "bc"), options)).toEqual({
    nodes: [
      { id: "a", layer: 0, x: 0, y: 0 },
      { id: "b", layer: 0, x: 0, y: 50 },
      { id: "c", layer: 1, x: 150, y: 25 },
    ],
    width: 250,
    height: 90,
  });
  expect(layoutOf([], [])).toEqual({ nodes: [], width: 0, height: 0 });
});

test("neighbours are ordered so that edges do not cross where they need not", () => {
  const crossed = edges("ay", "bx");
  const { nodes } = layoutOf(["a", "b", "x", "y"], crossed);
  const yOf = (id: string): number => nodes.find((node) => node.id === id)?.y ?? Number.NaN;
  expect(Math.sign(yOf("a") - yOf("b"))).toBe(Math.sign(yOf("y") - yOf("x")));
});

test("a cycle, an edge to itself and an edge to nowhere do not keep a node from its place", () => {
  expect(layersOf("xabc", edges("ab", "bc", "ca", "bb", "bz"))).toEqual({ x: 0, a: 0, b: 1, c: 2 });
});

test("the same graph is placed the same way, and two nodes never at the same place", () => {
  const ids = Array.from({ length: 300 }, (_, index) => `n${index}`);
  const list = ids.flatMap((id, index) =>
    [3, 7, 11]
      .map((step) => ids[(index * step + step) % 300] ?? id)
      .filter((to) => ids.indexOf(to) > index)
      .map((to) => ({ from: id, to })),
  );
  const { nodes } = layoutOf(ids, list);
  expect(layoutOf(ids, list).nodes).toEqual(nodes);
  expect(new Set(nodes.map(({ x, y }) => `${x} ${y}`)).size).toBe(300);
  const layer = new Map(nodes.map((node) => [node.id, node.layer]));
  expect(list.filter(({ from, to }) => (layer.get(from) ?? 0) >= (layer.get(to) ?? 0))).toEqual([]);
});
