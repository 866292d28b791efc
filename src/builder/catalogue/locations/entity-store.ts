/** Stores the entities that were read from a location. */
import type { Db } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { Relation } from "../entities/relations.ts";
import type { SearchRow } from "../entities/search-rows.ts";

export interface KnownEntity {
  uid: string;
  ref: string;
  hash: string;
  orphan: boolean;
  locationId: string;
}

/** The entities of the location, and those with one of the references in any location. */
export async function readKnown(db: Db, locationId: string, refs: readonly string[]): Promise<KnownEntity[]> {
  const { rows } = await sql<KnownEntity>`select uid, ref, hash, orphan, location_id as "locationId"
    from catalogue_entities where location_id = ${locationId}::uuid or ref = any(${refs}::text[])`.execute(
    db,
  );
  return rows;
}

export interface EntityToStore {
  uid: string;
  ref: string;
  kind: string;
  /** References of the Location entities that name its file. */
  parents: readonly string[];
  /** JSON text as in the location. */
  raw: string;
  /** JSON text as it is returned. */
  processed: string;
  hash: string;
  search: readonly SearchRow[];
  relations: readonly Relation[];
  files: ReadonlyMap<string, Buffer>;
}

/**
 * Stores entities of one location, sorted by reference. Returns which were stored: an entity that another
 * location has claimed in the meantime is skipped.
 */
export async function storeEntities(
  db: Db,
  { locationId, at }: { locationId: string; at: Date },
  sorted: readonly EntityToStore[],
): Promise<Set<string>> {
  if (sorted.length === 0) return new Set();
  const rows = sorted.map(({ uid, ref, kind, parents, raw, processed, hash }) => ({
    uid,
    ref,
    kind,
    parents,
    raw,
    processed,
    hash,
  }));
  const written = await sql<{
    ref: string;
  }>`insert into catalogue_entities (uid, ref, kind, location_id, parents,
      raw, processed, hash, updated_at)
    select r.uid, r.ref, r.kind, ${locationId}::uuid, r.parents, r.raw::json, r.processed, r.hash, ${at}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(uid uuid, ref text, kind text, parents text[],
      raw text, processed text, hash text)
    on conflict (ref) do update set kind = excluded.kind, parents = excluded.parents, raw = excluded.raw,
      processed = excluded.processed, hash = excluded.hash, orphan = false, updated_at = excluded.updated_at
      where catalogue_entities.uid = excluded.uid
    returning ref`.execute(db);
  const refs = new Set(written.rows.map(({ ref }) => ref));
  await storeDetails(
    db,
    sorted.filter(({ ref }) => refs.has(ref)),
  );
  return refs;
}

async function storeDetails(db: Db, entities: readonly EntityToStore[]): Promise<void> {
  const uids = entities.map(({ uid }) => uid);
  for (const table of ["catalogue_search", "catalogue_files"]) {
    await sql`delete from ${sql.ref(table)} where uid = any(${uids}::uuid[])`.execute(db);
  }
  await sql`delete from catalogue_relations where declared_by = any(${uids}::uuid[])`.execute(db);
  const search = entities.flatMap(({ uid, search: rows }) => rows.map((row) => ({ uid, ...row })));
  await sql`insert into catalogue_search (uid, key, value, shown)
    select uid, key, value, shown from json_to_recordset(${JSON.stringify(search)}::json)
      as r(uid uuid, key text, value text, shown text)`.execute(db);
  const relations = entities.flatMap(({ uid, relations: rows }) => rows.map((row) => ({ uid, ...row })));
  await sql`insert into catalogue_relations (source_ref, type, target_ref, declared_by)
    select "sourceRef", type, "targetRef", uid from json_to_recordset(${JSON.stringify(relations)}::json)
      as r("sourceRef" text, type text, "targetRef" text, uid uuid)
    on conflict do nothing`.execute(db);
  const files = entities.flatMap(({ uid, files: contents }) =>
    [...contents].map(([name, content]) => ({ uid, name, content: content.toString("base64") })),
  );
  await sql`insert into catalogue_files (uid, name, content)
    select uid, name, decode(content, 'base64') from json_to_recordset(${JSON.stringify(files)}::json)
      as r(uid uuid, name text, content text)`.execute(db);
}

/** Marks entities that their location no longer contains. They stay until the location is unregistered. */
export async function markOrphans(db: Db, uids: readonly string[], annotation: string): Promise<void> {
  await sql`update catalogue_entities set orphan = true, hash = '',
      processed = jsonb_set(processed::jsonb, array['metadata', 'annotations', ${annotation}::text], '"true"')::text
    where uid = any(${uids}::uuid[]) and not orphan`.execute(db);
  await sql`insert into catalogue_search (uid, key, value, shown)
    select uid, lower('metadata.annotations.' || ${annotation}::text), 'true', 'true'
    from unnest(${uids}::uuid[]) as u(uid)`.execute(db);
}

/**
 * Null when there is none. Its location is read again at the next refresh, which may restore it; a read under way, which has found
 * nothing changed since, is invalidated.
 */
export async function deleteEntity(db: Db, uid: string): Promise<string | null> {
  const { rows } = await sql<{ ref: string; locationId: string }>`delete from catalogue_entities
    where uid = ${uid}::uuid returning ref, location_id as "locationId"`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  await sql`update catalogue_locations set version = null, content_hash = null, fence = fence + 1
    where id = ${row.locationId}::uuid`.execute(db);
  return row.ref;
}
