/** The taxonomy's types of components, as the catalogue has them. */
import { sql } from "kysely";
import type { Db } from "../../../platform/db/database.ts";

export interface ComponentType {
  consumable?: boolean;
}

/** Most types that are looked at. */
const maxComponentTypes = 1_000;

interface TypeRow {
  /** `namespace/name`. */
  ref: string;
  resourceType: string | null;
  isConsumable: boolean | null;
}

/**
 * By `namespace/name`, by name and by resource type, in lower case. Of one name in several namespaces that of `default`
 * counts, and a name before a resource type.
 */
export async function readComponentTypes(db: Db): Promise<Record<string, ComponentType>> {
  const { rows } = await sql<TypeRow>`select split_part(ref, ':', 2) as ref,
      lower(coalesce(raw->'spec'->>'resourceTypeId', raw->'spec'->>'resourceType')) as "resourceType",
      case lower(raw->'spec'->>'consumable') when 'true' then true when 'false' then false end as "isConsumable"
    from catalogue_entities where kind = 'componenttype' and not orphan
    order by ref not like '%:default/%', ref limit ${maxComponentTypes}`.execute(db);
  const types = new Map<string, ComponentType>();
  const add = (key: string | null, { isConsumable }: TypeRow): void => {
    if (key === null || types.has(key)) return;
    types.set(key, isConsumable === null ? {} : { consumable: isConsumable });
  };
  for (const row of rows) add(row.ref, row);
  for (const row of rows) add(row.ref.slice(row.ref.indexOf("/") + 1), row);
  for (const row of rows) add(row.resourceType, row);
  return Object.fromEntries(types);
}
