/** Pure: what of an audit row its hash is over, and what the signature of a chain is over. */
import { createHash, createHmac } from "node:crypto";
import { rfc8785 } from "../lib/rfc8785.ts";

/** Rows of governance are in its own database, all others in that of the platform; each database has a chain. */
export const chainNames = ["platform", "governance"] as const;
export type ChainName = (typeof chainNames)[number];

/** A row of the audit. Times are texts as they travel. */
export interface AuditRow {
  id: number;
  at: string;
  area: string | null;
  actor: string;
  operation: string;
  subject: string;
  requestId: string | null;
  clientAddress: string | null;
  detail: object;
}

/** A place in a chain. */
export interface Link {
  seq: number;
  hash: Buffer;
}

/** A link, with the row that it was made of unless that is gone. */
export interface StoredLink extends Link {
  auditId: number;
  row: AuditRow | null;
}

/**
 * A row as exports have it, without its own hash. What is null is left out, so that columns of later releases change no hash of
 * the rows that do not have them.
 */
export function recordOf(
  chain: ChainName,
  row: AuditRow,
  place: { seq?: number; previousHash?: string },
): object {
  const { operation, subject, requestId, clientAddress, area, ...same } = row;
  return {
    chain,
    ...place,
    ...same,
    area: area ?? undefined,
    action: operation,
    resource: subject,
    requestId: requestId ?? undefined,
    clientAddress: clientAddress ?? undefined,
  };
}

/** The next link after `previous`: SHA-256 of the record in the form of RFC 8785. */
export const linkOf = (chain: ChainName, previous: Link, row: AuditRow): Link => {
  const seq = previous.seq + 1;
  const text = rfc8785(recordOf(chain, row, { seq, previousHash: previous.hash.toString("hex") }));
  return { seq, hash: createHash("sha256").update(text).digest() };
};

/** Both ends of a chain. */
export interface Head extends Link {
  /** The row of the last link. */
  id: number;
  sealedAt: Date | null;
  /** The last row that was deleted from the front; 0 while all are there. */
  prunedSeq: number;
  prunedId: number;
  prunedHash: Buffer;
  prunedAt: Date | null;
  /** The last row when the chain was continued although its signature did not fit. */
  unsignedSeq: number | null;
  unsignedAt: Date | null;
  signature: Buffer | null;
}

/** Nobody without the key of the installation can sign another chain than the one that was sealed. */
export function signatureOf(
  chain: ChainName,
  head: Omit<Head, "signature" | "sealedAt">,
  key: Buffer,
): Buffer {
  const signed = {
    chain,
    seq: head.seq,
    id: head.id,
    hash: head.hash.toString("hex"),
    prunedSeq: head.prunedSeq,
    prunedId: head.prunedId,
    prunedHash: head.prunedHash.toString("hex"),
    prunedAt: head.prunedAt?.toISOString(),
    unsignedSeq: head.unsignedSeq ?? undefined,
    unsignedAt: head.unsignedAt?.toISOString(),
  };
  return createHmac("sha256", key).update(rfc8785(signed)).digest();
}

/** With one of the keys. A chain that nothing was sealed in yet has no signature. */
export const isSigned = (chain: ChainName, head: Head, keys: readonly Buffer[]): boolean =>
  head.signature === null ? isBlank(head) : signedWith(chain, head, keys) >= 0;

/** Which of the keys it was signed with; -1 for none of them. */
export const signedWith = (chain: ChainName, head: Head, keys: readonly Buffer[]): number =>
  keys.findIndex((key) => head.signature !== null && signatureOf(chain, head, key).equals(head.signature));

const isBlank = (head: Head): boolean =>
  head.seq === 0 && head.id === 0 && head.prunedSeq === 0 && head.unsignedSeq === null;
