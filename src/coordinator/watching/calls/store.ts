/** Reads what became of the calls of adapters, from the tasks that made them. */
import type { Db } from "../../../platform/db/database.ts";
import { sql, type Sql } from "../../../platform/db/sql.ts";
import { withoutEffect } from "../../execution/end-store.ts";
import type { OpenCall, PastCall } from "./health.ts";

export interface CallRow extends PastCall {
  deploymentUnitId: string | null;
  componentId: string | null;
  attempts: number;
  wasPolled: boolean;
}

export interface CallQuery {
  adapterId: string;
  environment: string;
  limit: number;
  after: CallKey | null;
}

/** A key of a page. Text, because a Date has only milliseconds. */
export interface CallKey {
  stoppedAt: string;
  planId: string;
  taskId: string;
}

/** Ended tasks of the adapter, in any environment, that one page looks through. */
export const maxLooked = 1_000;

export interface CallPage {
  calls: CallRow[];
  /** Where the next page begins; null at the end. */
  next: CallKey | null;
}

const outcome = sql`case
  when t.status = 'COMPLETED' then 'COMPLETED'
  when t.may_have_acted and not t.refused and t.action not in ${withoutEffect} then 'UNKNOWN'
  when t.unanswered then 'UNANSWERED'
  when t.status = 'TERMINATED' then 'TERMINATED'
  else 'FAILED' end`;

/** Longest message of an answer. */
const messageLength = 500;

const callColumns = sql`t.plan_id as "executionPlanId", t.task_id as "taskId", t.action, ${outcome} as outcome,
  t.started_at as "startedAt", t.stopped_at as "stoppedAt",
  case when t.status <> 'COMPLETED' then left(t.result, ${messageLength}) end as message`;

const keyText = sql`json_build_object('stoppedAt', w.stopped_at::text, 'planId', w.plan_id, 'taskId', w.task_id)`;

/** A page is filled from the last tasks of the adapter; where those are mostly of other environments it is shorter. */
export async function readCalls(db: Db, query: CallQuery): Promise<CallPage> {
  const { rows } = await callsSql(query).execute(db);
  const calls = rows.slice(0, query.limit);
  const more = rows.length > query.limit;
  const last = more ? (calls.at(-1)?.key ?? null) : (rows[0]?.lookedTo ?? null);
  return { calls: calls.flatMap(({ call }) => (call === null ? [] : [withDates(call)])), next: last };
}

interface PageRow {
  /** Null in the only row of a page without calls. */
  call: StoredCall | null;
  key: CallKey | null;
  /** The last task that was looked at, when there are more. */
  lookedTo: CallKey | null;
}

type StoredCall = Omit<CallRow, "startedAt" | "stoppedAt"> & { startedAt: string; stoppedAt: string };

const withDates = (call: StoredCall): CallRow => ({
  ...call,
  startedAt: new Date(call.startedAt),
  stoppedAt: new Date(call.stoppedAt),
});

export function callsSql({ adapterId, environment, limit, after }: CallQuery): Sql<PageRow> {
  const later = after
    ? sql`and (t.stopped_at, t.plan_id, t.task_id) < (${after.stoppedAt}::timestamptz, ${after.planId}, ${after.taskId})`
    : sql``;
  return sql<PageRow>`with looked as materialized (
      select t.plan_id, t.task_id, t.stopped_at, t.started_at from plan_tasks t
      where t.adapter_id = ${adapterId} and t.stopped_at is not null ${later}
      order by t.stopped_at desc, t.plan_id desc, t.task_id desc limit ${maxLooked}
    ), page as materialized (
      select w.* from looked w join execution_plans p on p.id = w.plan_id
      where p.environment = ${environment} and w.started_at is not null
      order by w.stopped_at desc, w.plan_id desc, w.task_id desc limit ${limit + 1}
    ), looked_to as (
      select ${keyText} as key from looked w where (select count(*) from looked) = ${maxLooked}
      order by w.stopped_at, w.plan_id, w.task_id limit 1
    )
    select case when w.plan_id is not null then (select to_json(c) from (select ${callColumns}, t.attempts,
          t.token is not null as "wasPolled", t.component_id as "componentId", p.unit_id as "deploymentUnitId"
        from plan_tasks t join execution_plans p on p.id = t.plan_id
        where t.plan_id = w.plan_id and t.task_id = w.task_id) c) end as call,
      case when w.plan_id is not null then ${keyText} end as key, l.key as "lookedTo"
    from (select 1) one left join page w on true left join looked_to l on true
    order by w.stopped_at desc, w.plan_id desc, w.task_id desc`;
}

export interface AddressQuery {
  /** Empty: in any. */
  environments: readonly string[];
  /** Undefined: of any. */
  adapterId: string | undefined;
  limit: number;
  after: { adapterId: string; environment: string } | null;
}

export interface CalledAddress {
  adapterId: string;
  name: string;
  environment: string;
  enabled: boolean;
  /** The last one first. */
  calls: PastCall[];
  open: OpenCall[];
}

/** Ended tasks of one adapter that its health is made of. */
export const maxCalls = 100;

export async function readAddresses(db: Db, query: AddressQuery): Promise<CalledAddress[]> {
  const { rows } = await addressesSql(query).execute(db);
  return rows.map(({ calls, ...row }) => ({
    ...row,
    calls: calls.map((call) => ({
      ...call,
      startedAt: new Date(call.startedAt),
      stoppedAt: new Date(call.stoppedAt),
    })),
  }));
}

type AddressRow = Omit<CalledAddress, "calls"> & {
  calls: (Omit<PastCall, "startedAt" | "stoppedAt"> & { startedAt: string; stoppedAt: string })[];
};

export function addressesSql({ environments, adapterId, limit, after }: AddressQuery): Sql<AddressRow> {
  const conditions = [
    environments.length > 0 ? sql`d.environment = any(${environments}::text[])` : null,
    adapterId === undefined ? null : sql`d.adapter_id = ${adapterId}`,
    after ? sql`(d.adapter_id, d.environment) > (${after.adapterId}, ${after.environment})` : null,
  ].filter((condition) => condition !== null);
  return sql<AddressRow>`with page as materialized (
      select d.adapter_id, a.name, d.environment, d.enabled
      from adapter_deployments d join tech_adapters a on a.id = d.adapter_id
      where ${conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`}
      order by d.adapter_id, d.environment limit ${limit}
    ), ended as materialized (
      select k.adapter_id, p.environment, c.*
      from (select distinct adapter_id from page) k cross join lateral (
        select ${callColumns} from plan_tasks t where t.adapter_id = k.adapter_id and t.stopped_at is not null
        order by t.stopped_at desc limit ${maxCalls}) c
      join execution_plans p on p.id = c."executionPlanId" where c."startedAt" is not null
    ), at_work as materialized (
      select t.adapter_id, p.environment, t.waiting
      from execution_plans p join plan_tasks t on t.plan_id = p.id
      where p.status in ('WAITING', 'RUNNING', 'TERMINATING') and t.status in ('RUNNING', 'TERMINATING')
        and t.adapter_id in (select adapter_id from page)
    )
    select g.adapter_id as "adapterId", g.name, g.environment, g.enabled,
      coalesce((select json_agg(to_jsonb(e) - 'adapter_id' - 'environment' order by e."stoppedAt" desc)
        from ended e where e.adapter_id = g.adapter_id and e.environment = g.environment), '[]') as calls,
      coalesce((select json_agg(json_build_object('waiting', w.waiting))
        from at_work w where w.adapter_id = g.adapter_id and w.environment = g.environment), '[]') as open
    from page g order by g.adapter_id, g.environment`;
}
