/** Pure: the part of a text that is shown of a passage. */
import { wordsOf } from "./words.ts";

/** The share of an excerpt that comes before the first word of the query. */
const leadingPart = 1 / 8;
/** Further hits are ignored. */
const maxHits = 100;

/** The part of a text with most words of the query: at most `limit` characters on one line, with ellipses where text is cut. */
export function excerptOf(text: string, words: readonly string[], limit = 300): string {
  const plain = text.replaceAll(/\s+/g, " ").trim();
  if (plain.length <= limit) return plain;
  const lead = Math.floor(limit * leadingPart);
  const place = bestPlace(plain, words, limit - 2 * lead) - lead;
  const wanted = Math.max(0, Math.min(place, plain.length - limit));
  // Begins at a word.
  const start = wanted === 0 ? 0 : plain.indexOf(" ", wanted) + 1;
  const end = start + limit - 2;
  const cut = plain.slice(start, end).toWellFormed();
  return `${start > 0 ? "…" : ""}${cut}${end < plain.length ? "…" : ""}`;
}

/** Offset of the window of `length` characters that contains most of the words; 0 when it contains none. */
function bestPlace(text: string, words: readonly string[], length: number): number {
  const hits: { at: number; word: number }[] = [];
  for (const { 0: run, index } of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const has = wordsOf(run);
    const word = words.findIndex((each) => has.some((own) => own.startsWith(each)));
    if (word !== -1) hits.push({ at: index, word });
    if (hits.length === maxHits) break;
  }
  let best = { at: 0, count: 0 };
  for (const { at } of hits) {
    const within = hits.filter((hit) => hit.at >= at && hit.at < at + length);
    const count = new Set(within.map(({ word }) => word)).size;
    if (count > best.count) best = { at, count };
  }
  return best.at;
}
