/** What a descriptor is built from, as the catalogue has it. */
import { sql } from "kysely";
import type { Db } from "../../../platform/db/database.ts";

export interface StoredFile {
  /** `metadata.name` of its entity. */
  entity: string;
  ref: string;
  orphan: boolean;
  /** As in a directory of an archive. */
  name: string;
  content: Buffer;
}

/** Files of a system and of the components that say they are part of it. */
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

/** Most system types that are looked at. */
const maxSystemTypes = 1_000;

/** Resource type of each system type, by the name of the type. */
export async function readResourceTypes(db: Db): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string; type: string }>`select raw->'metadata'->>'name' as name,
      coalesce(raw->'spec'->>'resourceTypeId', raw->'spec'->>'resourceType') as type
    from catalogue_entities where kind = 'systemtype' and not orphan
      and coalesce(raw->'spec'->>'resourceTypeId', raw->'spec'->>'resourceType') is not null
    order by ref limit ${maxSystemTypes}`.execute(db);
  return Object.fromEntries(rows.map(({ name, type }) => [name, type]));
}
