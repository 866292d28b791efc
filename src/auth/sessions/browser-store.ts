/** The sessions of browsers that somebody has, and what is encrypted of them. */
import { aboutSession } from "../../platform/auth/browser/session-store.ts";
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { SealedPlace } from "../../platform/runtime/keys/sealed-place.ts";

/** Those beyond the newest so many, which are to end for a new one. Waits until no other session of the owner is being begun. */
export async function listSurplus(
  tx: Db,
  { owner, keep, now, limit }: { owner: string; keep: number; now: Date; limit: number },
): Promise<string[]> {
  await sql`select 1 from token_owners where ref = ${owner} for update`.execute(tx);
  const { rows } = await sql<{ id: string }>`select id from access_tokens
    where owner = ${owner} and kind = 'session' and hash is not null and revoked_at is null and expires_at > ${now}
    order by created_at desc, id desc offset ${keep} limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Refresh tokens of sessions that have ended by themselves: nobody needs them any more. */
export async function dropEnded(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`delete from browser_sessions where token_id in (select s.token_id
    from browser_sessions s join access_tokens t on t.id = s.token_id
    where least(t.expires_at, coalesce(t.revoked_at, t.expires_at)) < ${before} limit ${limit}) returning 1`.execute(
    db,
  );
  return rows.length;
}

export async function countEnded(db: Db, before: Date, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (select 1
    from browser_sessions s join access_tokens t on t.id = s.token_id
    where least(t.expires_at, coalesce(t.revoked_at, t.expires_at)) < ${before} limit ${most}) found`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

export const sealedSessions: SealedPlace = {
  name: "browser_sessions.sealed",
  aboutOf: aboutSession,
  atOnce: 100,
  async read(db, { head, after, limit }) {
    const { rows } = await sql<{
      id: string;
      sealed: Buffer;
    }>`select token_id as id, sealed from browser_sessions
      where sealed is not null and substring(sealed from 1 for ${head.length}) <> ${head}
        and (${after}::uuid is null or token_id > ${after}) order by token_id limit ${limit}`.execute(db);
    return rows;
  },
  async count(db, head) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from browser_sessions
      where sealed is not null and substring(sealed from 1 for ${head.length}) <> ${head}`.execute(db);
    return rows[0]?.count ?? 0;
  },
  async replace(db, { id, before, sealed }) {
    const { rowCount } = await sql`update browser_sessions set sealed = ${sealed}
      where token_id = ${id} and substring(sealed from 1 for ${before.length}) = ${before}`.execute(db);
    return rowCount === 1;
  },
};
