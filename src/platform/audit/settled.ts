/**
 * Pure: up to which id the audit is settled, so that no row with a lower id can appear any more. A transaction locks the
 * table before its row gets an id, and unlocks it after the row can be seen. So once all writers have gone that were there after
 * the highest id was read, every row up to that id can be seen, or never will be.
 */
export interface AuditWriters {
  /** The highest id, read before the writers. */
  top: number;
  /** The transactions that hold the table's lock of writers. */
  writers: readonly string[];
}

export interface Settled {
  upTo: number;
  /** Settled once none of these writers is there. */
  pending: { top: number; writers: readonly string[] } | null;
}

export const nothingSettled: Settled = { upTo: 0, pending: null };

export function advanceSettled({ upTo, pending }: Settled, { top, writers }: AuditWriters): Settled {
  const left = pending?.writers.filter((each) => writers.includes(each)) ?? [];
  if (pending !== null && left.length > 0) return { upTo, pending: { top: pending.top, writers: left } };
  const reached = Math.max(upTo, pending?.top ?? 0);
  if (top <= reached) return { upTo: reached, pending: null };
  return writers.length === 0
    ? { upTo: top, pending: null }
    : { upTo: reached, pending: { top, writers: [...writers] } };
}
