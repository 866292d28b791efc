/** What waits in the coordinator, and plans that have ended, for notices. */
import type { Db } from "../../../../platform/db/database.ts";
import { sql } from "../../../../platform/db/sql.ts";

export interface OpenOutcome {
  planId: string;
  taskId: string;
  unitId: string | null;
  environment: string;
  action: string;
  componentId: string | null;
  endedAt: Date;
}

/** Entries of the ledger that nobody has settled, the oldest first. */
export async function listOpenOutcomes(db: Db, limit: number): Promise<OpenOutcome[]> {
  const { rows } =
    await sql<OpenOutcome>`select plan_id as "planId", task_id as "taskId", unit_id as "unitId",
      environment, action, component_id as "componentId", ended_at as "endedAt"
    from unknown_outcomes where settled_at is null order by since, plan_id, task_id limit ${limit}`.execute(
      db,
    );
  return rows;
}

export interface EndedPlan {
  eventId: number;
  id: string;
  unitId: string | null;
  environment: string;
  action: string;
  originator: string;
  status: string;
  failure: string | null;
  at: Date;
}

export interface EventRange {
  after: number;
  upTo: number;
}

/** Plans of units whose last event is in that range, in its order. */
export async function listEndedPlans(db: Db, { after, upTo }: EventRange): Promise<EndedPlan[]> {
  const { rows } =
    await sql<EndedPlan>`select e.id as "eventId", p.id, p.unit_id as "unitId", p.environment, p.action,
      p.originator, e.data ->> 'status' as status, p.failure, e.at
    from events e join execution_plans p on e.stream = 'plan:' || p.id
    where e.id > ${after} and e.id <= ${upTo} and e.type = 'plan' and p.kind = 'PROVISIONING'
      and e.data ->> 'status' in ('COMPLETED', 'FAILED', 'TERMINATED') order by e.id`.execute(db);
  return rows;
}
