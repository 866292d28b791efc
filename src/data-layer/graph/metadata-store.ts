/** The row that says what is tracked, for all processes. */
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { TrackedSource } from "./metadata.ts";

export interface Metadata {
  revision: number;
  hash: string;
  sources: TrackedSource[];
  updatedAt: Date | null;
}

/** Revision 0 before anything was tracked. */
export async function readMetadata(db: Db): Promise<Metadata> {
  const { rows } =
    await sql<Metadata>`select revision, hash, sources, updated_at as "updatedAt" from data_layer_metadata`.execute(
      db,
    );
  return rows[0] ?? { revision: 0, hash: "", sources: [], updatedAt: null };
}

export interface NewMetadata {
  hash: string;
  sources: readonly TrackedSource[];
  at: Date;
  by: string;
}

/** The next revision; null when another process has written since `revision`. */
export async function writeMetadata(
  db: Db,
  revision: number,
  { hash, sources, at, by }: NewMetadata,
): Promise<number | null> {
  const { rows } = await sql<{ revision: number }>`
    insert into data_layer_metadata as m (revision, hash, sources, updated_at, updated_by)
    values (${revision} + 1, ${hash}, ${JSON.stringify(sources)}, ${at}, ${by})
    on conflict (id) do update set revision = m.revision + 1, hash = excluded.hash, sources = excluded.sources,
      updated_at = excluded.updated_at, updated_by = excluded.updated_by
    where m.revision = ${revision}
    returning revision`.execute(db);
  return rows[0]?.revision ?? null;
}
