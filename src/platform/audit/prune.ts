/** Deletes the oldest rows of an audit so that the rest can still be verified. */
import { inTransaction } from "../db/database.ts";
import { isSigned } from "./chain.ts";
import { unsignedAt, writeSigned, type AuditChain } from "./seal.ts";
import { deleteFront, lockHead, readFront } from "./store.ts";

export interface PruneRequest {
  /** Rows from before are deleted, up to the first that is not. */
  before: Date;
  at: Date;
  /** Rows of one transaction. */
  limit: number;
}

/**
 * Deletes sealed rows from the front of the chain and notes the last of them as where it begins now, in one transaction; call it
 * again while `hasMore`. Rows that are not sealed yet stay.
 */
export const pruneAudit = (
  chain: AuditChain,
  { before, at, limit }: PruneRequest,
): Promise<{ rows: number; hasMore: boolean }> =>
  inTransaction(chain.database, async (tx) => {
    const head = await lockHead(tx);
    if (head === null) return { rows: 0, hasMore: false };
    const front = await readFront(tx, { before, limit });
    const firstLeft = front.findIndex(({ isOld }) => !isOld);
    const gone = firstLeft === -1 ? front : front.slice(0, firstLeft);
    const last = gone.at(-1);
    if (last === undefined) return { rows: 0, hasMore: false };
    await deleteFront(tx, last.seq);
    const unsigned = unsignedAt(head, !isSigned(chain.name, head, chain.keys()), at);
    const isForgotten = unsigned.unsignedSeq !== null && unsigned.unsignedSeq < last.seq;
    await writeSigned(tx, chain, {
      ...head,
      ...(isForgotten ? { unsignedSeq: null, unsignedAt: null } : unsigned),
      prunedSeq: last.seq,
      prunedId: last.auditId,
      prunedHash: last.hash,
      prunedAt: at,
    });
    return { rows: gone.length, hasMore: gone.length === limit };
  });
