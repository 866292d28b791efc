/**
 * Writes one group of transitions as one statement, and so as one transaction: it locks the plan rows and
 * checks their fences first; task, component and event rows are written only for plans that the writer still
 * has claimed.
 */
import type pg from "pg";
import { eventsChannel, type NewEvent } from "../../platform/events/events.ts";
import { planStream } from "./plan-events.ts";
import type { ComponentStatus, Info, LastOperation, TaskStatus, TerminateMode, Waiting } from "./types.ts";

/** The claim under which a worker drives a plan. */
export interface Claim {
  planId: string;
  fence: number;
  /** Number of the last group written; raised by the writer. */
  writeSeq: number;
  onTerminate: (mode: TerminateMode) => void;
  /** Set when a write was refused: no later write of the claim is sent. */
  refused?: unknown;
}

export interface TaskChange {
  taskId: string;
  from: TaskStatus;
  status: TaskStatus;
  waiting?: Waiting | null;
  intentAt?: Date;
  attempts?: number;
  mayHaveActed?: boolean;
  token?: string;
  /** When the adapter gave its token. */
  acceptedAt?: Date;
  adapterUrl?: string;
  /** Set when the adapter refused the call before any work can have begun. */
  refused?: boolean;
  /** Set when the task failed because its adapter gave no usable answer. */
  unanswered?: boolean;
  result?: string;
  info?: Info | null;
  startedAt?: Date;
  stoppedAt?: Date;
  /** Set when the component's row changes with the task. */
  component?: { status: ComponentStatus; lastOperation: LastOperation; info: Info | null };
  /** Set when the task may change who has access. */
  changesAccess?: boolean;
}

export interface PlanWrite {
  changes: TaskChange[];
  events: NewEvent[];
}

/** The writes of one claim in a group; `slot` in the statement is its index. */
export type Share = readonly [Claim, readonly PlanWrite[]];

export interface Verdict {
  slot: number;
  terminateMode: TerminateMode | null;
}

/** A group as sent; a retry sends the same. */
export interface Group {
  values: string[];
  changesAccess: boolean;
}

/** Writes the group. A claim without a verdict is lost: another worker has the plan, or it has ended. */
export async function writeGroup(pool: pg.Pool, { values, changesAccess }: Group): Promise<Verdict[]> {
  const query = changesAccess ? { name: "write-group-acl", text: aclText } : { name: "write-group", text };
  const { rows } = await pool.query<Verdict>({ ...query, values });
  return rows;
}

/** Makes a group, with the next write number of each claim. */
export function groupOf(shares: Share[]): Group {
  const plans: object[] = [];
  const changes: object[] = [];
  const events: object[] = [];
  for (const [slot, [claim, writes]] of shares.entries()) {
    claim.writeSeq++;
    plans.push({
      slot,
      plan_id: claim.planId,
      stream: planStream(claim.planId),
      fence: claim.fence,
      seq: claim.writeSeq,
    });
    for (const write of writes) {
      for (const change of write.changes) changes.push(changeRow(slot, change));
      for (const event of write.events) {
        const { type, at, level, data } = event;
        events.push({ slot, position: events.length, type, at, level, data });
      }
    }
  }
  const values = [JSON.stringify(plans), JSON.stringify(changes), JSON.stringify(events)];
  const changesAccess = shares.some(([, writes]) =>
    writes.some((write) => write.changes.some((change) => change.changesAccess)),
  );
  return { values, changesAccess };
}

const changeRow = (slot: number, change: TaskChange): object => ({
  slot,
  task_id: change.taskId,
  from_status: change.from,
  status: change.status,
  waiting: change.waiting ?? null,
  intent_at: change.intentAt,
  attempts: change.attempts,
  may_have_acted: change.mayHaveActed,
  token: change.token,
  accepted_at: change.acceptedAt,
  adapter_url: change.adapterUrl,
  refused: change.refused,
  unanswered: change.unanswered,
  result: change.result,
  info: change.info,
  started_at: change.startedAt,
  stopped_at: change.stoppedAt,
  component_status: change.component?.status,
  component_info: change.component?.info,
  last_operation: change.component?.lastOperation,
  changes_access: change.changesAccess,
});

/** Writes the components of the tasks in `changed`, as their calls had them. */
export const componentStep = `components as (
  insert into unit_components (unit_key, environment, component_key, component_id, name, parent_key, status,
    infrastructure_template_id, descriptor, hash, depends_on, descriptor_version, info, last_operation,
    position, plan_id, consumable)
  select c.unit_key, c.environment, m.key, m.id, m.name, m."parentKey",
    case when m.dropped and c.component_status = 'DEPLOYED' then 'NOT_DEPLOYED' else c.component_status end,
    m."infrastructureTemplateId", m.descriptor, m.hash,
    array(select json_array_elements_text(m."dependsOn")), m."descriptorVersion",
    case when m.key = c.component_key then c.component_info end, c.last_operation, m.position, c.plan_id,
    coalesce(m.consumable, false)
  from changed c, json_to_recordset(c.snapshot -> 'members') as m(key text, id text, name text,
    "parentKey" text, "infrastructureTemplateId" text, descriptor json, hash text, "dependsOn" json,
    "descriptorVersion" text, position int, consumable boolean, dropped boolean)
  where c.component_status is not null
  on conflict (unit_key, environment, component_key) do update set
    component_id = excluded.component_id, name = excluded.name, parent_key = excluded.parent_key,
    status = excluded.status, infrastructure_template_id = excluded.infrastructure_template_id,
    descriptor = excluded.descriptor, hash = excluded.hash, depends_on = excluded.depends_on,
    descriptor_version = excluded.descriptor_version,
    info = coalesce(excluded.info, unit_components.info),
    last_operation = excluded.last_operation, position = excluded.position, plan_id = excluded.plan_id,
    consumable = excluded.consumable, updated_at = now()
)`;

/**
 * A claimed plan with a write number below the group's is `locked` and written. A plan that already has the
 * number is returned as well but not locked, so nothing is written twice. When a task's row is not in the
 * state that its transition starts from, `complete` divides by zero: the statement fails and nothing is
 * written.
 */
const statementWith = (access: { field: string; column: string; steps: string }): string => `
with plans as (
  select * from json_to_recordset($1::json) as r(slot int, plan_id text, stream text, fence bigint, seq bigint)
), locked as materialized (
  update execution_plans p set write_seq = i.seq from plans i
  where p.id = i.plan_id and p.fence = i.fence and p.write_seq < i.seq
    and p.status in ('WAITING', 'RUNNING', 'TERMINATING')
  returning p.id, p.unit_key, p.environment, i.slot, i.stream
), changes as (
  select * from json_to_recordset($2::json) as r(slot int, task_id text, from_status text, status text,
    waiting json, intent_at timestamptz, attempts int, may_have_acted boolean, token text,
    accepted_at timestamptz, adapter_url text, refused boolean, unanswered boolean, result text, info json,
    started_at timestamptz, stopped_at timestamptz, component_status text, component_info json,
    last_operation json${access.field})
), changed as materialized (
  update plan_tasks t set status = c.status, waiting = c.waiting,
    intent_at = coalesce(c.intent_at, t.intent_at), attempts = coalesce(c.attempts, t.attempts),
    may_have_acted = coalesce(c.may_have_acted, t.may_have_acted),
    token = coalesce(c.token, t.token), accepted_at = coalesce(c.accepted_at, t.accepted_at), adapter_url = coalesce(c.adapter_url, t.adapter_url),
    refused = coalesce(c.refused, t.refused), unanswered = coalesce(c.unanswered, t.unanswered), result = coalesce(c.result, t.result),
    info = coalesce(c.info, t.info), started_at = coalesce(c.started_at, t.started_at),
    stopped_at = coalesce(c.stopped_at, t.stopped_at)
  from changes c, locked l
  where l.slot = c.slot and t.plan_id = l.id and t.task_id = c.task_id and t.status = c.from_status
  returning t.plan_id, t.task_id, t.component_key, t.snapshot, l.unit_key, l.environment, c.component_status,
    c.component_info, c.last_operation${access.column}
), ${componentStep}, logged as (
  insert into events (stream, type, at, level, data)
  select l.stream, e.type, e.at, e.level, e.data
  from json_to_recordset($3::json) as e(slot int, position int, type text, at timestamptz, level smallint,
    data json) join locked l on l.slot = e.slot
  order by e.position
  returning 1
)${access.steps}
select i.slot, p.terminate_mode as "terminateMode",
  (select count(*) from logged) as logged,
  (select pg_notify('${eventsChannel}', string_agg(stream, ',')) from locked) as noticed,
  1 / case when (select count(*) from changes c join locked l on l.slot = c.slot)
    = (select count(*) from changed) then 1 else 0 end as complete
from execution_plans p join plans i on i.plan_id = p.id and i.fence = p.fence
where exists (select 1 from locked l where l.slot = i.slot) or p.write_seq >= i.seq`;

/**
 * Brings the rows of `wanted` about: each names the complete set of identities with access to one component. Each grant and
 * revocation is audited.
 */
export const accessSteps = `, revoked as (
  delete from acls a using wanted w
  where a.unit_key = w.unit_key and a.environment = w.environment and a.component_key = w.component_key
    and a.identity <> all(w.identities)
  returning a.unit_key, a.environment, a.component_key, a.identity
), granted as (
  insert into acls (unit_key, environment, component_key, component_id, identity, request_id)
  select w.unit_key, w.environment, w.component_key, w.component_id, i.identity, w.request_id
  from wanted w, unnest(w.identities) as i(identity)
  on conflict do nothing
  returning unit_key, environment, component_key, identity
), audited as (
  insert into audit (area, actor, operation, subject, request_id, detail)
  select 'coordinator', w.originator, moved.operation, 'component:' || w.component_id || '@' || w.environment,
    w.http_request_id, jsonb_build_object('identity', moved.identity, 'planId', w.plan_id,
      'accessRequestId', w.request_id)
  from (select 'revokeAccess' as operation, r.* from revoked r
    union all select 'grantAccess', g.* from granted g) as moved
  join wanted w using (unit_key, environment, component_key)
)`;

const text = statementWith({ field: "", column: "", steps: "" });

/**
 * The same statement for tasks that change access. A confirmed access request replaces the set of identities;
 * access to a component is deleted when it is undeployed or a plan revoked it at the adapter. Each grant and
 * revocation is audited.
 */
const aclText = statementWith({
  field: ", changes_access boolean",
  column: ", c.changes_access",
  steps: `, wanted as (
  select r.unit_key, r.environment, r.component_key, r.component_id, r.identities, r.originator,
    r.http_request_id, r.request_id, r.plan_id
  from changed c join acl_requests r on r.plan_id = c.plan_id
  where c.changes_access and c.component_status is null
  union all
  select c.unit_key, c.environment, m.key, m.id, '{}', p.originator, c.plan_id, null, c.plan_id
  from changed c join execution_plans p on p.id = c.plan_id,
    json_to_recordset(c.snapshot -> 'members') as m(key text, id text, dropped boolean, closed boolean)
  where c.changes_access
    and (c.component_status = 'NOT_DEPLOYED' or m.dropped or m.closed)
)${accessSteps}`,
});
