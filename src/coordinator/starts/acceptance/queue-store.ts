/** Rows of operations that are queued on a unit. */
import type { RequestedStart } from "./request-schema.ts";
import type { Permission } from "../ownership/check.ts";
import type { Db } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { RequestOrigin } from "../../../platform/lib/request-lines.ts";
import { appendEvents, type NewEvent } from "../../../platform/events/events.ts";
import { insertTasks } from "../../execution/new-plan-store.ts";
import { planStream } from "../../execution/plan-events.ts";
import type { StartError } from "../../plans/store.ts";
import type { NewTask, PlanRequest } from "../../execution/types.ts";
import { activePlan, type UnitKey } from "../../units/store.ts";
import { waitingPlans, type StartQueue } from "../../units/unit-state-store.ts";

export interface QueuedPlan extends UnitKey {
  id: string;
  unitId: string;
  originator: string;
  /** Shown until the queued start is planned. */
  preliminary: { request: PlanRequest; action: "PROVISION" | "UNPROVISION" };
  descriptorVersion: string;
  traceparent: string;
  origin: RequestOrigin;
  now: Date;
  deadlineAt: Date;
  asked: QueuedRequest;
}

/** What is planned at its turn, and by which owners it was allowed; none where the caller may touch every unit. */
export type QueuedRequest = RequestedStart & Partial<Pick<Permission, "owned" | "undeployRefusedBy">>;

export async function readStartQueue(db: Db, at: UnitKey): Promise<StartQueue> {
  const { rows } =
    await sql<StartQueue>`select (${activePlan(at)}) as active, array(${waitingPlans(at)}) as waiting`.execute(
      db,
    );
  return rows[0] ?? { active: null, waiting: [] };
}

/** The caller holds the lock of the unit's row. */
export async function insertQueued(db: Db, plan: QueuedPlan, events: NewEvent[]): Promise<void> {
  const { request, action } = plan.preliminary;
  await sql`insert into execution_plans (id, kind, unit_key, unit_id, environment, action, status, originator,
      request, descriptor_version, traceparent, created_at, deadline_at, queued,
      http_request_id, client_address)
    values (${plan.id}, 'PROVISIONING', ${plan.unitKey}, ${plan.unitId}, ${plan.environment}, ${action}, 'WAITING',
      ${plan.originator}, ${JSON.stringify(request)}::json, ${plan.descriptorVersion}, ${plan.traceparent},
      ${plan.now}, ${plan.deadlineAt}, true, ${plan.origin.httpRequestId}, ${plan.origin.clientAddress})`.execute(
    db,
  );
  await sql`insert into operations (id, plan_id, unit_key, unit_id, environment, action, descriptor_version,
      status, originator, components, start_time, queued)
    values (${plan.id}, ${plan.id}, ${plan.unitKey}, ${plan.unitId}, ${plan.environment},
      ${action === "PROVISION" ? "DEPLOY" : "UNDEPLOY"}, ${plan.descriptorVersion}, 'SCHEDULED',
      ${plan.originator}, '[]'::json, ${plan.now}, true)`.execute(db);
  await sql`insert into queued_starts (plan_id, unit_key, environment, request, queued_at)
    values (${plan.id}, ${plan.unitKey}, ${plan.environment}, ${JSON.stringify(plan.asked)}::json,
      ${plan.now})`.execute(db);
  await appendEvents(db, planStream(plan.id), events);
}

export interface QueuedStart {
  planId: string;
  unitId: string;
  unitKey: string;
  environment: string;
  /** It has to be the plan of a preview. */
  isPinned: boolean;
}

/**
 * The first queued start of each unit without an active operation; those of the units after that one come first, and those
 * before it last.
 */
export async function findDueStarts(
  db: Db,
  { after, limit }: { after: UnitKey | null; limit: number },
): Promise<QueuedStart[]> {
  const { rows } = await sql<QueuedStart>`select due.* from (
      select distinct on (q.unit_key, q.environment) q.plan_id as "planId",
        q.unit_key as "unitKey", q.environment, p.unit_id as "unitId",
        q.request ->> 'planHash' is not null as "isPinned"
      from queued_starts q join execution_plans p on p.id = q.plan_id
      where not exists (select 1 from operations o where o.unit_key = q.unit_key
        and o.environment = q.environment and o.status in ('SCHEDULED', 'RUNNING', 'TERMINATING') and not o.queued)
      order by q.unit_key, q.environment, q.number) due
    order by (due."unitKey", due.environment) <= (${after?.unitKey ?? ""}, ${after?.environment ?? ""}),
      due."unitKey", due.environment limit ${limit}`.execute(db);
  return rows;
}

/** Stores why a queued start can't begin; returns since when that is so, or null when it is not queued any more. */
export async function noteStartError(db: Db, planId: string, error: StartError): Promise<Date | null> {
  const { rows } = await sql<{ lastError: StartError | null }>`select last_error as "lastError"
    from queued_starts where plan_id = ${planId}`.execute(db);
  if (rows.length === 0) return null;
  const since = rows[0]?.lastError?.since ?? error.since;
  if (rows[0]?.lastError?.reason !== error.reason)
    await sql`update queued_starts set last_error = ${JSON.stringify({ ...error, since })}::jsonb
      where plan_id = ${planId}`.execute(db);
  return new Date(since);
}

/** Locks the queued plan; null when it is not queued any more. */
export async function lockQueued(db: Db, planId: string): Promise<{ asked: QueuedRequest } | null> {
  const { rows } = await sql<{ asked: QueuedRequest }>`select q.request as asked
    from execution_plans p join queued_starts q on q.plan_id = p.id
    where p.id = ${planId} and p.queued for update of p`.execute(db);
  return rows[0] ?? null;
}

export interface QueuedStartPlan {
  planId: string;
  unitId: string;
  request: PlanRequest;
  action: "PROVISION" | "UNPROVISION";
  components: object[];
  descriptorVersion: string;
  now: Date;
  deadlineAt: Date;
}

/** Makes a queued plan the active one of its unit. */
export async function beginQueued(db: Db, plan: QueuedStartPlan, tasks: NewTask[]): Promise<void> {
  await sql`update execution_plans set queued = false, turn_at = ${plan.now}, deadline_at = ${plan.deadlineAt},
      request = ${JSON.stringify(plan.request)}::json, action = ${plan.action},
      descriptor_version = ${plan.descriptorVersion} where id = ${plan.planId}`.execute(db);
  await insertTasks(db, plan.planId, tasks);
  await sql`update operations set queued = false, descriptor_version = ${plan.descriptorVersion},
      action = ${plan.action === "PROVISION" ? "DEPLOY" : "UNDEPLOY"},
      components = ${JSON.stringify(plan.components)}::json where plan_id = ${plan.planId}`.execute(db);
  await sql`update units u set last_plan_id = ${plan.planId}, last_plan_status = 'WAITING',
      unit_id = ${plan.unitId}, updated_at = ${plan.now}
    from execution_plans p where p.id = ${plan.planId} and u.unit_key = p.unit_key
      and u.environment = p.environment`.execute(db);
  await sql`delete from queued_starts where plan_id = ${plan.planId}`.execute(db);
}
