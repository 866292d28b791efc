/** Pure: whether what was measured stays level. */
import type { Sample } from "./samples.ts";

/** A series grows when the last third's highest value is above the middle third's by more than a part and a fixed amount. */
interface Allowance {
  part: number;
  amount: number;
}

const allowances: readonly (readonly [start: string, allowance: Allowance])[] = [
  ["memory of ", { part: 0.1, amount: 10 }],
  ["files of ", { part: 0, amount: 8 }],
  ["rows of ", { part: 0.25, amount: 500 }],
  // Pages are reused after a vacuum only.
  ["MB of ", { part: 0.4, amount: 4 }],
];

export interface Series {
  name: string;
  /** The highest values of the three thirds of the time. */
  thirds: readonly [number, number, number];
  grows: boolean;
}

/** The first third is for caches to fill and for the first old rows to be deleted. */
export function judgeSeries(samples: readonly Sample[]): Series[] {
  const names = new Set(samples.flatMap(({ values }) => [...values.keys()]));
  return [...names].sort().map((name) => {
    const highest = (third: number): number => {
      const from = Math.floor((samples.length * third) / 3);
      const to = Math.floor((samples.length * (third + 1)) / 3);
      return Math.max(0, ...samples.slice(from, to).map(({ values }) => values.get(name) ?? 0));
    };
    const thirds = [highest(0), highest(1), highest(2)] as const;
    const found = allowances.find(([start]) => name.startsWith(start));
    if (found === undefined) throw new Error(`nothing says how far ${name} may rise`);
    const [, { part, amount }] = found;
    return { name, thirds, grows: thirds[2] > thirds[1] * (1 + part) + amount };
  });
}
