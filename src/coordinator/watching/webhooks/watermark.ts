/**
 * The watermark up to which the events table can be read across all streams. Ids are assigned at the insert
 * but become visible at the commit, so a lower id may appear after a higher one; a reader that remembers the
 * highest id would miss it.
 *
 * A snapshot has the highest visible id and the running transactions. Every lower id was assigned earlier, by
 * a transaction that already had its number (writers lock a row before they insert, see events.ts). So once
 * all transactions of that snapshot have ended, all ids up to it are settled: visible, or rolled back.
 */
export interface EventSnapshot {
  /** The oldest running transaction. */
  xmin: bigint;
  /** The next transaction number. */
  xmax: bigint;
  /** The highest visible event id. */
  top: number;
}

export interface Watermark {
  /** Every event up to it is settled. */
  settled: number;
  /** Settled when every transaction below `xmax` has ended. */
  pending: { top: number; xmax: bigint } | null;
}

export const initialWatermark: Watermark = { settled: 0, pending: null };

export function advanceWatermark({ settled, pending }: Watermark, snapshot: EventSnapshot): Watermark {
  if (pending !== null && snapshot.xmin < pending.xmax) return { settled, pending };
  const reached = Math.max(settled, pending?.top ?? 0);
  if (snapshot.top <= reached) return { settled: reached, pending: null };
  if (snapshot.xmin >= snapshot.xmax) return { settled: snapshot.top, pending: null };
  return { settled: reached, pending: { top: snapshot.top, xmax: snapshot.xmax } };
}
