/**
 * Up to where the events table can be read across all streams. Ids are drawn when rows are inserted and seen when their
 * transaction commits, so a lower id may appear after a higher one: whoever remembers "the highest I have seen" loses it.
 *
 * A look at the table tells its highest visible id and which transactions were under way. Every id below that one was
 * drawn earlier, by a transaction that had its number already (writers lock a row before they insert, events.ts). So when
 * all transactions that had begun by then are over, all ids up to it are settled: seen, or never to be seen.
 */
export interface Sight {
  /** The oldest transaction under way. */
  xmin: bigint;
  /** The first number that no transaction had yet. */
  xmax: bigint;
  /** The highest event id that could be seen. */
  top: number;
}

export interface Horizon {
  /** Every event up to it is settled. */
  settled: number;
  /** Becomes settled when every transaction below `xmax` is over. */
  pending: { top: number; xmax: bigint } | null;
}

export const noHorizon: Horizon = { settled: 0, pending: null };

export function advance({ settled, pending }: Horizon, sight: Sight): Horizon {
  if (pending !== null && sight.xmin < pending.xmax) return { settled, pending };
  const reached = Math.max(settled, pending?.top ?? 0);
  if (sight.top <= reached) return { settled: reached, pending: null };
  if (sight.xmin >= sight.xmax) return { settled: sight.top, pending: null };
  return { settled: reached, pending: { top: sight.top, xmax: sight.xmax } };
}
