/**
 * Pure: finds many texts in another one in a single pass. A regular expression of all of them would do the same, but V8
 * compiles none of more than some ten thousand characters.
 */

export interface Match {
  index: number;
  length: number;
}

export interface TextSearch {
  /** From left to right, without overlaps; of those that begin at one place, the longest. */
  in(text: string): Iterable<Match>;
  /** Whether this is the beginning of a text that is longer. */
  begins(beginning: string): boolean;
  /** Length of the longest text; 0 when there is none. */
  longest: number;
}

/** Shorter texts can't be searched for. */
export const shortestSearched = 3;

export function createTextSearch(texts: Iterable<string>): TextSearch {
  const sorted = [...new Set(texts)].toSorted((a, b) => (a < b ? -1 : 1));
  const longest = sorted.reduce((most, { length }) => Math.max(most, length), 0);
  const slots = slotsOf(sorted);
  const begun = begunBy(sorted);
  /** The longest text at a place is, in sorted order, the last one up to what stands there, or a beginning of it. */
  const lengthAt = (text: string, at: number): number => {
    let found = indexAfter(sorted, text.slice(at, at + longest)) - 1;
    while (found >= 0 && !text.startsWith(sorted[found]!, at)) found = begun[found]!;
    return found < 0 ? 0 : sorted[found]!.length;
  };
  return {
    longest,
    *in(text) {
      if (sorted.length === 0) return;
      for (let at = nextPlace(slots, text, 0); at >= 0;) {
        const length = lengthAt(text, at);
        if (length > 0) yield { index: at, length };
        at = nextPlace(slots, text, at + Math.max(length, 1));
      }
    },
    begins: (beginning) => sorted[indexAfter(sorted, beginning)]?.startsWith(beginning) === true,
  };
}

/** The first of the sorted texts that is greater. */
function indexAfter(sorted: readonly string[], text: string): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (sorted[middle]! <= text) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** For each of the sorted texts the longest other one that it begins with; -1 for none. */
function begunBy(sorted: readonly string[]): Int32Array {
  const begun = new Int32Array(sorted.length);
  for (const [index, text] of sorted.entries()) {
    let before = index - 1;
    while (before >= 0 && !text.startsWith(sorted[before]!)) before = begun[before]!;
    begun[index] = before;
  }
  return begun;
}

/** Slots for each text, so that few places pass where none begins. */
const slotsPerText = 64;

/** A slot is 1 when a text begins with three characters of its number. */
function slotsOf(texts: readonly string[]): Uint8Array {
  const slots = new Uint8Array(2 ** Math.ceil(Math.log2(Math.max(texts.length, 1) * slotsPerText)));
  for (const text of texts) {
    const slot = slotOf(text.charCodeAt(0), text.charCodeAt(1), text.charCodeAt(2));
    slots[slot & (slots.length - 1)] = 1;
  }
  return slots;
}

const slotOf = (first: number, second: number, third: number): number =>
  Math.imul((first << 14) ^ (second << 7) ^ third, 0x9e3779b1) >>> 8;

/** The next place at which a text may begin; -1 for none. */
function nextPlace(slots: Uint8Array, text: string, from: number): number {
  const last = slots.length - 1;
  let first = text.charCodeAt(from);
  let second = text.charCodeAt(from + 1);
  for (let at = from; at + 2 < text.length; at += 1) {
    const third = text.charCodeAt(at + 2);
    if (slots[slotOf(first, second, third) & last] === 1) return at;
    first = second;
    second = third;
  }
  return -1;
}
