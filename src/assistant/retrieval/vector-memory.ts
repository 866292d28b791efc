/** Holds the vectors of one embedder in memory and finds those nearest to a given one. */
import { setImmediate as pause } from "node:timers/promises";

export interface VectorMemory {
  size(): number;
  /** Adds or replaces the vector of a document. False when the memory is full or the dimensions differ. */
  put(entry: { id: number; kind: number; packed: Buffer }): boolean;
  drop(id: number): void;
  /** Ids of documents, nearest first; only those with a positive similarity. */
  nearest(unit: Float32Array, query: NearestQuery): Promise<number[]>;
}

export interface NearestQuery {
  kinds: ReadonlySet<number>;
  /** Only these documents; all of the kinds when left out. */
  ids?: ReadonlySet<number>;
  limit: number;
}

const firstCapacity = 256;
/** Multiplications between two pauses, so that a search does not delay other requests. */
const operationsPerSlice = 4_000_000;

export function createVectorMemory(dimensions: number, maxBytes: number): VectorMemory {
  const most = Math.floor(maxBytes / dimensions);
  const slots = new Map<number, number>();
  let capacity = 0;
  let bytes = new Int8Array(0);
  let factors = new Float32Array(0);
  let kinds = new Uint8Array(0);
  let ids = new Float64Array(0);

  const grow = (): void => {
    capacity = Math.min(most, Math.max(firstCapacity, capacity * 2));
    const copyInto = <A extends Int8Array | Float32Array | Uint8Array | Float64Array>(
      wider: A,
      old: A,
    ): A => {
      wider.set(old);
      return wider;
    };
    bytes = copyInto(new Int8Array(capacity * dimensions), bytes);
    factors = copyInto(new Float32Array(capacity), factors);
    kinds = copyInto(new Uint8Array(capacity), kinds);
    ids = copyInto(new Float64Array(capacity), ids);
  };
  return {
    size: () => slots.size,
    put({ id, kind, packed }) {
      if (dimensionsOf(packed) !== dimensions) return false;
      const slot = slots.get(id) ?? slots.size;
      if (slot >= most) return false;
      if (slot >= capacity) grow();
      bytes.set(bytesOf(packed), slot * dimensions);
      factors[slot] = factorOf(packed);
      kinds[slot] = kind;
      ids[slot] = id;
      slots.set(id, slot);
      return true;
    },
    drop(id) {
      const slot = slots.get(id);
      if (slot === undefined) return;
      // The last vector takes its slot.
      const last = slots.size - 1;
      bytes.copyWithin(slot * dimensions, last * dimensions, (last + 1) * dimensions);
      factors[slot] = factors[last]!;
      kinds[slot] = kinds[last]!;
      ids[slot] = ids[last]!;
      slots.set(ids[slot], slot);
      slots.delete(id);
    },
    async nearest(unit, { kinds: wanted, ids: onlyIds, limit }) {
      if (unit.length !== dimensions) return [];
      const vectorsPerSlice = Math.max(1, Math.floor(operationsPerSlice / dimensions));
      const best = createBest(limit);
      const asked = Int32Array.from(bytesOf(packVector(unit)));
      for (let start = 0; start < slots.size; start += vectorsPerSlice) {
        if (start > 0) await pause();
        const end = Math.min(start + vectorsPerSlice, slots.size);
        for (let slot = start; slot < end; slot += 1) {
          const id = ids[slot]!;
          if (!wanted.has(kinds[slot]!) || onlyIds?.has(id) === false) continue;
          best.offer(id, factors[slot]! * dot(asked, bytes, slot * dimensions, dimensions));
        }
      }
      return best.ids();
    },
  };
}

/** The dot product of integers, which takes half the time of floating-point numbers. */
function dot(asked: Int32Array, bytes: Int8Array, start: number, length: number): number {
  let sum = 0;
  for (let n = 0; n < length; n += 1) sum = (sum + Math.imul(asked[n]!, bytes[start + n]!)) | 0;
  return sum;
}

/** Collects the highest scores above 0. */
function createBest(limit: number) {
  let candidates: { id: number; score: number }[] = [];
  let lowest = 0;
  const trim = (): void => {
    candidates = candidates.toSorted((a, b) => b.score - a.score || a.id - b.id).slice(0, limit);
    if (candidates.length === limit) lowest = candidates.at(-1)?.score ?? 0;
  };
  return {
    offer(id: number, score: number): void {
      if (score <= lowest) return;
      candidates.push({ id, score });
      if (candidates.length >= 2 * limit) trim();
    },
    ids(): number[] {
      trim();
      return candidates.map(({ id }) => id);
    },
  };
}

/** Pure: vectors packed into one byte per dimension, a quarter of their size, which is precise enough for search. */

const headBytes = 4;
const steps = 127;

/** The vector scaled to length 1; null for the zero vector or one with values that are no finite numbers. */
export function unitVector(values: ArrayLike<number>): Float32Array | null {
  let sum = 0;
  for (let n = 0; n < values.length; n += 1) sum += (values[n] ?? 0) ** 2;
  const length = Math.sqrt(sum);
  if (!Number.isFinite(length) || length === 0) return null;
  return Float32Array.from(values, (value) => value / length);
}

/** A factor, then a signed byte for each dimension. */
export function packVector(unit: Float32Array): Buffer {
  let largest = 0;
  for (const value of unit) largest = Math.max(largest, Math.abs(value));
  const factor = largest / steps;
  const packed = Buffer.alloc(headBytes + unit.length);
  packed.writeFloatLE(factor, 0);
  unit.forEach((value, n) => packed.writeInt8(factor === 0 ? 0 : Math.round(value / factor), headBytes + n));
  return packed;
}

export const dimensionsOf = (packed: Buffer): number => packed.length - headBytes;
const factorOf = (packed: Buffer): number => packed.readFloatLE(0);
const bytesOf = (packed: Buffer): Int8Array =>
  new Int8Array(packed.buffer, packed.byteOffset + headBytes, packed.length - headBytes);
