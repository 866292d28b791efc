/** The types of systems and components, as their entities say. */
import { sql } from "kysely";
import type { Db } from "../../../platform/db/database.ts";
import { nameOfRef } from "../../descriptors/entities/entity-name.ts";
import type { ComponentType, SystemType, Taxonomy } from "../../descriptors/entities/taxonomy.ts";

/** Most types that are looked at. */
const maxTypes = 2_000;

interface TypeRow {
  kind: string;
  namespace: string;
  name: string;
  resourceType: string | null;
  belongsTo: string | null;
  consumable: unknown;
  shoppable: unknown;
}

/**
 * A type is found by its name and by `namespace/name`, a component type by its resource type too where no other has that
 * name: descriptors call a component by either. Of the same name in two namespaces that of `default` counts.
 */
export async function readTaxonomy(db: Db): Promise<Taxonomy> {
  const { rows } = await sql<TypeRow>`select kind, split_part(split_part(ref, ':', 2), '/', 1) as namespace,
      lower(raw->'metadata'->>'name') as name,
      coalesce(raw->'spec'->>'resourceTypeId', raw->'spec'->>'resourceType') as "resourceType",
      coalesce(raw->'spec'->>'belongsTo', raw->'spec'->>'taxonomy') as "belongsTo",
      raw->'spec'->'consumable' as consumable, raw->'spec'->'shoppable' as shoppable
    from catalogue_entities where kind in ('systemtype', 'componenttype') and not orphan
    order by ref not like '%:default/%', ref limit ${maxTypes}`.execute(db);
  const systemTypes: Record<string, SystemType> = Object.create(null);
  const componentTypes: Record<string, ComponentType> = Object.create(null);
  for (const row of rows) {
    const keys = [`${row.namespace}/${row.name}`, row.name];
    if (row.kind === "systemtype") {
      for (const key of keys) systemTypes[key] ??= systemTypeOf(row);
    } else {
      for (const key of keys) componentTypes[key] ??= componentTypeOf(row);
    }
  }
  for (const row of rows.filter(({ kind }) => kind === "componenttype")) {
    if (row.resourceType !== null) componentTypes[row.resourceType.toLowerCase()] ??= componentTypeOf(row);
  }
  return { systemTypes: { ...systemTypes }, componentTypes: { ...componentTypes } };
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
