/** Ends plans, and adds their tasks of unknown outcome to the ledger. */
import { inTransaction, type Database, type Db, type Transaction } from "../../platform/db/database.ts";
import { isDatabaseAway } from "../../platform/db/failures.ts";
import { sql } from "../../platform/db/sql.ts";
import { appendEvents } from "../../platform/events/events.ts";
import { planEvent, planStream } from "./plan-events.ts";
import type { PlanRow, PlanStatus } from "./types.ts";

export interface PlanEnd {
  status: PlanStatus;
  reason: string | null;
  at: Date;
  /** The plan started to change components, so its descriptor becomes the unit's. */
  adoptDescriptor: boolean;
  /** Whether a blocking external service failed; null when the plan did not reach that stage. */
  blockedByService: boolean | null;
}

const operationStatus: Partial<Record<PlanStatus, string>> = {
  COMPLETED: "SUCCEEDED",
  FAILED: "FAILED",
  TERMINATED: "TERMINATED",
};

const terminatedLate = "Terminated on request, when its last task had ended already.";

/**
 * Ends a plan, its operation and its stream in one transaction; false when the claim is lost. A termination
 * that was accepted meanwhile, unknown to the driver, decides the status unless every task had completed. With `onRefused`,
 * what the database refuses besides the ends of the plan and its operation is left out and reported.
 */
export async function endPlan(
  database: Database,
  plan: Pick<PlanRow, "id" | "fence">,
  end: PlanEnd,
  onRefused?: (error: Error) => void,
): Promise<boolean> {
  return inTransaction(database, async (tx) => {
    const { rows } = await sql<{ status: PlanStatus; reason: string | null }>`update execution_plans p
      set status = case when p.terminate_mode is null or ${end.status} = 'COMPLETED' then ${end.status}
          else 'TERMINATED' end,
        failure = case when p.terminate_mode is null or ${end.status} <> 'FAILED' then ${end.reason}
          else ${terminatedLate} end,
        stopped_at = ${end.at}, worker_id = null
      where p.id = ${plan.id} and p.fence = ${plan.fence} and p.status in ('WAITING', 'RUNNING', 'TERMINATING')
      returning p.status, p.failure as reason`.execute(tx);
    const ended = rows[0];
    if (!ended) return false;
    await sql`update operations set status = ${operationStatus[ended.status] ?? "FAILED"}, stop_time = ${end.at}
      where plan_id = ${plan.id}`.execute(tx);
    const write = (part: () => Promise<unknown>): Promise<unknown> =>
      onRefused === undefined ? part() : unlessRefused(tx, part, onRefused);
    await write(() =>
      sql`update units u set last_plan_status = ${ended.status}, updated_at = ${end.at},
        blocked_by_service = coalesce(${end.blockedByService}::boolean, u.blocked_by_service),
        descriptor = case when ${end.adoptDescriptor} then p.request -> 'descriptor' else u.descriptor end,
        descriptor_version = case when ${end.adoptDescriptor} then p.descriptor_version
          else u.descriptor_version end
      from execution_plans p
      where p.id = ${plan.id} and u.unit_key = p.unit_key and u.environment = p.environment
        and u.last_plan_id = p.id`.execute(tx),
    );
    await write(() => recordUnknownOutcomes(tx, plan.id));
    const event = planEvent(end.at, plan.id, ended.status, ended.reason ?? undefined);
    await write(() => appendEvents(tx, planStream(plan.id), [event]));
    return true;
  });
}

/** Undoes the part alone when the database refuses it. */
async function unlessRefused(
  tx: Transaction,
  part: () => Promise<unknown>,
  onRefused: (error: Error) => void,
): Promise<void> {
  await sql`savepoint part`.execute(tx);
  try {
    await part();
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    await sql`rollback to savepoint part`.execute(tx);
    onRefused(error as Error);
  }
}

/** Actions without side effects; their unknown outcomes need no settlement. */
export const withoutEffect = sql.raw(
  "('VALIDATE_COMPONENT', 'POLICY_VALIDATE_COMPONENT', 'REVERSE_PROVISION')",
);

const hasFailed = sql`t.status in ('FAILED', 'TERMINATED')`;

/**
 * Runs in the transaction that ends a plan: adds its tasks of unknown outcome to the ledger (also those whose own end could not
 * be written), and (already settled) tasks that were refused before any work began; settles entries of earlier plans whose components
 * this plan has changed, and those of changes of access that a later one has replaced.
 */
async function recordUnknownOutcomes(db: Db, planId: string): Promise<void> {
  await sql`with ended as (
      select p.id, p.unit_key, p.unit_id, p.environment, p.traceparent, p.status, p.stopped_at
      from execution_plans p where p.id = ${planId}
    ), superseded as (
      update unknown_outcomes o set settled_at = e.stopped_at, settled_by = 'plan:' || e.id, outcome = 'SUPERSEDED',
        reason = 'A later plan has changed the component.'
      from ended e
      where o.settled_at is null and o.plan_id <> e.id and o.unit_key = e.unit_key and o.environment = e.environment
        and (exists (select 1 from unit_components c where c.unit_key = o.unit_key and c.environment = o.environment
            and c.component_key = o.component_key and c.plan_id = e.id)
          or o.action = 'UPDATE_ACL' and exists (select 1 from plan_tasks t where t.plan_id = e.id
            and t.component_key = o.component_key and t.action = 'UPDATE_ACL' and t.status = 'COMPLETED'))
    )
    insert into unknown_outcomes (plan_id, task_id, unit_key, unit_id, environment, action, component_key,
      component_id, adapter_id, adapter_url, task_status, token, idempotency_key, traceparent, attempts, since,
      last_call_at, ended_at, last_answer, settled_at, settled_by, outcome, reason)
    select e.id, t.task_id, e.unit_key, e.unit_id, e.environment, t.action, t.component_key, t.component_id,
      t.adapter_id, t.adapter_url, case when ${hasFailed} then t.status
        when e.status = 'TERMINATED' then e.status else 'FAILED' end, t.token, t.idempotency_key, e.traceparent, t.attempts,
      coalesce(t.started_at, t.intent_at, e.stopped_at), t.intent_at, coalesce(t.stopped_at, e.stopped_at),
      left(t.result, 4000), case when t.refused then coalesce(t.stopped_at, e.stopped_at) end,
      case when t.refused then 'adapter:' || t.adapter_id end, case when t.refused then 'REFUSED' end,
      case when t.refused then 'The adapter refused the first call for a component that was never deployed.' end
    from ended e join plan_tasks t on t.plan_id = e.id
    where (t.may_have_acted and t.status not in ('COMPLETED', 'SKIPPED') or t.refused and ${hasFailed})
      and t.action not in ${withoutEffect}
    on conflict do nothing`.execute(db);
}
