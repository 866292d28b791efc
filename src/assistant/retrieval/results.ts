/** Pure: the part of a passage that tells most about a question. */
import { wordsOf } from "./words.ts";

/** The part of an excerpt that comes before the first word that was asked for. */
const leadingPart = 1 / 8;
/** More are not looked at. */
const mostHits = 100;

/** At most `limit` characters on one line; where something is left out there is an ellipsis. */
export function excerptOf(text: string, words: readonly string[], limit = 300): string {
  const plain = text.replaceAll(/\s+/g, " ").trim();
  if (plain.length <= limit) return plain;
  const lead = Math.floor(limit * leadingPart);
  const place = bestPlace(plain, words, limit - 2 * lead) - lead;
  const wanted = Math.max(0, Math.min(place, plain.length - limit));
  // From the beginning of a word.
  const start = wanted === 0 ? 0 : plain.indexOf(" ", wanted) + 1;
  const end = start + limit - 2;
  const cut = plain.slice(start, end).toWellFormed();
  return `${start > 0 ? "…" : ""}${cut}${end < plain.length ? "…" : ""}`;
}

/** Where a stretch begins that has most of the words; 0 when there is none of them. */
function bestPlace(text: string, words: readonly string[], length: number): number {
  const hits: { at: number; word: number }[] = [];
  for (const { 0: run, index } of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const has = wordsOf(run);
    const word = words.findIndex((each) => has.some((own) => own.startsWith(each)));
    if (word !== -1) hits.push({ at: index, word });
    if (hits.length === mostHits) break;
  }
  let best = { at: 0, count: 0 };
  for (const { at } of hits) {
    const within = hits.filter((hit) => hit.at >= at && hit.at < at + length);
    const count = new Set(within.map(({ word }) => word)).size;
    if (count > best.count) best = { at, count };
  }
  return best.at;
}

/** Damps how much more the first places count than those behind them; the usual constant of reciprocal rank fusion. */
const damping = 60;

/** Ids with their score, best first. What stands high in one ranking or in the middle of several comes first. */
export function fuse(rankings: readonly (readonly number[])[]): { id: number; score: number }[] {
  const scores = new Map<number, number>();
  for (const ranking of rankings) {
    for (const [place, id] of ranking.entries()) {
      scores.set(id, (scores.get(id) ?? 0) + 1 / (damping + place + 1));
    }
  }
  return [...scores]
    .map(([id, score]) => ({ id, score }))
    .toSorted((a, b) => b.score - a.score || a.id - b.id);
}
