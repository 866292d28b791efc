/** Pure: several rankings as one. */

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
