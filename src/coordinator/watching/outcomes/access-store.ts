/** What a settlement does to the access that is on record, and whether a later change has replaced one. */
import type { Db } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";
import { accessSteps } from "../../execution/group-store.ts";
import type { OutcomeRow } from "./entry.ts";

/** Who settles, for the audit. */
export interface Settler {
  ref: string;
  requestId: string;
}

const steps = sql.raw(`${accessSteps} select count(*) as "changes" from wanted`);

/** The change of access was carried out. A task of another plan than an access request's is one that revokes all. */
export async function applyAccess(db: Db, row: OutcomeRow, { ref, requestId }: Settler): Promise<void> {
  await sql<{ changes: number }>`with wanted as (
      select p.unit_key, p.environment, ${row.componentKey}::text as component_key,
        ${row.componentId}::text as component_id, coalesce(r.identities, '{}') as identities,
        ${ref}::text as originator, ${requestId}::text as http_request_id, r.request_id, p.id as plan_id
      from execution_plans p left join acl_requests r on r.plan_id = p.id
      where p.id = ${row.planId} and (r.plan_id is not null or p.kind <> 'ACCESS')
    )${steps}`.execute(db);
}

/** Nobody has access to what is not deployed any more. */
export async function endAccess(
  db: Db,
  row: OutcomeRow,
  { keys, settler: { ref, requestId } }: { keys: readonly string[]; settler: Settler },
): Promise<void> {
  if (keys.length === 0) return;
  await sql<{ changes: number }>`with wanted as (
      select c.unit_key, c.environment, c.component_key, c.component_id, '{}'::text[] as identities,
        ${ref}::text as originator, ${requestId}::text as http_request_id, null::text as request_id,
        c.plan_id
      from unit_components c where c.unit_key = ${row.unitKey} and c.environment = ${row.environment}
        and c.component_key = any(${[...keys]}::text[])
    )${steps}`.execute(db);
}

export interface LaterChange {
  planId: string;
  /** Whether it was carried out; otherwise nobody knows yet. */
  isDone: boolean;
}

/** What has changed the component, or the access to it, after the entry's call; what was carried out comes first. */
export async function findLaterChange(db: Db, row: OutcomeRow): Promise<LaterChange | null> {
  const { rows } = await sql<LaterChange>`
    select p.id as "planId", true as "isDone" from execution_plans p join plan_tasks t on t.plan_id = p.id
      where p.unit_key = ${row.unitKey} and p.environment = ${row.environment} and p.id <> ${row.planId}
        and t.component_key = ${row.componentKey} and t.action = 'UPDATE_ACL' and t.status = 'COMPLETED'
        and t.stopped_at > ${row.endedAt}
    union all
    select p.id, true from unit_components c join execution_plans p on p.id = c.plan_id
      where c.unit_key = ${row.unitKey} and c.environment = ${row.environment}
        and c.component_key = ${row.componentKey}
        and (p.accepted_number, p.created_at) > (select e.accepted_number, e.created_at from execution_plans e
          where e.id = ${row.planId})
    union all
    select o.plan_id, o.outcome is not null from unknown_outcomes o
      where o.unit_key = ${row.unitKey} and o.environment = ${row.environment} and o.plan_id <> ${row.planId}
        and o.component_key = ${row.componentKey} and o.action = 'UPDATE_ACL' and o.ended_at > ${row.endedAt}
        and (o.outcome is null or o.outcome = 'APPLIED')
    order by 2 desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Settles what the entry, which was carried out, has replaced. */
export async function supersedeEarlier(db: Db, row: OutcomeRow, at: Date): Promise<void> {
  await sql`update unknown_outcomes set settled_at = ${at}, settled_by = ${`plan:${row.planId}`},
      outcome = 'SUPERSEDED', reason = ${supersededText}
    where settled_at is null and unit_key = ${row.unitKey} and environment = ${row.environment}
      and component_key = ${row.componentKey} and action = 'UPDATE_ACL' and plan_id <> ${row.planId}
      and ended_at < ${row.endedAt}`.execute(db);
}

export const supersededText = "A later plan has changed the component.";
