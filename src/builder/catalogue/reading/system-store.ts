/** The files of the catalogue that a descriptor is built from. */
import { sql } from "kysely";
import type { Db } from "../../../platform/db/database.ts";

export interface StoredFile {
  /** `metadata.name` of its entity. */
  entity: string;
  ref: string;
  orphan: boolean;
  /** Path as in a directory of an archive. */
  name: string;
  content: Buffer;
}

/** Files of a system and of the components that declare it as their system. */
const inSystem = (systemRef: string) => sql`(e.ref = ${systemRef} or e.ref in (select target_ref
  from catalogue_relations where source_ref = ${systemRef} and type = 'hasPart' and target_ref like 'component:%'))`;

export async function measureSystem(db: Db, systemRef: string): Promise<{ entities: number; bytes: number }> {
  const { rows } = await sql<{ entities: number; bytes: number }>`select count(distinct e.uid) as entities,
      coalesce(sum(length(f.content)), 0)::bigint as bytes
    from catalogue_entities e join catalogue_files f on f.uid = e.uid where ${inSystem(systemRef)}`.execute(
    db,
  );
  return rows[0] ?? { entities: 0, bytes: 0 };
}

export async function readSystemFiles(db: Db, systemRef: string): Promise<StoredFile[]> {
  const { rows } =
    await sql<StoredFile>`select e.raw->'metadata'->>'name' as entity, e.ref, e.orphan, f.name, f.content
    from catalogue_entities e join catalogue_files f on f.uid = e.uid where ${inSystem(systemRef)}
    order by e.ref, f.name`.execute(db);
  return rows;
}
