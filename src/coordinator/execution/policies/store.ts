/** Reads what policies compare a descriptor with. */
import type { Db } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";

interface DeployedRow {
  /** Of the last plan that changed components. */
  unit: Record<string, unknown> | null;
  components: object[];
  isDeployed: boolean;
}

/**
 * The unit as it is deployed: each component as it was last sent to its adapter, because they may come from
 * different versions of the descriptor. Null when nothing is deployed.
 */
export async function readDeployed(
  db: Db,
  { unitKey, environment }: { unitKey: string | null; environment: string },
): Promise<object | null> {
  const present = sql`from unit_components c where c.unit_key = u.unit_key and c.environment = u.environment
    and c.parent_key is null and c.status in ('DEPLOYED', 'CORRUPT')`;
  const { rows } =
    await sql<DeployedRow>`select u.descriptor as unit, exists (select 1 ${present}) as "isDeployed",
      (select coalesce(json_agg(c.descriptor order by c.position, c.component_key), '[]') ${present}
        and c.component_key <> u.unit_key) as components
    from units u where u.unit_key = ${unitKey} and u.environment = ${environment}`.execute(db);
  const [row] = rows;
  return row?.isDeployed ? { ...row.unit, components: row.components } : null;
}
