/** Pure: compares links of a chain with the rows that they were made of. */
import { linkOf, type ChainName, type Link, type StoredLink } from "./chain.ts";

export const problemKinds = [
  "CHANGED",
  "DELETED",
  "GAP",
  "INSERTED",
  "TRUNCATED",
  "HEAD_CHANGED",
  "HEAD_UNSIGNED",
  "HEAD_WAS_UNSIGNED",
  "HEAD_MISSING",
  "ANCHOR_MISSING",
  "ANCHOR_DIFFERS",
  "ANCHOR_PRUNED",
] as const;

export interface ChainProblem {
  kind: (typeof problemKinds)[number];
  /** Place in the chain; null for a row that has none. */
  seq: number | null;
  /** Id of the row; null where that is not known. */
  id: number | null;
  message: string;
}

/** The problems of a part of the chain that follows the link `previous`. */
export function checkLinks(chain: ChainName, previous: Link, links: readonly StoredLink[]): ChainProblem[] {
  const problems: ChainProblem[] = [];
  let before = previous;
  for (const link of links) {
    const { seq, auditId: id, row } = link;
    const isNext = seq === before.seq + 1;
    if (!isNext) problems.push(gap(before.seq, seq));
    if (row === null)
      problems.push({
        kind: "DELETED",
        seq,
        id,
        message: "The row is gone, and its place in the chain is there.",
      });
    // Behind a gap the hash before it is not known.
    else if (isNext && !linkOf(chain, before, row).hash.equals(link.hash))
      problems.push({
        kind: "CHANGED",
        seq,
        id,
        message: "The row, or its place in the chain, is not what was sealed.",
      });
    before = link;
  }
  return problems;
}

function gap(last: number, next: number): ChainProblem {
  const missing = next - last - 1;
  const places = missing === 1 ? `Place ${last + 1} is` : `Places ${last + 1} to ${next - 1} are`;
  return {
    kind: "GAP",
    seq: last + 1,
    id: null,
    message: `${places} missing, with the rows that were there.`,
  };
}
