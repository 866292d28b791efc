import { deserialize, getHeapStatistics, serialize } from "node:v8";
import { expect, it } from "vitest";
import { collectGarbage } from "../../../test/support/collect-garbage.ts";
import { heapBytesOf } from "./heap-bytes.ts";

const heapUsed = (): number => {
  collectGarbage();
  return getHeapStatistics().used_heap_size;
};

/** Copied as a message to a thread is. */
function measured(value: unknown): number {
  const bytes = serialize(value);
  const before = heapUsed();
  const copy: unknown = deserialize(bytes);
  const taken = heapUsed() - before;
  expect(copy).toBeDefined();
  return taken;
}

const count = 20_000;
const many = <T>(make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));

it.each<[string, unknown]>([
  ["empty lists", many(() => [])],
  ["empty objects", many(() => ({}))],
  ["lists of lists", many(() => [[]])],
  ["numbers", many((index) => index + 0.5)],
  ["texts", many((index) => `text ${index}`)],
  ["texts with two bytes for each character", many((index) => `Łódź ${index}`)],
  ["objects of one shape", many((index) => ({ a: index, b: [], c: "x" }))],
  ["objects of many shapes", many((index) => ({ [`key${index}`]: index }))],
  ["one object with many keys", Object.fromEntries(many((index) => [`key${index}`, index]))],
  ["one object with many numbers as keys", Object.fromEntries(many((index) => [index * 7919, []]))],
  ["objects that have few keys", many((index) => ({ [`a${index % 7}`]: {}, [`b${index % 11}`]: null }))],
])("is no less than what a copy of %s takes", (_what, value) => {
  expect(heapBytesOf(value, Infinity)).toBeGreaterThanOrEqual(measured(value));
});

it("leaves out buffers, which lie outside of the heap", () => {
  expect(heapBytesOf({ content: Buffer.alloc(1_000_000) }, Infinity)).toBeLessThan(1_000);
});

it("counts hardly further than asked", () => {
  const value = { lists: many(() => []) };
  expect(heapBytesOf(value, 10_000)).toBeGreaterThan(10_000);
  expect(heapBytesOf(value, 10_000)).toBeLessThan(11_000);
});
