/**
 * Pure: finds many texts in another one in a single pass. A regular expression of all of them would do the same, but V8
 * compiles none of more than some ten thousand characters.
 */

export interface Match {
  index: number;
  length: number;
}

export interface TextSearch {
  /**
   * From left to right, without overlaps; of those that begin at one place, the longest. In a text that is made to be slow to search,
   * the last match is all that is left of it.
   */
  in(text: string): Iterable<Match>;
  /** Where what may be the beginning of a longer text begins, or else the end. */
  openAt(text: string): number;
  /** Length of the longest text; 0 when there is none. */
  longest: number;
}

/** Shorter texts can't be searched for. */
export const shortestSearched = 3;

/**
 * Characters that are compared in one search: for each character of the text, and in any case. Only a text full of beginnings of one
 * of the texts takes more, such as 100,000 times `a` where `aaa…b` is searched for.
 */
const comparedPerCharacter = 16;
const comparedAnyway = 1_000_000;

interface Place extends Match {
  /** Whether the text ends here within a longer one. */
  isOpen: boolean;
}

export function createTextSearch(texts: Iterable<string>): TextSearch {
  const sorted = [...new Set(texts)].toSorted((a, b) => (a < b ? -1 : 1));
  const longest = sorted.reduce((most, { length }) => Math.max(most, length), 0);
  const slots = slotsOf(sorted);
  const begun = begunBy(sorted);
  const placeAt = (text: string, index: number): Place & { compared: number } => {
    const after = indexAfter(sorted, text.slice(index, index + longest));
    const before = commonLength(sorted[after - 1], text, index);
    const next = commonLength(sorted[after], text, index);
    let compared = before + next;
    // The longest text at a place is, in sorted order, the last one up to what stands there, or a beginning of it.
    let found = after - 1;
    for (; found >= 0 && sorted[found]!.length > before; found = begun[found]!) compared += 1;
    return {
      index,
      length: found < 0 ? 0 : sorted[found]!.length,
      isOpen: index + next === text.length,
      compared,
    };
  };
  function* placesIn(text: string): Generator<Place> {
    if (sorted.length === 0) return;
    let left = text.length * comparedPerCharacter + comparedAnyway;
    for (let at = nextPlace(slots, text, 0); at >= 0;) {
      const place = placeAt(text, at);
      yield place;
      left -= place.compared;
      at = nextPlace(slots, text, at + Math.max(place.length, 1));
      if (left >= 0 || at < 0) continue;
      yield { index: at, length: text.length - at, isOpen: false };
      return;
    }
  }
  return {
    longest,
    *in(text) {
      for (const place of placesIn(text)) if (place.length > 0) yield place;
    },
    openAt(text) {
      let end = 0;
      for (const { index, length, isOpen } of placesIn(text)) {
        if (isOpen) return index;
        end = index + length;
      }
      // Of what is too short to be searched for.
      for (let at = Math.max(end, text.length - shortestSearched + 1, 0); at < text.length; at += 1) {
        const rest = text.slice(at);
        if (sorted[indexAfter(sorted, rest)]?.startsWith(rest) === true) return at;
      }
      return text.length;
    },
  };
}

function commonLength(known: string | undefined, text: string, at: number): number {
  if (known === undefined) return 0;
  const most = Math.min(known.length, text.length - at);
  let length = 0;
  while (length < most && known.charCodeAt(length) === text.charCodeAt(at + length)) length += 1;
  return length;
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
