import { expect, it } from "vitest";
import { createVectorMemory, type VectorMemory, packVector, unitVector } from "./vector-memory.ts";

const unit = (...values: number[]): Float32Array => unitVector(values)!;
const all = { kinds: new Set([0, 1]), limit: 10 };

function memoryOf(entries: [id: number, kind: number, values: number[]][], maxBytes = 1_000): VectorMemory {
  const memory = createVectorMemory(3, maxBytes);
  for (const [id, kind, values] of entries) memory.put({ id, kind, packed: packVector(unit(...values)) });
  return memory;
}

it("the nearest come first, and what points away does not come", async () => {
  const memory = memoryOf([
    [1, 0, [1, 0, 0]],
    [2, 0, [1, 1, 0]],
    [3, 1, [-1, 0, 0]],
    [4, 1, [0.9, 0.1, 0]],
  ]);
  expect(await memory.nearest(unit(2, 0, 0), all)).toEqual([1, 4, 2]);
  expect(await memory.nearest(unit(2, 0, 0), { ...all, limit: 1 })).toEqual([1]);
  expect(await memory.nearest(unit(2, 0, 0), { ...all, kinds: new Set([1]) })).toEqual([4]);
  expect(await memory.nearest(unit(2, 0, 0), { ...all, ids: new Set([2, 3]) })).toEqual([2]);
});

it("one that is dropped or replaced is found no more where it was", async () => {
  const memory = memoryOf([
    [1, 0, [1, 0, 0]],
    [2, 0, [0, 1, 0]],
    [3, 0, [0, 0, 1]],
  ]);
  memory.drop(1);
  memory.drop(1);
  memory.put({ id: 2, kind: 0, packed: packVector(unit(0, 1, 1)) });
  expect(memory.size()).toBe(2);
  expect(await memory.nearest(unit(1, 0, 0), all)).toEqual([]);
  expect(await memory.nearest(unit(0, 0, 1), all)).toEqual([3, 2]);
});

it("takes no more than it has room for, and none of other dimensions", () => {
  const memory = memoryOf([[1, 0, [1, 0, 0]]], 6);
  const packed = packVector(unit(0, 1, 0));
  expect([2, 3, 1].map((id) => memory.put({ id, kind: 0, packed }))).toEqual([true, false, true]);
  expect(memory.put({ id: 2, kind: 0, packed: packVector(unit(1, 1)) })).toBe(false);
});

it("keeps the order of many as exact vectors have it, nearly", async () => {
  const values = (n: number): number[] =>
    Array.from({ length: 64 }, (_, at) => (Math.sin(n * 12.9898 + at * 78.233) * 43_758.5453) % 1);
  const memory = createVectorMemory(64, 1_000_000);
  const units = Array.from({ length: 500 }, (_, n) => unit(...values(n)));
  units.forEach((each, id) => memory.put({ id, kind: 0, packed: packVector(each) }));
  const asked = units[123]!;
  const scored = units.map((each, id) => ({
    id,
    score: each.reduce((sum, value, at) => sum + value * asked[at]!, 0),
  }));
  const best = scored.toSorted((a, b) => b.score - a.score).slice(0, 10);
  const exact = new Set(best.map(({ id }) => id));
  const found = await memory.nearest(asked, { kinds: new Set([0]), limit: 10 });
  expect(found[0]).toBe(123);
  expect(found.filter((id) => exact.has(id)).length).toBeGreaterThanOrEqual(9);
});

it("a vector without length is none", () => {
  expect([unitVector([0, 0]), unitVector([Number.NaN]), unitVector([Infinity])]).toEqual([null, null, null]);
});
