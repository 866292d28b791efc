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
export const factorOf = (packed: Buffer): number => packed.readFloatLE(0);
export const bytesOf = (packed: Buffer): Int8Array =>
  new Int8Array(packed.buffer, packed.byteOffset + headBytes, packed.length - headBytes);
