/** How long reads take, for benches that hold one way of reading beside another. */

export interface Times {
  p50: number;
  p99: number;
}

/** In ms. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export function quantiles(samples: number[]): Times {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (part: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}

export const ratioOf = (ours: Times, floor: Times): Times => ({
  p50: ours.p50 / floor.p50,
  p99: ours.p99 / floor.p99,
});

/** Cells of a row: p50 and p99 of each. */
export const cellsOf = (columns: readonly Times[]): string =>
  columns.map(({ p50, p99 }) => p50.toFixed(2).padStart(10) + p99.toFixed(2).padStart(10)).join("");
