/** Rows of idempotency keys. */
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

export interface KeyId {
  actor: string;
  operation: string;
  key: string;
}

export interface KeyClaim extends KeyId {
  fingerprint: string;
  now: Date;
  expiresAt: Date;
}

export interface KnownKey {
  fingerprint: string;
  token: string;
}

/** Expired keys deleted with each new one; more than one, so that the table shrinks again. */
const sweptAtATime = 20;

/**
 * Claims the key in this transaction and returns null, or returns the stored key. Waits for a concurrent
 * transaction that claims the same key: its commit or rollback decides.
 */
export async function claimKey(db: Db, claim: KeyClaim): Promise<KnownKey | null> {
  const { rows } = await sql`insert into idempotency_keys (actor, operation, key, fingerprint, expires_at)
    values (${claim.actor}, ${claim.operation}, ${claim.key}, ${claim.fingerprint}, ${claim.expiresAt})
    on conflict (actor, operation, key) do update
      set fingerprint = excluded.fingerprint, token = null, expires_at = excluded.expires_at
      where idempotency_keys.expires_at <= ${claim.now}
    returning 1`.execute(db);
  if (rows.length > 0) {
    await sql`delete from idempotency_keys where ctid in (select ctid from idempotency_keys
      where expires_at <= ${claim.now} order by expires_at limit ${sweptAtATime} for update skip locked)`.execute(
      db,
    );
    return null;
  }
  return readKey(db, claim);
}

/** Of a start that was accepted; null where none was, or its key has expired. */
export async function readKey(
  db: Db,
  { actor, operation, key, now }: KeyId & { now: Date },
): Promise<KnownKey | null> {
  const { rows } = await sql<KnownKey>`select fingerprint, token from idempotency_keys
    where actor = ${actor} and operation = ${operation} and key = ${key} and expires_at > ${now}`.execute(db);
  return rows[0] ?? null;
}

export async function storeToken(db: Db, id: KeyId, token: string): Promise<void> {
  await sql`update idempotency_keys set token = ${token}
    where actor = ${id.actor} and operation = ${id.operation} and key = ${id.key}`.execute(db);
}
