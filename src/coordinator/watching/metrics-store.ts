/** Counts of plans, unknown outcomes, deliveries and drift checks, for the metrics. */
import type { Db } from "../../platform/db/database.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { isDeadWorker } from "../../platform/jobs/worker-lease.ts";
import { isActive, plansBefore, repeatsBefore } from "../execution/store.ts";

/** Why a plan does not go on: what has to happen first. */
const waitingReasons = [
  "queue",
  "approval",
  "window",
  "earlier_plans",
  "error",
  "worker",
  "worker_gone",
] as const;
export type WaitingReason = (typeof waitingReasons)[number];

export interface WatchingNumbers extends StoredNumbers {
  waitingPlans: WaitingPlans[];
}

interface WaitingPlans {
  reason: WaitingReason;
  count: number;
  oldestSeconds: number;
}

interface StoredNumbers {
  activePlans: { state: "waiting" | "driven"; count: number }[];
  overduePlans: number;
  failedUnits: { environment: string; count: number }[];
  openOutcomes: { environment: string; count: number; oldestSeconds: number }[];
  deliveries: { webhook: string; status: string; count: number; oldestSeconds: number }[];
  drift: { environment: string; result: string; count: number }[];
  unread: UnreadEvents[];
}

export type EventReader = "webhooks" | "notices";

export interface UnreadEvents {
  reader: EventReader;
  /** Age of the oldest event that the reader has not read; 0 without one. */
  oldestSeconds: number;
}

/** Of those that have ever begun to read. */
const unreadEvents = sql<UnreadEvents>`select r.reader, coalesce((
      select greatest(extract(epoch from now() - e.at), 0)::float8 from events e where e.id > r.position
      order by e.id limit 1), 0) as "oldestSeconds"
    from (select 'webhooks' as reader, position from outgoing_position
      union all select 'notices', event_position from notice_look) r where r.position is not null`;

/** Beyond these the database is behind a list that nobody can look at. */
const maxEnvironments = 100;

export async function readWatchingNumbers(db: Db): Promise<WatchingNumbers> {
  const { rows } = await sql<StoredNumbers>`select
    (select coalesce(json_agg(a), '[]') from (select s.state, (select count(*) from execution_plans p where ${isActive}
        and (p.worker_id is not null) = (s.state = 'driven')) as count
      from (values ('waiting'), ('driven')) s (state)) a) as "activePlans",
    (select count(*) from execution_plans p where ${isActive} and p.worker_id is not null
      and p.deadline_at < now() - interval '1 minute') as "overduePlans",
    (select coalesce(json_agg(f), '[]') from (select environment, count(*) from units
      where last_plan_status = 'FAILED' group by environment limit ${maxEnvironments}) f) as "failedUnits",
    (select coalesce(json_agg(o), '[]') from (select environment, count(*),
        extract(epoch from now() - min(since)) as "oldestSeconds"
      from unknown_outcomes where settled_at is null group by environment limit ${maxEnvironments}) o) as "openOutcomes",
    (select coalesce(json_agg(d), '[]') from (select webhook, lower(status) as status, count(*),
        extract(epoch from now() - min(created_at)) as "oldestSeconds"
      from webhook_deliveries where status in ('PENDING', 'DEAD')
        and webhook not in (select name from webhooks where configured_at is null)
      group by webhook, status) d) as deliveries,
    (select coalesce(json_agg(d), '[]') from (select environment, result, count(*) from (
        select distinct on (unit_key, environment) environment, result from drift_checks
        where status = 'COMPLETED' order by unit_key, environment, created_at desc) latest
      group by environment, result limit ${4 * maxEnvironments}) d) as drift,
    (select coalesce(json_agg(u), '[]') from (${unreadEvents}) u) as unread`.execute(db);
  const [found] = rows;
  if (!found) throw new Error("The database has answered without a row.");
  return { ...found, waitingPlans: await readWaitingPlans(db) };
}

/** Plans that no living worker drives, with what they wait for and when that began, as far as it is stored. */
const waiting = sql`with dead as materialized (
      select seen.id from workers seen where ${isDeadWorker("seen.id")}),
    waiting as (select p.id, case
        when p.queued then case when q.last_error is null then 'queue' else 'error' end
        when p.worker_id is not null then 'worker_gone'
        when p.last_error is not null then 'error'
        when p.terminate_mode is null and p.approval_status = 'PENDING' then 'approval'
        when p.terminate_mode is null and p.hold is not null then 'window'
        when p.fence = 0 and (exists ${plansBefore} or exists ${repeatsBefore}) then 'earlier_plans'
        else 'worker' end as reason,
      coalesce((coalesce(q.last_error, case when p.worker_id is null then p.last_error end) ->> 'since')::timestamptz,
        case when p.terminate_mode is null and p.hold is not null then (p.hold ->> 'since')::timestamptz
        end, p.started_at, p.turn_at, p.created_at) as since
      from execution_plans p left join queued_starts q on q.plan_id = p.id
      where p.status in ('WAITING', 'RUNNING', 'TERMINATING') and (p.worker_id is null or p.worker_id in (select id from dead)
          or not exists (select 1 from workers w where w.id = p.worker_id)))`;

/** By what they wait for. */
async function readWaitingPlans(db: Db): Promise<WaitingPlans[]> {
  const { rows } = await sql<WaitingPlans>`${waiting}
    select reason, count(*) as count, extract(epoch from now() - min(since))::float8 as "oldestSeconds"
    from waiting group by reason`.execute(db);
  const byReason = new Map(rows.map((row) => [row.reason, row]));
  return waitingReasons.map((reason) => byReason.get(reason) ?? { reason, count: 0, oldestSeconds: 0 });
}

export interface WaitingPlan {
  id: string;
  reason: WaitingReason;
  seconds: number;
}

/** Those that have waited longest. */
export const readLongestWaiting = (db: Db, limit: number): Promise<WaitingPlan[]> =>
  readWaiting(db, sql`true`, limit);

/** Those whose worker, or whose start, has failed for so long. */
export const readFailing = (db: Db, seconds: number): Promise<WaitingPlan[]> =>
  readWaiting(db, sql`reason = 'error' and since < now() - make_interval(secs => ${seconds})`, maxNeglected);

/** Those of them that have waited so long and for nothing but a worker. */
export const readNeglected = (db: Db, seconds: number): Promise<WaitingPlan[]> =>
  readWaiting(
    db,
    sql`reason in ('worker', 'worker_gone') and since < now() - make_interval(secs => ${seconds})`,
    maxNeglected,
  );

const maxNeglected = 100;

async function readWaiting(db: Db, condition: Sql, limit: number): Promise<WaitingPlan[]> {
  const { rows } = await sql<WaitingPlan>`${waiting}
    select id, reason, extract(epoch from now() - since)::float8 as seconds
    from waiting where ${condition} order by since, id limit ${limit}`.execute(db);
  return rows;
}

/** An adapter with tasks that failed. */
export interface FailedTasks {
  adapter: string;
  count: number;
  /** Since the last of them. */
  seconds: number;
}

/** Of the latest of the plans that failed within a day. */
export async function readFailedTasks(db: Db): Promise<FailedTasks[]> {
  const { rows } = await sql<FailedTasks>`select t.adapter_id as adapter, count(*) as count,
      extract(epoch from now() - max(t.stopped_at))::float8 as seconds
    from (select id from execution_plans where stopped_at > now() - interval '1 day' and status = 'FAILED'
        order by stopped_at desc limit ${maxFailedPlans}) p
      join plan_tasks t on t.plan_id = p.id
    where t.status = 'FAILED' and t.adapter_id is not null and t.stopped_at is not null
    group by t.adapter_id order by max(t.stopped_at) desc, t.adapter_id limit ${maxEnvironments}`.execute(db);
  return rows;
}

const maxFailedPlans = 200;
