import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

/** Null when the key has never been set; a value may be null as well. */
export async function readConfig(db: Db, key: string): Promise<{ value: unknown } | null> {
  const { rows } = await sql<{
    value: unknown;
  }>`select value from assistant_config where key = ${key}`.execute(db);
  return rows[0] ?? null;
}

/** The same, with a lock: the next writer of the key waits for the end of the transaction. */
export async function lockConfig(db: Db, key: string): Promise<{ value: unknown } | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`assistant config ${key}`}, 0))`.execute(db);
  return readConfig(db, key);
}

export async function readConfigs(
  db: Db,
  keys: readonly string[],
): Promise<{ key: string; value: unknown }[]> {
  const { rows } = await sql<{
    key: string;
    value: unknown;
  }>`select key, value from assistant_config where key = any(${keys}::text[])`.execute(db);
  return rows;
}

export async function upsertConfig(
  db: Db,
  entry: { key: string; value: unknown; by: string; at: Date },
): Promise<void> {
  const { key, value, by, at } = entry;
  await sql`insert into assistant_config (key, value, updated_by, updated_at)
    values (${key}, ${JSON.stringify(value)}::json, ${by}, ${at})
    on conflict (key) do update set value = excluded.value, updated_by = excluded.updated_by,
      updated_at = excluded.updated_at`.execute(db);
}
