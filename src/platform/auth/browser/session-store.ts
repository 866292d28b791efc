/** Rows of sessions of browsers, as they are begun, used, renewed and ended. */
import type { Db } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import type { Role } from "../../lib/actor.ts";
import { storedTokenOf, tokenColumns, type TokenRow } from "../tokens/token-store.ts";
import type { StoredToken } from "../tokens/token.ts";

export interface BrowserSession {
  id: string;
  provider: string;
  startedAt: Date;
  endsAt: Date;
  vouchedUntil: Date;
  renewAt: Date;
  sealed: Buffer | null;
}

/** What a refresh token is sealed for. */
export const aboutSession = (id: string): string => `browser session ${id}`;

type SessionKey = { hash: Buffer } | { id: string };

export async function readBrowserSession(db: Db, key: SessionKey): Promise<BrowserSession | null> {
  const isFound = "hash" in key ? sql`t.hash = ${key.hash}` : sql`t.id = ${key.id}`;
  const { rows } = await sql<BrowserSession>`select t.id, s.provider, t.created_at as "startedAt",
      s.ends_at as "endsAt", s.vouched_until as "vouchedUntil", s.renew_at as "renewAt", s.sealed
    from browser_sessions s join access_tokens t on t.id = s.token_id where ${isFound}`.execute(db);
  return rows[0] ?? null;
}

/** What its row in the list and what the provider said are at one moment: a renewal changes both. */
export interface SessionToken {
  stored: StoredToken;
  /** Null where the session has ended. */
  session: BrowserSession | null;
}

interface SessionTokenRow extends TokenRow {
  startedAt: Date;
  signedInAt: string | null;
  endsAt: Date | null;
  vouchedUntil: Date | null;
  renewAt: Date | null;
  sealed: Buffer | null;
}

export async function readSessionToken(db: Db, hash: Buffer): Promise<SessionToken | null> {
  const { rows } = await sql<SessionTokenRow>`select ${tokenColumns}, t.created_at as "startedAt",
      s.provider as "signedInAt", s.ends_at as "endsAt", s.vouched_until as "vouchedUntil",
      s.renew_at as "renewAt", s.sealed
    from access_tokens t left join token_owners o on o.ref = t.owner
      left join browser_sessions s on s.token_id = t.id
    where t.hash = ${hash}`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const { id, startedAt, signedInAt: provider, endsAt, vouchedUntil, renewAt, sealed } = row;
  const isGoingOn = provider !== null && endsAt !== null && vouchedUntil !== null && renewAt !== null;
  return {
    stored: storedTokenOf(row),
    session: isGoingOn ? { id, provider, startedAt, endsAt, vouchedUntil, renewAt, sealed } : null,
  };
}

export type NewBrowserSession = Omit<BrowserSession, "startedAt">;

export async function insertBrowserSession(db: Db, row: NewBrowserSession): Promise<void> {
  await sql`insert into browser_sessions (token_id, provider, ends_at, vouched_until, renew_at, sealed)
    values (${row.id}, ${row.provider}, ${row.endsAt}, ${row.vouchedUntil}, ${row.renewAt}, ${row.sealed})`.execute(
    db,
  );
}

/** Moves its end on to `until`, never beyond the limit that no use extends. One that has ended stays so. */
export async function extendSession(
  db: Db,
  id: string,
  { at, until }: { at: Date; until: Date },
): Promise<void> {
  await sql`update access_tokens t set last_used_at = ${at}, expires_at = least(s.ends_at, ${until})
    from browser_sessions s where s.token_id = t.id and t.id = ${id} and t.revoked_at is null and t.expires_at > ${at}
      and (t.last_used_at is null or t.last_used_at < ${at})`.execute(db);
}

/** Whether this process is to renew it, which then no other does before `until`. */
export async function claimRenewal(
  db: Db,
  id: string,
  { at, until }: { at: Date; until: Date },
): Promise<boolean> {
  const { rows } = await sql`update browser_sessions set renew_at = ${until}
    where token_id = ${id} and renew_at <= ${at} returning 1`.execute(db);
  return rows.length > 0;
}

/** The refresh token of the renewal, which alone is good from now on, and when to renew next. */
export async function storeRefreshToken(
  db: Db,
  id: string,
  { sealed, renewAt }: { sealed: Buffer; renewAt: Date },
): Promise<void> {
  await sql`update browser_sessions set sealed = ${sealed}, renew_at = ${renewAt} where token_id = ${id}`.execute(
    db,
  );
}

/** When to renew it next. */
export async function storeRenewal(db: Db, id: string, renewAt: Date): Promise<void> {
  await sql`update browser_sessions set renew_at = ${renewAt} where token_id = ${id}`.execute(db);
}

export interface RenewedSession {
  roles: readonly Role[];
  scopes: readonly string[];
  vouchedUntil: Date;
  renewAt: Date;
}

export async function renewSession(tx: Db, id: string, renewed: RenewedSession): Promise<void> {
  await sql`update browser_sessions set vouched_until = ${renewed.vouchedUntil}, renew_at = ${renewed.renewAt}
    where token_id = ${id}`.execute(tx);
  await sql`update access_tokens set roles = ${[...renewed.roles]}::text[], scopes = ${[...renewed.scopes]}::text[]
    where id = ${id} and revoked_at is null`.execute(tx);
}

/** Nothing of it is good any more, and its refresh token is gone. */
export async function endSession(tx: Db, id: string, { by, at }: { by: string; at: Date }): Promise<void> {
  await sql`update access_tokens set revoked_at = ${at}, revoked_by = ${by}
    where id = ${id} and revoked_at is null`.execute(tx);
  await dropSession(tx, id);
}

/** What it had besides its row in the list. */
export async function dropSession(tx: Db, id: string): Promise<void> {
  await sql`delete from browser_sessions where token_id = ${id}`.execute(tx);
}
