/** Claims for a row worker whose rows belong to groups, such as receivers, each with places of its own. */
import type { RowQuery } from "./row-worker.ts";

export interface RowGroup<Row> {
  /** Its rows under way at once in this process. */
  parallel: number;
  has: (row: Row) => boolean;
  /** Claims due rows of the group, none of those under way. */
  claim: (query: Pick<RowQuery<Row>, "underWay" | "limit">) => Promise<Row[]>;
}

export async function claimByGroup<Row>(
  { underWay, pausing }: Pick<RowQuery<Row>, "underWay" | "pausing">,
  groups: readonly RowGroup<Row>[],
): Promise<Row[]> {
  const due: Row[] = [];
  const errors: unknown[] = [];
  for (const { parallel, has, claim } of groups) {
    const own = underWay.filter(has);
    const limit = parallel - own.filter((row) => !pausing.has(row)).length;
    if (limit <= 0) continue;
    await claim({ underWay: own, limit }).then(
      (rows) => due.push(...rows),
      (error: unknown) => errors.push(error),
    );
  }
  // What is claimed already is worked on; the next round claims the others.
  if (due.length === 0 && errors.length > 0) throw errors[0];
  return due;
}
