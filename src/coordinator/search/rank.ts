/** Pure. How well what was found fits what was typed. */
import type { SearchHit } from "../ports.ts";

export type RankedHit = Required<SearchHit>;

/** The best first; those that fit equally well by their titles. */
export function ranked(text: string, hits: readonly SearchHit[]): RankedHit[] {
  const typed = text.trim().toLowerCase();
  return hits
    .map((hit) => ({ ...hit, score: hit.score ?? scoreOf(typed, hit) }))
    .toSorted((a, b) => b.score - a.score || compare(a.title, b.title) || compare(a.id, b.id));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function scoreOf(typed: string, { id, title }: SearchHit): number {
  const names = [title.toLowerCase(), id.toLowerCase()];
  if (names.includes(typed)) return 1;
  if (names.some((name) => name.startsWith(typed))) return rounded(0.7 + 0.2 * shareOf(typed, title));
  const isPart = names.some((name) => name.includes(typed));
  return rounded((isPart ? 0.4 : 0.1) + 0.2 * shareOf(typed, title));
}

/** How much of the title was typed. */
const shareOf = (typed: string, title: string): number =>
  Math.min(1, typed.length / Math.max(1, title.length));

const rounded = (score: number): number => Math.round(score * 1_000) / 1_000;
