/** Rows of a validation, as its status needs them. */
import { sql } from "kysely";
import type { Db } from "../../platform/db/database.ts";
import type { Validation } from "./view.ts";

/** Null when there is no plan of that token, or when it is no validation. */
export async function readValidation(db: Db, planId: string): Promise<Validation | null> {
  const { rows } = await sql<Validation>`select status, unit_key as "unitKey", request,
      coalesce((select json_agg(json_build_object('componentKey', t.component_key, 'status', t.status,
          'result', t.result, 'found', t.info, 'waiting', t.waiting) order by t.position)
        from plan_tasks t where t.plan_id = p.id), '[]') as tasks
    from execution_plans p where id = ${planId} and kind = 'VALIDATION'`.execute(db);
  return rows[0] ?? null;
}
