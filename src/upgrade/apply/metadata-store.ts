/** What the data layer tracks, as an upgrade reads and changes it. The table is there from migration 0029 on. */
import type { Db, Transaction } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

export interface TrackedMetadata {
  revision: number;
  /** Tables by source, as POST /api/data-layer/metadata/restore takes them. */
  sources: { name: string; tables: { schema: string; name: string }[] }[];
}

export interface StoredMetadata extends TrackedMetadata {
  /** Whether it was reset and nothing has tracked anew since. */
  isReset: boolean;
}

/** Nobody else changes it until the end of the transaction. Null where nothing was ever tracked. */
export async function lockTracked(tx: Transaction): Promise<StoredMetadata | null> {
  const { rows: found } = await sql<{ isThere: boolean }>`
    select to_regclass('data_layer_metadata') is not null as "isThere"`.execute(tx);
  if (found[0]?.isThere !== true) return null;
  const { rows } = await sql<StoredMetadata>`
    select revision, sources, hash = '' as "isReset" from data_layer_metadata for update`.execute(tx);
  return rows[0] ?? null;
}

export async function resetTracked(db: Db, at: Date): Promise<void> {
  await sql`update data_layer_metadata set revision = revision + 1, hash = '', sources = '[]', updated_at = ${at},
    updated_by = 'service:default/plinth'`.execute(db);
}

export async function restoreTracked(db: Db, sources: TrackedMetadata["sources"], at: Date): Promise<void> {
  await sql`update data_layer_metadata set revision = revision + 1, hash = 'restored',
    sources = ${JSON.stringify(sources)}, updated_at = ${at}, updated_by = 'service:default/plinth'`.execute(
    db,
  );
}
