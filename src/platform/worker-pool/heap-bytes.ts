/** Pure: how much heap the copy of a value takes, for limits on what is kept or sent to a thread. */

/** A number, an empty list or a property takes no more in V8: heap-bytes.test.ts measures it. */
const bytesOfValue = 96;
const bytesOfCharacter = 2;

/**
 * An upper bound, in bytes, for JSON values; an object that is in it twice counts twice. Buffers lie outside of the heap. Counts
 * hardly further than `most`.
 */
export function heapBytesOf(value: unknown, most: number): number {
  if (typeof value === "string") return bytesOfValue + value.length * bytesOfCharacter;
  if (typeof value !== "object" || value === null || isBuffer(value)) return bytesOfValue;
  let bytes = bytesOfValue;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (bytes > most) break;
      bytes += heapBytesOf(item, most - bytes);
    }
    return bytes;
  }
  for (const key of Object.keys(value)) {
    if (bytes > most) break;
    bytes +=
      bytesOfValue + key.length * bytesOfCharacter + heapBytesOf(Reflect.get(value, key), most - bytes);
  }
  return bytes;
}

const isBuffer = (value: object): boolean => ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
