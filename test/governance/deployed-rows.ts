/** Rows of units that are deployed, as the coordinator leaves them. */
import type { Database } from "../../src/platform/db/database.ts";

export interface StoredUnit {
  id: string;
  components: { id: string }[];
}

/** Every component is deployed unless `deployed` names those that are. */
export async function storeDeployedUnit(
  { pool }: Pick<Database, "pool">,
  unit: StoredUnit,
  { environment = "development", deployed }: { environment?: string; deployed?: string[] } = {},
): Promise<void> {
  await pool.query(
    `insert into units (unit_key, environment, unit_id, descriptor) values (lower($1), $2, $1, $3)
     on conflict (unit_key, environment) do update set descriptor = excluded.descriptor`,
    [unit.id, environment, JSON.stringify(unit)],
  );
  await pool.query(`delete from unit_components where unit_key = lower($1) and environment = $2`, [
    unit.id,
    environment,
  ]);
  await pool.query(
    `insert into unit_components (unit_key, environment, component_key, component_id, status, descriptor, hash, plan_id,
       position, updated_at)
     select lower($1), $2, lower(c ->> 'id'), c ->> 'id',
       case when $4::text[] is null or c ->> 'id' = any($4) then 'DEPLOYED' else 'NOT_DEPLOYED' end, c, '', 'test',
       place, now()
     from json_array_elements($3::json) with ordinality e(c, place)`,
    [unit.id, environment, JSON.stringify(unit.components), deployed ?? null],
  );
}
