/** What pairs of runs of a bench, one before and one after a change, say about it. */
import type { BenchResult } from "./command.ts";
import { median } from "./fixtures.ts";

export interface Pair {
  before: BenchResult[];
  after: BenchResult[];
}

export interface Comparison {
  name: string;
  unit: string;
  cpuMs: { before: number; after: number };
  perSecond: { before: number; after: number };
  /** After by before: the median of the pairs, since the two of a pair saw the same machine. */
  cpuRatio: number;
  rateRatio: number;
}

/** A result with a larger ratio of CPU per unit is worse. */
export const worstRatio = 1.05;

/** One entry for each result that all runs have. */
export function comparePairs(pairs: readonly Pair[]): Comparison[] {
  const names = pairs[0]?.after.map(({ name }) => name) ?? [];
  return names.flatMap((name) => {
    const both = pairs.flatMap(({ before, after }) => {
      const own = after.find((result) => result.name === name);
      const other = before.find((result) => result.name === name);
      return own && other ? [{ before: other, after: own }] : [];
    });
    const [first] = both;
    if (first === undefined || both.length < pairs.length) return [];
    const of = (value: (pair: (typeof both)[number]) => number): number => median(both.map(value));
    return {
      name,
      unit: first.after.unit,
      cpuMs: { before: of((p) => p.before.cpuMsPerUnit), after: of((p) => p.after.cpuMsPerUnit) },
      perSecond: { before: of((p) => p.before.perSecond), after: of((p) => p.after.perSecond) },
      cpuRatio: of((p) => p.after.cpuMsPerUnit / p.before.cpuMsPerUnit),
      rateRatio: of((p) => p.after.perSecond / p.before.perSecond),
    };
  });
}
