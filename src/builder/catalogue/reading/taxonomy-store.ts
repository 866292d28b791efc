/** The types of systems and components, as their entities say. */
import { sql } from "kysely";
import type { Db } from "../../../platform/db/database.ts";
import { nameOfRef } from "../../descriptors/entities/entity-name.ts";
import type { ComponentType, SystemType, Taxonomy } from "../../descriptors/entities/taxonomy.ts";

/** Most types that are looked at. */
const maxTypes = 2_000;
/** Most of those that tell only whether access may be given. */
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

/** Both kinds of types of descriptors, found as `byNames` says. */
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

/** Whether others may be given access to components of a type; a value in quotes is read as it is meant. */
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
 * A type is found by its name and by `namespace/name`, a component type by its resource type too where no other has that
 * name: descriptors call a component by either. Of the same name in two namespaces that of `default` counts.
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
