/** Sizes, and functions of lists. */
import { areEqual, compare } from "../compare.ts";
import { sizeOfMap } from "../maps.ts";
import { CelError, type Value } from "../values.ts";
import { define, type FunctionList } from "./define.ts";

type List = readonly Value[];

const maxRange = 10_000n;

export const lists: FunctionList = [
  define("size(string): int", sizeOfText),
  define("string.size(): int", sizeOfText),
  define("size(bytes): int", ({ length }: Uint8Array) => BigInt(length)),
  define("bytes.size(): int", ({ length }: Uint8Array) => BigInt(length)),
  define("size(list): int", ({ length }: List) => BigInt(length)),
  define("list.size(): int", ({ length }: List) => BigInt(length)),
  define("size(map): int", (map: object) => BigInt(sizeOfMap(map))),
  define("map.size(): int", (map: object) => BigInt(sizeOfMap(map))),
  define("list.distinct(): list", distinct),
  define("list.reverse(): list", (list: List) => list.toReversed()),
  define("list.sort(): list", (list: List) => list.toSorted(compare)),
  define("list.slice(int, int): list", slice),
  define("list.flatten(): list", (list: List) => list.flat()),
  define("list.first(): dyn", (list: List) => itemAt(list, 0)),
  define("list.last(): dyn", (list: List) => itemAt(list, list.length - 1)),
  define("lists.range(int): list", range),
];

/** In code points. */
function sizeOfText(text: string): bigint {
  let size = 0;
  for (const _character of text) size += 1;
  return BigInt(size);
}

function distinct(list: List): List {
  const found: Value[] = [];
  for (const item of list) if (!found.some((each) => areEqual(each, item))) found.push(item);
  return found;
}

function slice(list: List, from: bigint, to: bigint): List {
  if (from < 0n || to < from || to > BigInt(list.length))
    throw new CelError(`slice(${from}, ${to}) is not within a list of ${list.length}`);
  return list.slice(Number(from), Number(to));
}

function itemAt(list: List, index: number): Value {
  if (list.length === 0) throw new CelError("The list is empty");
  return list[index];
}

function range(count: bigint): List {
  if (count < 0n || count > maxRange) throw new CelError(`lists.range() makes up to ${maxRange} numbers`);
  return Array.from({ length: Number(count) }, (_, index) => BigInt(index));
}
