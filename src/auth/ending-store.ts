/** Access tokens that end soon. */
import type { Db } from "../platform/db/database.ts";
import { sql } from "../platform/db/sql.ts";

export interface EndingToken {
  name: string;
  owner: string;
  expiresAt: Date;
}

/** Those that were used and not revoked, without sessions: people sign in again. The first to end first. */
export async function listEnding(
  db: Db,
  { now, before, limit }: { now: Date; before: Date; limit: number },
): Promise<EndingToken[]> {
  const { rows } = await sql<EndingToken>`select name, owner, expires_at as "expiresAt" from access_tokens
    where least(expires_at, coalesce(revoked_at, expires_at)) > ${now}
      and least(expires_at, coalesce(revoked_at, expires_at)) < ${before}
      and revoked_at is null and kind <> 'session' and last_used_at is not null
    order by expires_at, id limit ${limit}`.execute(db);
  return rows;
}
