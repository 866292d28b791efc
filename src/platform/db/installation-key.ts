/** The fingerprints of the keys that secrets of this database may be sealed with. */
import type { Db, Transaction } from "./database.ts";
import { sql } from "./sql.ts";

/** The migration that brought these rows; older programs can't open values that name their key. */
export const namingSince = 62;

/** Two-part advisory lock under which the rows change. */
const lockClass = 0x504f;

export interface RecordedKeys {
  /** The latest first. */
  fingerprints: string[];
  /** Whether what is sealed names its key. */
  naming: boolean;
}

export async function readKeys(db: Db): Promise<RecordedKeys> {
  const { rows } = await sql<{ fingerprint: string; naming: boolean }>`select fingerprint, naming
    from installation_keys order by since desc, fingerprint`.execute(db);
  return {
    fingerprints: rows.map(({ fingerprint }) => fingerprint),
    naming: rows.some(({ naming }) => naming),
  };
}

/** The same, which no other process changes until the end of the transaction. */
export async function lockKeys(tx: Transaction): Promise<RecordedKeys> {
  await sql`select pg_advisory_xact_lock(${lockClass}, 0)`.execute(tx);
  return readKeys(tx);
}

/** The first key is written for older programs as well, which may be started until values name their keys. */
export async function addKey(tx: Transaction, key: { fingerprint: string; naming: boolean }): Promise<void> {
  const { fingerprint, naming } = key;
  await sql`insert into installation_keys (fingerprint, naming, since)
    values (${fingerprint}, ${naming}, clock_timestamp())`.execute(tx);
  await sql`insert into installation_key (fingerprint, written_at) values (${fingerprint}, now())
    on conflict (one_row) do update set fingerprint = excluded.fingerprint, written_at = excluded.written_at`.execute(
    tx,
  );
}

export const removeKeys = async (tx: Transaction, fingerprints: readonly string[]): Promise<void> =>
  void (await sql`delete from installation_keys where fingerprint = any(${[...fingerprints]}::text[])`.execute(
    tx,
  ));

/** From now on what is sealed names its key, and programs that could not open it are refused. */
export async function startNaming(tx: Transaction): Promise<void> {
  await sql`update installation_keys set naming = true where not naming`.execute(tx);
  await sql`update schema_migrations set compatible_from = ${namingSince}
    where left(name, 4)::int = ${namingSince} and compatible_from < ${namingSince}`.execute(tx);
}

/** Wakes the processes that wait for others to know a key. */
export const notifyKeys = async (tx: Transaction): Promise<void> =>
  void (await sql`select pg_notify(${keysChannel}, '')`.execute(tx));

/** Notified when a process has other keys than before. */
export const keysChannel = "plinth_keys";
