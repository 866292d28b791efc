/** Deletes the oldest rows of an audit so that the rest can still be verified. */
import { writeAudit } from "../db/audit.ts";
import { inTransaction, type Db } from "../db/database.ts";
import { silentLogger } from "../lib/logger.ts";
import { systemContext } from "../lib/request-context.ts";
import { checkLinks, type ChainProblem } from "./check-links.ts";
import { isSigned, type Head, type StoredLink } from "./chain.ts";
import { writeSigned, type AuditChain } from "./seal.ts";
import { deleteFront, lockHead, readLinks } from "./store.ts";

export interface PruneRequest {
  /** Rows from before are deleted, up to the first that is not. */
  before: Date;
  at: Date;
  /** Rows of one transaction. */
  limit: number;
}

/**
 * Deletes sealed rows from the front of the chain and notes the last of them as where it begins now, in one transaction; call it
 * again while `hasMore`. Rows that are not sealed yet stay. Every row is verified before it goes: it rejects where the next one is
 * not what was sealed, since the signature over the new beginning would otherwise hide that. It rejects, too, where the next one has
 * the time of a clock that was wrong, because nothing behind it could go until then.
 */
export const pruneAudit = (
  chain: AuditChain,
  { before, at, limit }: PruneRequest,
): Promise<{ rows: number; hasMore: boolean }> =>
  inTransaction(chain.database, async (tx) => {
    const head = await lockHead(tx);
    if (head === null) return { rows: 0, hasMore: false };
    if (!isSigned(chain.name, head, chain.keys()))
      throw new Error("The ends of the chain are not those that this installation has signed.");
    const start = { seq: head.prunedSeq, hash: head.prunedHash };
    const links = await readLinks(tx, { after: start.seq, limit });
    const [problem] = checkLinks(chain.name, start, links);
    const sound = problem === undefined ? links : links.filter(({ seq }) => seq < (problem.seq ?? 0));
    const firstLeft = sound.findIndex(({ row }) => !isBefore(row, before));
    const gone = firstLeft === -1 ? sound : sound.slice(0, firstLeft);
    const stopped = firstLeft === -1 ? problem && reasonOf(problem) : futureReason(sound[firstLeft], at);
    const last = gone.at(-1);
    if (last === undefined) {
      if (stopped !== undefined) throw new Error(stopped);
      return { rows: 0, hasMore: false };
    }
    await deleteFront(tx, { after: start.seq, upTo: last.seq });
    await writeSigned(tx, chain, begunAfter(head, last, { before, at }));
    await recordPruning(tx, chain, { from: start.seq + 1, to: last.seq, before, at });
    return { rows: gone.length, hasMore: gone.length === limit || stopped !== undefined };
  });

/** By the time that its hash is over. When it was sealed is under no hash. */
const isBefore = (row: StoredLink["row"], before: Date): boolean =>
  row !== null && Date.parse(row.at) < before.getTime();

const reasonOf = ({ kind, seq, message }: ChainProblem): string =>
  `${kind} at place ${seq}: ${message} Nothing is deleted from there on; see plinth audit verify.`;

/** How far the clocks of the processes that write the audit may be apart. */
const clockDifferenceMs = 3_600_000;

function futureReason(link: StoredLink | undefined, at: Date): string | undefined {
  const time = link?.row?.at;
  if (time === undefined || Date.parse(time) <= at.getTime() + clockDifferenceMs) return undefined;
  return `The row at place ${link?.seq} has a time that is still to come: ${time}. Nothing is deleted from there on.`;
}

/** That the ends were not signed once is forgotten with the rows of before, when it is as old as they are. */
function begunAfter(head: Head, last: StoredLink, { before, at }: { before: Date; at: Date }): Head {
  const { unsignedSeq, unsignedAt } = head;
  const isForgotten = unsignedSeq !== null && unsignedSeq < last.seq && (unsignedAt ?? at) < before;
  return {
    ...head,
    ...(isForgotten ? { unsignedSeq: null, unsignedAt: null } : {}),
    prunedSeq: last.seq,
    prunedId: last.auditId,
    prunedHash: last.hash,
    prunedAt: at,
  };
}

/** With the places that are gone, so that the audit itself says what it has lost. */
function recordPruning(
  tx: Db,
  { name }: AuditChain,
  { from, to, before, at }: { from: number; to: number; before: Date; at: Date },
): Promise<void> {
  const ctx = systemContext(silentLogger, () => at);
  return writeAudit(tx, ctx, {
    area: name === "governance" ? "governance" : "coordinator",
    operation: "pruneAudit",
    subject: `audit:${name}`,
    detail: { from, to, before: before.toISOString() },
  });
}
