/** Reads a plan and the tasks that a termination would end. */
import type { Db } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { PlanStatus, TerminateMode } from "../../execution/types.ts";
import type { TerminableTask } from "./foresee.ts";

export interface TerminablePlanRow {
  status: PlanStatus;
  terminateMode: TerminateMode | null;
  startedAt: Date | null;
  tasks: TerminableTask[];
}

/** With its tasks in their order. */
export async function readTerminable(db: Db, planId: string): Promise<TerminablePlanRow | null> {
  const { rows } = await sql<TerminablePlanRow>`select p.status, p.terminate_mode as "terminateMode",
      p.started_at as "startedAt",
      coalesce((select json_agg(json_build_object('taskId', t.task_id, 'action', t.action,
          'componentId', t.component_id, 'status', t.status, 'hasToken', t.token is not null,
          'mayHaveActed', t.may_have_acted) order by t.position)
        from plan_tasks t where t.plan_id = p.id), '[]') as tasks
    from execution_plans p where p.id = ${planId}`.execute(db);
  return rows[0] ?? null;
}
