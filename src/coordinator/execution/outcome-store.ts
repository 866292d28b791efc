/** Adds the tasks of an ended plan to the ledger of unknown outcomes. */
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

/** Actions without side effects; their unknown outcomes need no settlement. */
export const withoutEffect = sql.raw(
  "('VALIDATE_COMPONENT', 'POLICY_VALIDATE_COMPONENT', 'REVERSE_PROVISION')",
);

/**
 * Runs in the transaction that ends a plan: adds its tasks of unknown outcome to the ledger, and (already
 * settled) tasks that were refused before any work began; settles entries of earlier plans whose components
 * this plan has changed, and those of changes of access that a later one has replaced.
 */
export async function recordUnknownOutcomes(db: Db, planId: string): Promise<void> {
  await sql`with ended as (
      select p.id, p.unit_key, p.unit_id, p.environment, p.traceparent, p.stopped_at
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
      t.adapter_id, t.adapter_url, t.status, t.token, t.idempotency_key, e.traceparent, t.attempts,
      coalesce(t.started_at, t.intent_at, e.stopped_at), t.intent_at, coalesce(t.stopped_at, e.stopped_at),
      left(t.result, 4000), case when t.refused then coalesce(t.stopped_at, e.stopped_at) end,
      case when t.refused then 'adapter:' || t.adapter_id end, case when t.refused then 'REFUSED' end,
      case when t.refused then 'The adapter refused the first call for a component that was never deployed.' end
    from ended e join plan_tasks t on t.plan_id = e.id
    where (t.may_have_acted or t.refused) and t.status in ('FAILED', 'TERMINATED') and t.action not in ${withoutEffect}
    on conflict do nothing`.execute(db);
}
