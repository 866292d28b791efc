/** Units whose last operation failed. */
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { isAfter, timeOrder, type TimePosition } from "../../platform/db/time-position.ts";

export interface FailedOperation {
  planId: string;
  unitId: string;
  environment: string;
  action: string;
  failure: string | null;
  originator: string;
  stoppedAt: Date;
}

/** The oldest first; of all users when `originator` is null. */
export async function listFailedOperations(
  db: Db,
  { originator, limit, after }: { originator: string | null; limit: number; after: TimePosition | null },
): Promise<FailedOperation[]> {
  const { rows } =
    await sql<FailedOperation>`select o.plan_id as "planId", o.unit_id as "unitId", o.environment,
      o.action, p.failure, o.originator, coalesce(o.stop_time, o.start_time) as "stoppedAt"
    from units u join operations o on o.plan_id = u.last_plan_id join execution_plans p on p.id = o.plan_id
    where u.last_plan_status = 'FAILED' and (${originator}::text is null or o.originator = ${originator})
      and ${isAfter("coalesce(o.stop_time, o.start_time)", "o.plan_id", after)}
    order by ${timeOrder("coalesce(o.stop_time, o.start_time)", "o.plan_id")} limit ${limit}`.execute(db);
  return rows;
}
