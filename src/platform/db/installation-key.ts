/** The fingerprint, written once, of the key that the secrets of this database are sealed with. */
import type { Db } from "./database.ts";
import { sql } from "./sql.ts";

export async function readFingerprint(db: Db): Promise<string | null> {
  const { rows } = await sql<{ fingerprint: string }>`select fingerprint from installation_key`.execute(db);
  return rows[0]?.fingerprint ?? null;
}

/**
 * Writes the fingerprint unless there is one. Returns the stored one: of processes that start at once, the
 * first one's.
 */
export async function claimFingerprint(db: Db, fingerprint: string, at: Date): Promise<string | null> {
  await sql`insert into installation_key (fingerprint, written_at) values (${fingerprint}, ${at})
    on conflict do nothing`.execute(db);
  return readFingerprint(db);
}

/** Replaces exactly the given fingerprint with another. Returns the stored one. */
export async function replaceFingerprint(
  db: Db,
  { old, fingerprint, at }: { old: string; fingerprint: string; at: Date },
): Promise<string | null> {
  await sql`update installation_key set fingerprint = ${fingerprint}, written_at = ${at}
    where fingerprint = ${old}`.execute(db);
  return readFingerprint(db);
}
