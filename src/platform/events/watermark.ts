/**
 * The watermark up to which the events table can be read across all streams. Ids are assigned at the insert
 * but become visible at the commit, so a lower id may appear after a higher one; a reader that remembers the
 * highest id would miss it.
 *
 * An insert locks the table before it draws an id, and keeps the lock until its transaction has ended. So an id below
 * the highest visible one that can still appear belongs to a transaction that holds that lock afterwards. Once all those
 * have ended, all ids up to it are settled: visible, or rolled back. Transactions that write no events hold nothing back.
 */
export interface EventSnapshot {
  /** The highest visible event id. */
  top: number;
  /** The transactions that held the lock of an insert after that id was read. */
  writers: readonly string[];
}

export interface Watermark {
  /** Every event up to it is settled. */
  settled: number;
  /** Settled when all of those writers have ended. */
  pending: EventSnapshot | null;
}

export const initialWatermark: Watermark = { settled: 0, pending: null };

/** Stands for each prepared transaction: it may have been any writer before. */
export const preparedWriter = "prepared";

/** Returns the same watermark while a writer holds it. */
export function advanceWatermark(watermark: Watermark, snapshot: EventSnapshot): Watermark {
  const { settled, pending } = watermark;
  if (pending !== null && isHeld(pending, snapshot.writers)) return watermark;
  const reached = Math.max(settled, pending?.top ?? 0);
  if (snapshot.top <= reached) return { settled: reached, pending: null };
  if (snapshot.writers.length === 0) return { settled: snapshot.top, pending: null };
  return { settled: reached, pending: snapshot };
}

const isHeld = (pending: EventSnapshot, writers: readonly string[]): boolean =>
  writers.some((writer) => writer === preparedWriter || pending.writers.includes(writer));
