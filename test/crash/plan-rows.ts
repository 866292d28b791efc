import { sql } from "kysely";
import type { Db } from "../../src/platform/db/database.ts";

const isOpen = sql`status in ('WAITING', 'RUNNING', 'TERMINATING')`;

export async function readOpen(db: Db): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from execution_plans where ${isOpen}`.execute(db);
  return rows[0]?.n ?? 0;
}

export async function countCompleted(db: Db): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from plan_tasks where status = 'COMPLETED'`.execute(db);
  return rows[0]?.n ?? 0;
}

/** The plans that a worker drives, with their fences. */
export async function readDriven(db: Db, workerId: string | null): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; fence: number }>`select id, fence from execution_plans
    where worker_id = ${workerId}::uuid and ${isOpen}`.execute(db);
  return new Map(rows.map((row) => [row.id, row.fence]));
}

export async function readFences(db: Db, planId: string): Promise<{ fence: number; isOver: boolean }> {
  const { rows } = await sql<{ fence: number; isOver: boolean }>`select fence, not (${isOpen}) as "isOver"
    from execution_plans where id = ${planId}`.execute(db);
  return rows[0] ?? { fence: 0, isOver: true };
}

export interface PlanRecord {
  id: string;
  status: string;
  operation: string | null;
  deployed: number;
}

export async function readPlans(db: Db): Promise<Map<string, PlanRecord>> {
  const { rows } = await sql<PlanRecord>`select p.id, p.status, o.status as operation,
      (select count(*) from unit_components c where c.plan_id = p.id and c.status = 'DEPLOYED') as deployed
    from execution_plans p left join operations o on o.plan_id = p.id`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

export interface TaskRecord {
  planId: string;
  taskId: string;
  status: string;
  idempotencyKey: string;
  attempts: number;
}

export async function readTaskRecords(db: Db): Promise<TaskRecord[]> {
  const { rows } = await sql<TaskRecord>`select plan_id as "planId", task_id as "taskId", status,
      idempotency_key as "idempotencyKey", attempts
    from plan_tasks`.execute(db);
  return rows;
}
