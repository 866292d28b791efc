/** Rows of plans and tasks: loading, claiming, ending. Transitions of tasks go through the group writer. */
import { inTransaction, type Database, type Db, type Transaction } from "../../platform/db/database.ts";
import { isDatabaseGone } from "../../platform/db/failures.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { appendEvents } from "../../platform/events/events.ts";
import { mayTakeOver } from "../../platform/jobs/worker-lease.ts";
import { nextDeath, nextError, type LastError } from "../../platform/run-engine/last-error.ts";
import { currentError, isDue as isDueRow } from "../../platform/run-engine/last-error-store.ts";
import { readAdapterUrls } from "../adapters/store.ts";
import { readDeployed } from "./policies/store.ts";
import { endPlan, type PlanEnd } from "./end-store.ts";
import { logEvent, planEvent, planStream } from "./plan-events.ts";
import type { LogLine, PlanRow, TaskRow, TerminateMode } from "./types.ts";

const planColumns = sql.raw(`p.id, p.kind, p.unit_key as "unitKey", p.unit_id as "unitId", p.environment,
  p.action, p.status, p.request, p.traceparent, p.terminate_mode as "terminateMode",
  p.terminate_at as "terminateAt", p.terminate_reason as "terminateReason", p.last_error as "lastError", p.deadline_at as "deadlineAt", p.fence, p.write_seq as "writeSeq",
  p.http_request_id as "httpRequestId", p.client_address as "clientAddress"`);

const taskColumns = sql.raw(`task_id as "taskId", position, stage, action, component_key as "componentKey",
  component_id as "componentId", component_name as "componentName", depends_on as "dependsOn", status,
  adapter_id as "adapterId", adapter_url as "adapterUrl", snapshot, details, idempotency_key as "idempotencyKey",
  attempts, may_have_acted as "mayHaveActed", token, result, info, started_at as "startedAt"`);

/** Queued plans have no tasks yet and are not driven. */
export const isActive = sql`p.status in ('WAITING', 'RUNNING', 'TERMINATING') and not p.queued`;

/**
 * The plans that plan `p` has to wait for: earlier plans of its lane and, for a provisioning, changes of
 * access on its unit. No change of access is accepted while an operation is active on the unit, so plans
 * never wait for each other. A plan that is being terminated starts nothing, so it waits for none.
 */
export const plansBefore = sql`(select b.id from execution_plans b
  where p.terminate_mode is null and b.lane = p.lane and b.lane_seq < p.lane_seq
    and b.status in ('WAITING', 'RUNNING', 'TERMINATING')
  union all
  select b.id from execution_plans b
  where p.terminate_mode is null and p.kind = 'PROVISIONING' and p.fence = 0 and b.kind = 'ACCESS'
    and b.unit_key = p.unit_key and b.environment = p.environment
    and b.status in ('WAITING', 'RUNNING', 'TERMINATING'))`;

/**
 * The plans of the unit of plan `p` whose call, of unknown outcome, is being made again: a later call beside it could be carried out
 * before it, and then be undone by it.
 */
export const repeatsBefore = sql`(select o.plan_id as id, o.repeating_until as until from unknown_outcomes o
  where p.terminate_mode is null and p.fence = 0 and o.unit_key = p.unit_key and o.environment = p.environment
    and o.repeating_until > now())`;

/** A plan that is being terminated needs no approval any more. */
const isApproved = sql`(p.approval_status is null or p.approval_status = 'APPROVED' or p.terminate_mode is not null)`;

/** One that waits for its environment to open; its termination needs no opening. */
const isReleased = sql`(p.hold is null or p.terminate_mode is not null)`;

/** One whose last worker could not go on is left alone until its next attempt. */
export const isDue = isDueRow("p");

const isUnblocked = sql`${isApproved} and ${isReleased} and ${isDue} and not exists ${plansBefore}
  and not exists ${repeatsBefore}`;

/** No other live worker drives it, and nothing holds it back. */
const isClaimable = (workerId: string): Sql => sql`${isActive} and ${isUnblocked}
  and (p.worker_id is null or p.worker_id = ${workerId} or ${mayTakeOver("p.worker_id", sql`${workerId}`)})`;

/**
 * Claims the plan for the worker. Raises the fence, so that an earlier driver can't write any more. Returns
 * null when the plan has ended or another live worker drives it. A worker never claims a plan that it is
 * driving.
 */
export async function claimPlan(
  database: Database,
  planId: string,
  { workerId, at }: { workerId: string; at: Date },
): Promise<PlanRow | null> {
  return inTransaction(database, async (tx) => {
    const { rows } = await sql<ClaimedRow>`update execution_plans p
      set worker_id = ${workerId}, fence = p.fence + 1, started_at = coalesce(p.started_at, now()),
        status = case when p.status = 'WAITING' then 'RUNNING' else p.status end
      where p.id = ${planId} and ${isClaimable(workerId)}
      returning ${planColumns}, now() as "claimedAt", case when p.fence > 1
        then (select before.worker_id from execution_plans before where before.id = p.id) end as "lastWorker"`.execute(
      tx,
    );
    const plan = rows[0];
    if (!plan) return null;
    const { lastWorker } = plan;
    const isLost = lastWorker !== null && lastWorker !== workerId;
    if (isLost && (await waitsAfterDeath(tx, plan))) return null;
    if (plan.fence === 1) {
      await sql`update operations set status = 'RUNNING' where plan_id = ${planId} and status = 'SCHEDULED'`.execute(
        tx,
      );
      await appendEvents(tx, planStream(planId), [planEvent(at, planId, plan.status)]);
    } else await appendEvents(tx, planStream(planId), [logEvent(takeOver(at, plan))]);
    return plan;
  });
}

interface ClaimedRow extends PlanRow {
  claimedAt: Date;
  /** Who had it; null where that worker has released it, with the error that kept it from going on, if there was one. */
  lastWorker: string | null;
}

/** Counts the death of the plan's worker. True when there were so many in a row that the plan has to wait before it is claimed again. */
async function waitsAfterDeath(tx: Transaction, { id, lastError, claimedAt }: ClaimedRow): Promise<boolean> {
  const next = nextDeath(lastError, { progress: await countEndedTasks(tx, id), at: claimedAt });
  if (next === null) return false;
  const waits = Date.parse(next.nextAttemptAt) > claimedAt.getTime();
  await sql`update execution_plans set last_error = ${JSON.stringify(next)}::jsonb,
      worker_id = case when ${waits} then null else worker_id end
    where id = ${id}`.execute(tx);
  return waits;
}

/** A log line that explains the pause of a plan that was taken over. */
const takeOver = (at: Date, { fence, lastError, lastWorker }: ClaimedRow): LogLine => ({
  at,
  severity: "WARNING",
  taskId: null,
  phase: "RECOVERY",
  message:
    lastError === null || lastWorker !== null
      ? `The plan was taken over (claim ${fence}): the worker before was lost or stopped. It goes on from where it was.`
      : `The plan was taken over (claim ${fence}) and goes on from where it was. Before, it could not: ${lastError.reason}`,
});

/**
 * Frees a plan, whose claim the database refuses, from a worker that is gone, so that the error can be stored with it; null when
 * it can't be claimed any more.
 */
export async function freeUnclaimed(db: Db, planId: string, workerId: string): Promise<PlanRow | null> {
  const { rows } = await sql<PlanRow>`update execution_plans p
    set worker_id = null, fence = p.fence + case when p.worker_id is null then 0 else 1 end
    where p.id = ${planId} and ${isClaimable(workerId)}
    returning ${planColumns}`.execute(db);
  return rows[0] ?? null;
}

/** Access to the rows of a plan for its driver, besides the writes of the group writer. */
export interface PlanRows {
  loadTasks(planId: string, environment: string): Promise<TaskRow[]>;
  /** By adapter id, where the adapters are registered and enabled in the environment. */
  readAdapterUrls(environment: string, adapterIds: string[]): Promise<Map<string, string>>;
  readAdapterLogs(planId: string): Promise<AdapterLogLine[]>;
  /** What is deployed of the plan's unit, as a descriptor; null when nothing is. */
  readDeployed(plan: Pick<PlanRow, "unitKey" | "environment">): Promise<object | null>;
  endPlan(plan: PlanRow, end: PlanEnd): Promise<boolean>;
}

export const createPlanRows = (database: Database): PlanRows => ({
  loadTasks: (planId, environment) => loadTasks(database.db, planId, environment),
  readAdapterUrls: (environment, adapterIds) => readAdapterUrls(database.db, environment, adapterIds),
  readAdapterLogs: (planId) => readAdapterLogs(database.db, planId),
  readDeployed: (plan) => readDeployed(database.db, plan),
  endPlan: (plan, end) => endPlan(database, plan, end),
});

type Claimed = Pick<PlanRow, "id" | "fence">;

/**
 * Releases an unfinished plan, so that any worker may claim it: at once, or at its next attempt where its worker could not go on.
 * An error after which it has gone on is forgotten.
 */
export async function releasePlan(db: Db, { id, fence }: Claimed): Promise<void> {
  await sql`update execution_plans p set worker_id = null, last_error = ${currentError}
    where id = ${id} and fence = ${fence} and ${isActive}`.execute(db);
}

/** Stores why the worker of a plan can't go on; null when the claim is lost. */
export async function noteError(
  database: Database,
  { id, fence }: Claimed,
  reason: string,
): Promise<LastError | null> {
  const progress = await countWherePossible(database.db, id);
  return inTransaction(database, async (tx) => {
    const { rows } = await sql<{ lastError: LastError | null; at: Date }>`select p.last_error as "lastError",
        now() as at
      from execution_plans p where p.id = ${id} and p.fence = ${fence} and ${isActive} for update`.execute(
      tx,
    );
    const plan = rows[0];
    if (!plan) return null;
    const next = nextError(plan.lastError, { reason, progress, at: plan.at });
    await sql`update execution_plans set last_error = ${JSON.stringify(next)}::jsonb
      where id = ${id}`.execute(tx);
    return next;
  });
}

/** Null where the tasks can't be read, which may be why the plan does not go on. */
const countWherePossible = (db: Db, planId: string): Promise<number | null> =>
  countEndedTasks(db, planId).catch((error: unknown) => {
    if (isDatabaseGone(error)) throw error;
    return null;
  });

async function countEndedTasks(db: Db, planId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from plan_tasks
    where plan_id = ${planId} and status in ('COMPLETED', 'FAILED', 'SKIPPED', 'TERMINATED')`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function readPlanRow(db: Db, planId: string): Promise<PlanRow | null> {
  const { rows } =
    await sql<PlanRow>`select ${planColumns} from execution_plans p where p.id = ${planId}`.execute(db);
  return rows[0] ?? null;
}

async function loadTasks(db: Db, planId: string, environment: string): Promise<TaskRow[]> {
  const { rows } = await sql<TaskRow>`select t.*, d.url as "registeredUrl"
    from (select ${taskColumns} from plan_tasks where plan_id = ${planId}) t
    left join adapter_deployments d on d.adapter_id = t."adapterId" and d.environment = ${environment}
      and d.enabled
    order by t.position`.execute(db);
  return rows;
}

export interface AdapterLogLine {
  task: string;
  severity: string;
  message: string;
  adapterTimestamp: string | null;
  adapterPhase: string | null;
}

/** Lines of the adapters' own logs that are already in the plan's log. */
async function readAdapterLogs(db: Db, planId: string): Promise<AdapterLogLine[]> {
  const { rows } = await sql<AdapterLogLine>`select data ->> 'task' as task, data ->> 'severity' as severity,
      data ->> 'message' as message, data ->> 'adapterTimestamp' as "adapterTimestamp",
      data ->> 'adapterPhase' as "adapterPhase"
    from events where stream = ${planStream(planId)} and type = 'log' and data ->> 'phase' like '%:ADAPTER'
    order by id`.execute(db);
  return rows;
}

export interface AbandonedQuery {
  workerId: string;
  /** Plans that this worker drives. */
  driving: string[];
  limit: number;
}

/**
 * Left to its job for a second. Both times are of the database's clock: that of the process that accepted the plan may be ahead.
 * Where the database's own was put back since, the plan is not new either.
 */
const isJustInserted = sql`p.inserted_at between now() - interval '1 second' and now()`;

/** Plans without a live driver: of dead workers, released, dropped by this worker, or with a lost job. */
export async function findAbandoned(db: Db, query: AbandonedQuery): Promise<{ id: string }[]> {
  const { rows } = await sql<{ id: string }>`select p.id from execution_plans p where ${isActive}
    and case when p.worker_id is null then p.fence > 0 or not ${isJustInserted}
        when p.worker_id = ${query.workerId} then p.id <> all(${query.driving}::text[])
        else ${mayTakeOver("p.worker_id", sql`${query.workerId}`)} end
    and ${isUnblocked}
    order by p.created_at limit ${query.limit}`.execute(db);
  return rows;
}

/** Whether no plan is waiting, queued or under way, in whatever process. */
export async function hasNoPlans(db: Db): Promise<boolean> {
  const { rows } =
    await sql`select 1 from execution_plans where status in ('WAITING', 'RUNNING', 'TERMINATING')
    limit 1`.execute(db);
  return rows.length === 0;
}

export const controlChannel = "plinth_plans";

/** Requested terminations of the plans. */
export async function readTerminations(db: Db, planIds: string[]): Promise<Termination[]> {
  const { rows } = await sql<Termination>`select id, terminate_mode as mode from execution_plans
    where id = any(${planIds}::text[]) and terminate_mode is not null`.execute(db);
  return rows;
}

interface Termination {
  id: string;
  mode: TerminateMode;
}

/** Stores the use of a worker's limits (JSON text), from which plans explain why a task waits. */
export async function writeSlots(db: Db, workerId: string, state: string | null): Promise<void> {
  await sql`update workers set slots = ${state}::json where id = ${workerId}`.execute(db);
}
