/** Continues the chain of an audit over rows that are settled. One process at a time does, whichever has the head. */
import { inTransaction, type Database, type Db } from "../db/database.ts";
import type { SecretBox } from "../lib/secrets/secret-box.ts";
import { isSigned, linkOf, signatureOf, signedWith, type ChainName, type Head, type Link } from "./chain.ts";
import { claimHead, insertLinks, lockHead, readHead, readUnsealed, writeHead } from "./store.ts";

export interface AuditChain {
  name: ChainName;
  database: Database;
  /** The first one signs the ends of the chain; the others may have signed them before keys were changed. */
  keys: () => readonly Buffer[];
}

export const openAuditChain = (
  name: ChainName,
  { database, secrets }: { database: Database; secrets: Pick<SecretBox, "deriveAll"> },
): AuditChain => ({ name, database, keys: () => secrets.deriveAll("audit chain") });

export interface Sealed {
  rows: number;
  /** The last row. */
  seq: number;
  hash: string;
  /** The signature did not fit: somebody has changed the head, or the installation has another key. */
  isUnsigned: boolean;
  hasMore: boolean;
}

/** Rows of one transaction. */
const sealBatch = 500;

/** Null while another process seals, and where there is nothing to seal. */
export const sealAudit = (
  chain: AuditChain,
  { upTo, at }: { upTo: number; at: Date },
): Promise<Sealed | null> =>
  inTransaction(chain.database, async (tx) => {
    const head = await claimHead(tx);
    if (head === null || head.id >= upTo) return null;
    const rows = await readUnsealed(tx, { after: head.id, upTo, limit: sealBatch });
    let last: Link & { id: number } = head;
    const links = rows.map((row) => (last = { ...linkOf(chain.name, last, row), id: row.id }));
    const { seq, hash } = last;
    const isUnsigned = !isSigned(chain.name, head, chain.keys());
    await insertLinks(tx, links, at);
    // The last of them may have been rolled back: what is settled is not looked at again.
    const hasMore = rows.length === sealBatch;
    const id = hasMore ? last.id : upTo;
    await writeSigned(tx, chain, {
      ...head,
      ...unsignedAt(head, isUnsigned, at),
      seq,
      hash,
      id,
      sealedAt: at,
    });
    return { rows: rows.length, seq, hash: hash.toString("hex"), isUnsigned, hasMore };
  });

/** What stays to be shown of a head that somebody has changed; the first time counts. */
export const unsignedAt = (
  { seq, unsignedSeq, unsignedAt: since }: Head,
  isUnsigned: boolean,
  at: Date,
): Pick<Head, "unsignedSeq" | "unsignedAt"> =>
  isUnsigned && unsignedSeq === null
    ? { unsignedSeq: seq, unsignedAt: at }
    : { unsignedSeq, unsignedAt: since };

export const writeSigned = (tx: Db, chain: AuditChain, head: Head): Promise<void> =>
  writeHead(tx, { ...head, signature: signatureOf(chain.name, head, chain.keys()[0]!) });

/** Which of its keys the ends are signed with; -1 for none of them, null where there is no signature. */
export async function signingKey({ name, database, keys }: AuditChain): Promise<number | null> {
  const head = await readHead(database.db);
  return head === null || head.signature === null ? null : signedWith(name, head, keys());
}

/** Signs the ends with the first key where another one has. What nobody here has signed stays, to be found. */
export const signAgain = (chain: AuditChain): Promise<boolean> =>
  inTransaction(chain.database, async (tx) => {
    const head = await lockHead(tx);
    if (head === null || signedWith(chain.name, head, chain.keys()) <= 0) return false;
    await writeSigned(tx, chain, head);
    return true;
  });
