/** Rows of the audit, of its chain and of its head. Statements are the same for each database that has an audit. */
import type { Db } from "../db/database.ts";
import { isoTime } from "../db/iso-time.ts";
import { sql } from "../db/sql.ts";
import type { AuditRow, Head, Link, StoredLink } from "./chain.ts";

const headColumns = sql.raw(`seq, audit_id as id, hash, sealed_at as "sealedAt", pruned_seq as "prunedSeq",
  pruned_id as "prunedId", pruned_hash as "prunedHash", pruned_at as "prunedAt", unsigned_seq as "unsignedSeq",
  unsigned_at as "unsignedAt", signature`);

export async function readHead(db: Db): Promise<Head | null> {
  const { rows } = await sql<Head>`select ${headColumns} from audit_head`.execute(db);
  return rows[0] ?? null;
}

/** The head, locked until the transaction ends; null while another process has it. */
export async function claimHead(db: Db): Promise<Head | null> {
  const { rows } = await sql<Head>`select ${headColumns} from audit_head for update skip locked`.execute(db);
  return rows[0] ?? null;
}

/** The same, waiting for another process. */
export async function lockHead(db: Db): Promise<Head | null> {
  const { rows } = await sql<Head>`select ${headColumns} from audit_head for update`.execute(db);
  return rows[0] ?? null;
}

export async function writeHead(db: Db, head: Head): Promise<void> {
  await sql`update audit_head set seq = ${head.seq}, audit_id = ${head.id}, hash = ${head.hash},
      sealed_at = ${head.sealedAt}, pruned_seq = ${head.prunedSeq}, pruned_id = ${head.prunedId},
      pruned_hash = ${head.prunedHash}, pruned_at = ${head.prunedAt}, unsigned_seq = ${head.unsignedSeq},
      unsigned_at = ${head.unsignedAt}, signature = ${head.signature}`.execute(db);
}

/** The highest id that can be seen, and the last one that is sealed. */
export async function readTops(db: Db): Promise<{ top: number; sealed: number }> {
  const { rows } = await sql<{ top: number; sealed: number }>`select
      coalesce((select max(id) from audit), 0) as top,
      coalesce((select audit_id from audit_head), 0) as sealed`.execute(db);
  return rows[0] ?? { top: 0, sealed: 0 };
}

/** The transactions that may have written rows which can't be seen yet. */
export async function readWriters(db: Db): Promise<string[]> {
  const { rows } = await sql<{
    transaction: string;
  }>`select distinct virtualtransaction as transaction from pg_locks
    where locktype = 'relation' and mode = 'RowExclusiveLock' and relation = 'audit'::regclass
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  return rows.map(({ transaction }) => transaction);
}

const rowColumns = sql`a.id, ${isoTime("a.at")} as at, a.area, a.actor, a.operation, a.subject,
  a.request_id as "requestId", a.client_address as "clientAddress", a.detail`;

export async function readUnsealed(
  db: Db,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<AuditRow[]> {
  const { rows } =
    await sql<AuditRow>`select ${rowColumns} from audit a where a.id > ${after} and a.id <= ${upTo}
    order by a.id limit ${limit}`.execute(db);
  return rows;
}

export async function insertLinks(
  db: Db,
  links: readonly (Link & { id: number })[],
  sealedAt: Date,
): Promise<void> {
  await sql`insert into audit_chain (audit_id, seq, sealed_at, hash)
    select id, seq, ${sealedAt}, hash from unnest(${links.map(({ id }) => id)}::bigint[],
      ${links.map(({ seq }) => seq)}::bigint[], ${links.map(({ hash }) => hash)}::bytea[]) as links (id, seq, hash)`.execute(
    db,
  );
}

/** Links in the order of the chain. */
export async function readLinks(
  db: Db,
  { after, limit }: { after: number; limit: number },
): Promise<StoredLink[]> {
  const { rows } = await sql<
    Link & { auditId: number } & { [K in keyof AuditRow]: AuditRow[K] | null }
  >`select c.seq, c.audit_id as "auditId", c.hash, ${rowColumns}
    from (select * from audit_chain where seq > ${after} order by seq limit ${limit}) c
      left join audit a on a.id = c.audit_id
    order by c.seq`.execute(db);
  return rows.map(({ seq, auditId, hash, ...row }) => ({
    seq,
    auditId,
    hash,
    row: row.id === null ? null : (row as AuditRow),
  }));
}

/** The link with that number, or the last one before it. */
export async function readLinkUpTo(db: Db, seq: number): Promise<(Link & { auditId: number }) | null> {
  const { rows } = await sql<
    Link & { auditId: number }
  >`select seq, audit_id as "auditId", hash from audit_chain
    where seq <= ${seq} order by seq desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Ids of rows that have no link, of a part of the audit that is sealed. */
export async function readStrays(
  db: Db,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from audit a where id > ${after} and id <= ${upTo}
    and not exists (select from audit_chain where audit_id = a.id) order by id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The rows behind the end of the chain. */
export async function readTail(db: Db, after: number): Promise<{ rows: number; oldestAt: string | null }> {
  const { rows } = await sql<{ rows: number; oldestAt: string | null }>`select count(*) as rows,
      ${isoTime("min(at)")} as "oldestAt" from audit where id > ${after}`.execute(db);
  return rows[0] ?? { rows: 0, oldestAt: null };
}

/** Sealed rows from before that time. */
export async function countOldLinks(db: Db, before: Date, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (select 1 from audit a
    join audit_chain c on c.audit_id = a.id where a.at < ${before} limit ${most}) found`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Deletes links with their rows. Rows that were never sealed stay, so that they are found. */
export async function deleteFront(db: Db, { after, upTo }: { after: number; upTo: number }): Promise<void> {
  await sql`with gone as (delete from audit_chain where seq > ${after} and seq <= ${upTo} returning audit_id)
    delete from audit where id in (select audit_id from gone)`.execute(db);
}
