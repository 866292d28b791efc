/** Rows of tokens and of their owners, as they are made, listed and revoked. */
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { Role } from "../../platform/lib/actor.ts";
import type { TokenKind } from "../../platform/auth/tokens/token.ts";

export interface NewTokenRow {
  id: string;
  kind: TokenKind;
  owner: string;
  name: string;
  hash: Buffer | null;
  ending: string | null;
  roles: readonly Role[];
  scopes: readonly string[];
  createdAt: Date;
  createdBy: string;
  expiresAt: Date;
  /** Of a session: whether it stands for all JWTs of the same rights that name none. */
  shared?: boolean;
}

export async function insertToken(db: Db, row: NewTokenRow): Promise<void> {
  await sql`insert into access_tokens (id, kind, owner, name, hash, ending, roles, scopes, created_at, created_by,
      expires_at, shared)
    values (${row.id}, ${row.kind}, ${row.owner}, ${row.name}, ${row.hash}, ${row.ending}, ${[...row.roles]}::text[],
      ${[...row.scopes]}::text[], ${row.createdAt}, ${row.createdBy}, ${row.expiresAt},
      ${row.shared ?? false})`.execute(db);
}

export interface TokenRow {
  id: string;
  kind: TokenKind;
  owner: string;
  name: string;
  ending: string | null;
  roles: readonly Role[];
  scopes: readonly string[];
  createdAt: Date;
  createdBy: string;
  expiresAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  revokedBy: string | null;
}

const columns = sql`id, kind, owner, name, ending, roles, scopes, created_at as "createdAt",
  created_by as "createdBy", expires_at as "expiresAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt",
  revoked_by as "revokedBy"`;

export interface TokenRowsQuery {
  /** Null for those of everybody. */
  owner: string | null;
  status: "active" | "ended" | "all";
  now: Date;
  after: { createdAt: string; id: string } | null;
  limit: number;
}

/** The newest first. */
export async function listTokenRows(db: Db, query: TokenRowsQuery): Promise<TokenRow[]> {
  const { owner, status, now, after, limit } = query;
  const conditions = [sql`true`];
  if (owner !== null) conditions.push(sql`owner = ${owner}`);
  if (status === "active") conditions.push(sql`revoked_at is null and expires_at > ${now}`);
  if (status === "ended") conditions.push(sql`(revoked_at is not null or expires_at <= ${now})`);
  if (after !== null)
    conditions.push(sql`(created_at, id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`);
  const { rows } = await sql<TokenRow>`select ${columns} from access_tokens
    where ${sql.join(conditions, sql` and `)} order by created_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}

/** Waits until no other token of the owner is being made, then counts those that it has made and that are active. */
export async function countActiveTokens(tx: Db, owner: string, now: Date): Promise<number> {
  await sql`select 1 from token_owners where ref = ${owner} for update`.execute(tx);
  const { rows } = await sql<{ count: number }>`select count(*) as count from access_tokens
    where owner = ${owner} and kind <> 'session' and revoked_at is null and expires_at > ${now}`.execute(tx);
  return rows[0]?.count ?? 0;
}

export async function readTokenRow(db: Db, id: string): Promise<TokenRow | null> {
  const { rows } = await sql<TokenRow>`select ${columns} from access_tokens where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** False where it was revoked before. */
export async function revokeTokenRow(
  db: Db,
  id: string,
  { by, at }: { by: string; at: Date },
): Promise<boolean> {
  const { rows } = await sql`update access_tokens set revoked_at = ${at}, revoked_by = ${by}
    where id = ${id} and revoked_at is null returning 1`.execute(db);
  return rows.length > 0;
}

const endedBefore = (before: Date) => sql`least(expires_at, coalesce(revoked_at, expires_at)) < ${before}`;

/** Removes tokens that ended before that time, and then owners without any that were only known by them. */
export async function pruneEndedTokens(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`delete from access_tokens where id in (select id from access_tokens
    where ${endedBefore(before)} limit ${limit}) returning 1`.execute(db);
  if (rows.length < limit)
    await sql`delete from token_owners o where source <> 'account' and known_at < ${before}
      and not exists (select 1 from access_tokens t where t.owner = o.ref)`.execute(db);
  return rows.length;
}

/** At most so many. */
export async function countEndedTokens(db: Db, before: Date, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (select 1 from access_tokens
    where ${endedBefore(before)} limit ${most}) found`.execute(db);
  return rows[0]?.count ?? 0;
}
