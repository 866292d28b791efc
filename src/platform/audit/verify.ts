/** Verifies a chain page by page, each in one snapshot, so that it may be sealed and pruned meanwhile. */
import { inTransaction, type Db } from "../db/database.ts";
import { checkLinks, type ChainProblem } from "./check-links.ts";
import { isSigned, type Head, type Link } from "./chain.ts";
import type { AuditChain } from "./seal.ts";
import { readHead, readLinks, readLinkUpTo, readStrays, readTail } from "./store.ts";

export interface ChainStatus {
  /** Null where the row of the head is missing. */
  head: Head | null;
  isSigned: boolean;
  /** Rows that are not sealed yet. */
  tail: { rows: number; oldestAt: string | null };
}

export const readChainStatus = ({ name, database, keys }: AuditChain): Promise<ChainStatus> =>
  inTransaction(
    database,
    async (tx) => {
      const head = await readHead(tx);
      const tail = await readTail(tx, head?.id ?? 0);
      return { head, isSigned: head !== null && isSigned(name, head, keys()), tail };
    },
    { isolation: "repeatable read" },
  );

export interface Verified {
  /** Links that were compared. */
  checked: number;
  problems: ChainProblem[];
  /** Where to continue; null at the end of the chain. */
  next: number | null;
}

export interface VerifyRequest {
  /** The number of the last link of the page before; 0 begins at the front. */
  after: number;
  limit: number;
}

const pageRows = 1_000;
const maxProblems = 100;

/** Stops early where there are many problems. */
export async function verifyAudit(chain: AuditChain, { after, limit }: VerifyRequest): Promise<Verified> {
  const all: Verified = { checked: 0, problems: [], next: after };
  while (all.next !== null && all.checked < limit && all.problems.length < maxProblems) {
    const page: VerifyRequest = { after: all.next, limit: Math.min(pageRows, limit - all.checked) };
    const verified = await inTransaction(chain.database, (tx) => verifyPage(tx, chain, page), {
      isolation: "repeatable read",
    });
    all.checked += verified.checked;
    all.problems.push(...verified.problems);
    all.next = verified.next;
  }
  return all;
}

async function verifyPage(db: Db, chain: AuditChain, { after, limit }: VerifyRequest): Promise<Verified> {
  const head = await readHead(db);
  if (head === null) return { checked: 0, problems: [headMissing], next: null };
  const { start, startId } = await startOf(db, head, after);
  const links = await readLinks(db, { after: start.seq, limit });
  const isLast = links.length < limit;
  const last = links.at(-1);
  const upTo = isLast ? head.id : (last?.auditId ?? head.id);
  const strays = await readStrays(db, { after: startId, upTo, limit: maxProblems });
  const problems = [
    ...(after === 0 ? signatureProblems(chain, head) : []),
    ...checkLinks(chain.name, start, links),
    ...strays.map(inserted),
    ...(isLast ? endProblems(head, last ?? start) : []),
  ];
  return { checked: links.length, problems, next: isLast ? null : (last?.seq ?? null) };
}

/** The link that a page follows, and the row up to which the audit was looked at. What was pruned meanwhile is left out. */
async function startOf(db: Db, head: Head, after: number): Promise<{ start: Link; startId: number }> {
  const front = { start: { seq: head.prunedSeq, hash: head.prunedHash }, startId: head.prunedId };
  if (after === 0) return { ...front, startId: Number.MIN_SAFE_INTEGER };
  if (after <= head.prunedSeq) return front;
  const link = await readLinkUpTo(db, after);
  return link === null ? front : { start: link, startId: link.auditId };
}

const headMissing: ChainProblem = {
  kind: "HEAD_MISSING",
  seq: null,
  id: null,
  message: "The row with the ends of the chain is missing.",
};

const inserted = (id: number): ChainProblem => ({
  kind: "INSERTED",
  seq: null,
  id,
  message: "The row has no place in the chain, and rows after it are sealed.",
});

function signatureProblems({ name, keys }: AuditChain, head: Head): ChainProblem[] {
  const problems: ChainProblem[] = [];
  const { seq, unsignedSeq, unsignedAt } = head;
  if (!isSigned(name, head, keys()))
    problems.push({
      kind: "HEAD_UNSIGNED",
      seq,
      id: null,
      message: "The ends of the chain are not those that this installation has signed.",
    });
  if (unsignedSeq !== null)
    problems.push({
      kind: "HEAD_WAS_UNSIGNED",
      seq: unsignedSeq,
      id: null,
      message: `At ${unsignedAt?.toISOString()} the ends of the chain were not those that this installation had signed.`,
    });
  return problems;
}

function endProblems(head: Head, last: Link): ChainProblem[] {
  if (last.seq < head.seq)
    return [
      {
        kind: "TRUNCATED",
        seq: last.seq + 1,
        id: null,
        message: `The chain was sealed up to ${head.seq}, and ends at ${last.seq}.`,
      },
    ];
  if (last.seq === head.seq && last.hash.equals(head.hash)) return [];
  return [
    {
      kind: "HEAD_CHANGED",
      seq: head.seq,
      id: head.id,
      message: "The chain does not end where its head says.",
    },
  ];
}

/** Compares a link with what was noted of it elsewhere, such as in a copy of the log. */
export async function checkAnchor(
  { database }: AuditChain,
  { seq, hash }: { seq: number; hash: string },
): Promise<ChainProblem[]> {
  const [head, link] = await Promise.all([readHead(database.db), readLinkUpTo(database.db, seq)]);
  const pruned =
    head === null || seq > head.prunedSeq ? null : { seq: head.prunedSeq, hash: head.prunedHash };
  const found = link?.seq === seq ? link : pruned?.seq === seq ? pruned : null;
  if (found === null && pruned !== null)
    return [
      {
        kind: "ANCHOR_PRUNED",
        seq,
        id: null,
        message: `The place is older than what is kept, which begins at ${pruned.seq + 1}: nothing can be said of it.`,
      },
    ];
  if (found === null)
    return [{ kind: "ANCHOR_MISSING", seq, id: null, message: "The chain has no such place." }];
  return found.hash.toString("hex") === hash.toLowerCase()
    ? []
    : [{ kind: "ANCHOR_DIFFERS", seq, id: null, message: "The chain has another hash at this place." }];
}
