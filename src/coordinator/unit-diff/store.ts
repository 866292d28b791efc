/** The last known components of a unit, side by side. */
import { sql } from "kysely";
import type { Db } from "../../platform/db/database.ts";

export interface Side {
  status: "DEPLOYED" | "CORRUPT";
  descriptorVersion: string | null;
  /** Null where both sides have the same. */
  descriptor: Record<string, unknown> | null;
}

export interface ComponentPair {
  id: string;
  isRoot: boolean;
  environment: Side | null;
  otherEnvironment: Side | null;
}

export interface DiffQuery {
  unitKey: string;
  environment: string;
  otherEnvironment: string;
}

/** A component that is not deployed is absent; one that is deployed on neither side is left out. */
export async function readComponentPairs(db: Db, query: DiffQuery): Promise<ComponentPair[]> {
  const present = (environment: string) => sql`select * from unit_components where unit_key = ${query.unitKey}
    and environment = ${environment} and parent_key is null and status <> 'NOT_DEPLOYED'`;
  const side = (name: "a" | "b") => sql`case when ${sql.ref(name)}.component_key is not null then
    json_build_object('status', ${sql.ref(name)}.status, 'descriptorVersion', ${sql.ref(name)}.descriptor_version,
      'descriptor', case when a.hash <> b.hash then ${sql.ref(name)}.descriptor end) end`;
  const { rows } = await sql<ComponentPair>`select coalesce(a.component_id, b.component_id) as id,
      component_key = ${query.unitKey} as "isRoot", ${side("a")} as environment, ${side("b")} as "otherEnvironment"
    from (${present(query.environment)}) a full join (${present(query.otherEnvironment)}) b using (component_key)
    order by component_key <> ${query.unitKey}, coalesce(a.position, b.position), component_key`.execute(db);
  return rows;
}
