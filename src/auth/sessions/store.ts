/** Finds the sessions that JWTs stand for. Those of browsers are none of them: they have a hash, and end with their browser. */
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { Role } from "../../platform/lib/actor.ts";

export interface SessionQuery {
  owner: string;
  roles: readonly Role[];
  scopes: readonly string[];
  /** It has to last until then. */
  until: Date;
}

/** The session of the owner's JWTs without a name that has the same rights and lasts long enough. */
export async function findSession(
  db: Db,
  { owner, roles, scopes, until }: SessionQuery,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`select id from access_tokens
    where owner = ${owner} and kind = 'session' and shared and revoked_at is null and expires_at >= ${until}
      and roles = ${[...roles]}::text[] and scopes = ${[...scopes]}::text[]
    order by expires_at desc limit 1`.execute(db);
  return rows[0]?.id ?? null;
}

export interface NamedSession {
  owner: string;
  name: string;
  roles: readonly Role[];
  scopes: readonly string[];
  expiresAt: Date;
}

/** The session of that name, which from now on has these rights and lasts so long; one that was revoked stays what it was. */
export async function renewNamedSession(
  tx: Db,
  { owner, name, roles, scopes, expiresAt }: NamedSession,
): Promise<{ id: string; isRevoked: boolean } | null> {
  const { rows } = await sql<{ id: string; isRevoked: boolean }>`update access_tokens
    set roles = case when revoked_at is null then ${[...roles]}::text[] else roles end,
      scopes = case when revoked_at is null then ${[...scopes]}::text[] else scopes end,
      expires_at = case when revoked_at is null then ${expiresAt} else expires_at end
    where id = (select id from access_tokens where owner = ${owner} and kind = 'session'
        and hash is null and not shared and name = ${name}
      order by created_at desc, id desc limit 1)
    returning id, revoked_at is not null as "isRevoked"`.execute(tx);
  return rows[0] ?? null;
}

/** Those with a name. Waits until no other session of the owner is being made. */
export async function countActiveNamedSessions(tx: Db, owner: string, now: Date): Promise<number> {
  await sql`select 1 from token_owners where ref = ${owner} for update`.execute(tx);
  const { rows } = await sql<{ count: number }>`select count(*) as count from access_tokens
    where owner = ${owner} and kind = 'session' and hash is null and not shared and revoked_at is null
      and expires_at > ${now}`.execute(tx);
  return rows[0]?.count ?? 0;
}
