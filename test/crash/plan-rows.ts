import type { Db } from "../../src/platform/db/database.ts";
import { sql } from "../../src/platform/db/sql.ts";
import type { CalledTask } from "../engine/calls.ts";

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

/** From now on the database itself writes down every claim, so that none is missed between two looks. */
export async function recordClaims(db: Db): Promise<void> {
  await sql`create table claims_seen (plan_id text, role name, fence bigint, at timestamptz)`.execute(db);
  await sql`create function see_claim() returns trigger language plpgsql as $$ begin
    insert into claims_seen values (new.id, session_user, new.fence, clock_timestamp());
    return null;
  end $$`.execute(db);
  await sql`create trigger see_claim after update of fence on execution_plans
    for each row when (new.fence > old.fence) execute function see_claim()`.execute(db);
}

/** The plans that the worker of a database role drove at a moment, with their fences: claimed, not over and not claimed by another. */
export async function readDriven(db: Db, role: string, at: number): Promise<Map<string, number>> {
  const moment = new Date(at);
  const { rows } = await sql<{ id: string; fence: number }>`select c.plan_id as id, max(c.fence) as fence
    from claims_seen c join execution_plans p on p.id = c.plan_id
    where c.role = ${role} and (p.stopped_at is null or p.stopped_at >= ${moment})
      and not exists (select 1 from claims_seen later where later.plan_id = c.plan_id
        and later.fence > c.fence and later.role <> c.role and later.at < ${moment})
    group by c.plan_id`.execute(db);
  return new Map(rows.map((row) => [row.id, row.fence]));
}

export interface ClaimRecord {
  planId: string;
  role: string;
  fence: number;
  at: Date;
}

export async function readClaims(db: Db): Promise<ClaimRecord[]> {
  const { rows } = await sql<ClaimRecord>`select plan_id as "planId", role, fence, at
    from claims_seen order by fence`.execute(db);
  return rows;
}

export interface PlanRecord {
  id: string;
  status: string;
  operation: string | null;
  deployed: number;
}

export async function readPlans(db: Db): Promise<Map<string, PlanRecord>> {
  const { rows } = await sql<PlanRecord>`select p.id, p.status, o.status as operation,
      coalesce(c.deployed, 0) as deployed
    from execution_plans p left join operations o on o.plan_id = p.id
    left join (select plan_id, count(*) as deployed from unit_components where status = 'DEPLOYED'
      group by plan_id) c on c.plan_id = p.id`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

export async function readTaskRecords(db: Db): Promise<CalledTask[]> {
  const { rows } = await sql<CalledTask>`select plan_id as "planId", task_id as "taskId", action,
      component_id as "componentId", status, idempotency_key as "idempotencyKey", attempts,
      result, stopped_at as "stoppedAt"
    from plan_tasks`.execute(db);
  return rows;
}
