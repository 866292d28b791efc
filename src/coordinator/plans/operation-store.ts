/** The list of operations; the database builds its JSON. */
import type { Db } from "../../platform/db/database.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { isoTime } from "../../platform/db/iso-time.ts";
import { atItsTurn } from "./waiting.ts";
import { operationLimits } from "./operation-schema.ts";
import { progressSql } from "./operation-progress-store.ts";
import { queueUpTo } from "./store.ts";

export interface OperationQuery {
  unitKey: string | undefined;
  planId?: string | undefined;
  /** Empty: in any. */
  environments: readonly string[];
  /** Empty: any. */
  statuses: readonly string[];
  after: Date | undefined;
  before: Date | undefined;
  order: "asc" | "desc";
  limit: number;
  withDescriptors: boolean;
  withProgress: boolean;
}

/** A page with descriptors ends here before its limit is reached; each page has at least one operation. */
const pageBytes = 8 * 1024 * 1024;

/** One page as JSON text. */
export async function listOperations(db: Db, query: OperationQuery): Promise<string> {
  const { rows } = await sql<{ text: string }>`${pageSql(query)}`.execute(db);
  return rows[0]?.text ?? "";
}

/**
 * The statement of a page. Operations with the start time of the last one are included (`with ties`): the
 * start time is the cursor of the next page, so operations of equal time must not be split between pages.
 */
export function pageSql(query: OperationQuery): Sql {
  const direction = sql.raw(query.order);
  return sql`with recursive known_environments(environment) as (
      (select environment from operations order by environment limit 1)
      union all
      select (select o.environment from operations o where o.environment > k.environment
        order by o.environment limit 1)
      from known_environments k where k.environment is not null
    ), found as materialized (
      ${foundSql(query)}
    ), page as materialized (
      ${query.withDescriptors ? whatFits(direction) : sql`select * from found`}
    )
    select json_build_object(
      'data', (select coalesce(json_agg(${recordSql(query)}
          order by o.start_time ${direction}, o.id ${direction}), '[]')
        from page join operations o on o.id = page.id join execution_plans p on p.id = o.plan_id),
      'meta', (select json_build_object('pagination', json_build_object('limit', ${query.limit}::int,
          'minStartTime', ${isoTime("min(start_time)")}, 'maxStartTime', ${isoTime("max(start_time)")}))
        from page))::text as text`;
}

/** Ids and start times of the page. */
function foundSql(query: OperationQuery): Sql {
  const { unitKey, planId, environments, statuses, after, before, order, limit } = query;
  const range: Sql[] = [
    after ? sql`o.start_time > ${after}` : null,
    before ? sql`o.start_time < ${before}` : null,
  ].filter((each) => each !== null);
  const upTo = (count: Sql): Sql =>
    sql`order by start_time ${sql.raw(order)} fetch first (${count}) rows with ties`;
  const first = upTo(sql`${limit}::int`);
  // The planner estimates a limit that is a parameter at a tenth of all rows, so that the generic plan seems too dear and each page
  // is planned anew. The largest page as a constant keeps the estimate low. No more rows are read than the page has.
  const largestPage = upTo(sql.lit(operationLimits.page));
  const select = (conditions: Sql[]): Sql =>
    sql`select * from (select o.id, o.start_time from operations o
      ${conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``} ${largestPage}) o ${first}`;
  if (unitKey !== undefined || planId !== undefined) {
    const narrowed = [
      unitKey === undefined ? null : sql`o.unit_key = ${unitKey}`,
      planId === undefined ? null : sql`o.plan_id = ${planId}`,
      environments.length > 0 ? sql`o.environment = any(${environments}::text[])` : null,
      statuses.length > 0 ? sql`o.status = any(${statuses}::text[])` : null,
    ].filter((each) => each !== null);
    return select([...narrowed, ...range]);
  }
  // Each pair of an environment and a status is one index scan in the order of time; the page merges these
  // scans.
  const among = environments.length > 0 ? sql`unnest(${environments}::text[])` : sql`known_environments`;
  const states = statuses.length > 0 ? statuses : allStatuses;
  const run = select([sql`o.environment = e.environment`, sql`o.status = s.status`, ...range]);
  return sql`select run.id, run.start_time from ${among} e(environment)
    cross join unnest(${states}::text[]) s(status) cross join lateral (${run}) run ${first}`;
}

const allStatuses = ["SCHEDULED", "RUNNING", "SUCCEEDED", "FAILED", "TERMINATING", "TERMINATED"];

/** Ends a page where its descriptors get too large, never between operations of equal start time. */
const whatFits = (direction: Sql): Sql => sql`select id, start_time from (
    select f.id, f.start_time, sum(octet_length(p.request::text)) over (order by f.start_time ${direction}
      groups between unbounded preceding and 1 preceding) as bytes_before
    from found f join operations o on o.id = f.id join execution_plans p on p.id = o.plan_id) sized
  where coalesce(bytes_before, 0) < ${pageBytes}`;

const recordSql = ({ withDescriptors, withProgress }: OperationQuery): Sql => sql`json_build_object(
    'operation', json_build_object('operationId', o.id, 'provisioningAction', o.action,
      'deploymentUnitId', o.unit_id, 'environment', o.environment,
      'descriptorVersion', coalesce(o.descriptor_version, ''), 'status', o.status,
      'executionPlanId', o.plan_id, 'originatorUri', o.originator,
      'startTime', ${isoTime("o.start_time")}, 'stopTime', ${isoTime("o.stop_time")},
      'waiting', case when o.queued then ${waitingSql} end),
    ${withDescriptors ? sql`'descriptor', p.request -> 'descriptor',` : sql``}
    ${withProgress ? progressSql : sql``}
    'components', ${componentsSql})`;

/** A short reason; the plan's status has the details. */
const waitingSql = sql`(select json_build_object(
      'reason', 'Waits for its turn on the unit; position ' || count(*) || ' in its line.',
      'since', ${isoTime("o.start_time")}, 'position', count(*),
      'next', ${sql.lit(atItsTurn)})
    from ${queueUpTo(sql`o.plan_id`)})`;

/**
 * The status of each component. A component without a task (NONE) has succeeded once the operation runs. A
 * skipped task counts as FAILED when its own validation failed, otherwise as TERMINATED. The `limit` makes
 * the planner look tasks up by the whole key, however large the plan.
 */
const componentsSql = sql`(select coalesce(json_agg(json_build_object('componentId', c.entry ->> 'componentId',
      'provisioningAction', c.entry ->> 'provisioningAction',
      'operationStatus', case
        when c.entry ->> 'provisioningAction' = 'NONE' then
          case o.status when 'SCHEDULED' then 'SCHEDULED' else 'SUCCEEDED' end
        when t.status is null then o.status
        when t.status = 'WAITING' then 'SCHEDULED'
        when t.status = 'COMPLETED' then 'SUCCEEDED'
        when t.status = 'SKIPPED' then case when exists (select 1 from plan_tasks v
            where v.component_key = t.component_key and v.plan_id = t.plan_id
              and v.action like '%VALIDATE%' and v.status = 'FAILED') then 'FAILED' else 'TERMINATED' end
        else t.status end) order by c.ordinality), '[]')
    from json_array_elements(o.components) with ordinality c(entry, ordinality)
    left join lateral (select * from plan_tasks t where t.plan_id = o.plan_id
      and t.task_id = c.entry ->> 'taskId' limit 1) t on true)`;
