/** The types of systems and components, read from their entities. */
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { nameOfRef } from "./entities/entity-name.ts";
import type { ComponentType, SystemType, Taxonomy } from "./entities/taxonomy.ts";

/** Maximum number of types that are read. */
const maxTypes = 2_000;
/** Maximum number of component types that are read to find out whether access may be granted. */
const maxComponentTypes = 1_000;

interface TypeRow {
  kind: string;
  namespace: string;
  name: string;
  resourceType: string | null;
  belongsTo: string | null;
  consumable: unknown;
  shoppable: unknown;
}

/** Both kinds of types, indexed as in `byNames`. */
export async function readTaxonomy(db: Db): Promise<Taxonomy> {
  const rows = await readTypes(db, ["systemtype", "componenttype"], maxTypes);
  const [systems, components] = ["systemtype", "componenttype"].map((kind) =>
    rows.filter((row) => row.kind === kind),
  );
  return {
    systemTypes: byNames(systems ?? [], systemTypeOf),
    componentTypes: byNames(components ?? [], componentTypeOf, { byResourceType: true }),
  };
}

/** Whether access to components of a type may be granted; a value in quotes counts like one without. */
export async function readComponentTypes(db: Db): Promise<Record<string, Pick<ComponentType, "consumable">>> {
  const rows = await readTypes(db, ["componenttype"], maxComponentTypes);
  return byNames(
    rows,
    ({ consumable }) => {
      const word = String(consumable).toLowerCase();
      return word === "true" || word === "false" ? { consumable: word === "true" } : {};
    },
    { byResourceType: true },
  );
}

async function readTypes(db: Db, kinds: readonly string[], limit: number): Promise<TypeRow[]> {
  const { rows } = await sql<TypeRow>`select kind, split_part(split_part(ref, ':', 2), '/', 1) as namespace,
      lower(raw->'metadata'->>'name') as name,
      coalesce(raw->'spec'->>'resourceTypeId', raw->'spec'->>'resourceType') as "resourceType",
      coalesce(raw->'spec'->>'belongsTo', raw->'spec'->>'taxonomy') as "belongsTo",
      raw->'spec'->'consumable' as consumable, raw->'spec'->'shoppable' as shoppable
    from catalogue_entities where kind in (${sql.join(kinds)}) and not orphan
    order by ref not like '%:default/%', ref limit ${limit}`.execute(db);
  return rows;
}

/**
 * Indexes types by name and by `namespace/name`, and a component type also by its resource type when no other
 * type has that name: descriptors use either. Of types with the same name, the one in `default` wins.
 */
function byNames<T>(
  rows: readonly TypeRow[],
  typeOf: (row: TypeRow) => T,
  { byResourceType = false } = {},
): Record<string, T> {
  const types: Record<string, T> = Object.create(null);
  for (const row of rows)
    for (const key of [`${row.namespace}/${row.name}`, row.name]) types[key] ??= typeOf(row);
  for (const row of byResourceType ? rows : [])
    if (row.resourceType !== null) types[row.resourceType.toLowerCase()] ??= typeOf(row);
  return { ...types };
}

const systemTypeOf = ({ resourceType, belongsTo, shoppable }: TypeRow): SystemType => ({
  ...(resourceType === null ? {} : { resourceType }),
  ...(belongsTo === null ? {} : { taxonomy: nameOfRef(belongsTo) }),
  ...(typeof shoppable === "boolean" ? { shoppable } : {}),
});

const componentTypeOf = ({ consumable, shoppable }: TypeRow): ComponentType => ({
  ...(typeof consumable === "boolean" ? { consumable } : {}),
  ...(typeof shoppable === "boolean" ? { shoppable } : {}),
});

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
