/** Finds the sessions that JWTs stand for. */
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

/** A session of the owner with the same rights that lasts long enough. */
export async function findSession(
  db: Db,
  { owner, roles, scopes, until }: SessionQuery,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`select id from access_tokens
    where owner = ${owner} and kind = 'session' and revoked_at is null and expires_at >= ${until}
      and roles = ${[...roles]}::text[] and scopes = ${[...scopes]}::text[]
    order by expires_at desc limit 1`.execute(db);
  return rows[0]?.id ?? null;
}
