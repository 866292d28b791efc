/** Queries of tasks that callers start, change and read. */
import type { Db } from "../../platform/db/database.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import type { SealedColumn } from "../../platform/runtime/keys/sealed-place.ts";
import { isoTime } from "../../platform/db/iso-time.ts";
import type { RequestOrigin } from "../../platform/lib/request-lines.ts";
import { safeJson } from "../../platform/lib/safe-json.ts";
import { controlChannel, openChannel } from "./store.ts";
import type { LastError } from "../../platform/run-engine/last-error.ts";
import { taskStream, type TaskStatus } from "./task.ts";

export interface NewTask {
  id: string;
  templateRef: string;
  title: string;
  planHash: string;
  owner: string;
  parameters: object;
  environment: object;
  sealed: Buffer | null;
  secretNames: readonly string[];
  idempotencyKey: string | null;
  bodyHash: string | null;
  /** Trace context of the request. */
  traceparent: string;
  origin: RequestOrigin;
  at: Date;
}

/** Inserts a task with the audit row of its start and the notification of the workers, in one statement. */
export async function insertTask(db: Db, task: NewTask, audit: Sql): Promise<void> {
  await sql`with audited as (${audit}), task as (insert into instantiations (id, template_ref, title, plan_hash, status, owner, parameters, environment,
      sealed, secret_names, idempotency_key, body_hash, traceparent,
      http_request_id, client_address, created_at)
    values (${task.id}, ${task.templateRef}, ${task.title}, ${task.planHash}, 'open', ${task.owner},
      ${safeJson(task.parameters)}, ${safeJson(task.environment)}, ${task.sealed},
      ${safeJson(task.secretNames)}, ${task.idempotencyKey}, ${task.bodyHash}, ${task.traceparent},
      ${task.origin.httpRequestId}, ${task.origin.clientAddress}, ${task.at}) returning 1)
    select pg_notify(${openChannel}, '') from task`.execute(db);
}

export async function findByKey(
  db: Db,
  { owner, key }: { owner: string; key: string },
): Promise<{ id: string; bodyHash: string } | null> {
  const { rows } = await sql<{ id: string; bodyHash: string }>`select id, body_hash as "bodyHash"
    from instantiations where owner = ${owner} and idempotency_key = ${key}`.execute(db);
  return rows[0] ?? null;
}

export async function storePlan(db: Db, hash: string, plan: string): Promise<void> {
  await sql`insert into template_plans (hash, plan) values (${hash}, ${plan}::json)
    on conflict (hash) do update set used_at = now()`.execute(db);
}

export interface TaskHead {
  id: string;
  owner: string;
  status: TaskStatus;
  secretNames: string[];
}

const summary = sql`id, owner, status, secret_names as "secretNames"`;

export async function readHead(db: Db, taskId: string): Promise<TaskHead | null> {
  const { rows } = await sql<TaskHead>`select ${summary} from instantiations where id = ${taskId}`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** The same, locked until the transaction ends. */
export async function lockHead(db: Db, taskId: string): Promise<TaskHead | null> {
  const { rows } =
    await sql<TaskHead>`select ${summary} from instantiations where id = ${taskId} for update`.execute(db);
  return rows[0] ?? null;
}

/** Cancels a locked task that has not ended; its worker can no longer write and is notified to stop. */
export async function cancelTask(db: Db, taskId: string, at: Date): Promise<void> {
  await sql`update instantiations set status = 'cancelled', fence = fence + 1, worker_id = null, sealed = null,
    ended_at = ${at} where id = ${taskId}`.execute(db);
  await sql`select pg_notify(${controlChannel}, ${taskId})`.execute(db);
}

/**
 * Reopens a locked task that has ended. The steps before the failed one stay completed; those after it, which ran because it had
 * failed, run again with all their rounds. What they did once and for all outside stays done.
 */
export async function reopenTask(db: Db, taskId: string, sealed: Buffer | null): Promise<void> {
  await sql`update instantiations set status = 'open', fence = fence + 1, sealed = ${sealed}, ended_at = null,
    output = null, error = null, last_error = null where id = ${taskId}`.execute(db);
  const failed = sql`(select min(step) from instantiation_steps where instantiation_id = ${taskId} and status = 'failed')`;
  await sql`delete from instantiation_checkpoints where instantiation_id = ${taskId} and step > ${failed}
    and key like 'turn %'`.execute(db);
  await sql`delete from instantiation_steps where instantiation_id = ${taskId} and step >= ${failed}`.execute(
    db,
  );
  await sql`delete from events where stream = ${taskStream(taskId)} and type = 'completion'`.execute(db);
  await sql`select pg_notify(${openChannel}, '')`.execute(db);
}

/** Whether a stream has events after that id; null when there is no such task. */
export async function hasMoreEvents(db: Db, taskId: string, after: number): Promise<boolean | null> {
  const { rows } = await sql<{ more: boolean }>`
    select status in ('open', 'processing')
      or exists (select 1 from events where stream = ${taskStream(taskId)} and id > ${after}) as more
    from instantiations where id = ${taskId}`.execute(db);
  return rows[0]?.more ?? null;
}

export interface TaskRow {
  id: string;
  templateRef: string;
  title: string;
  status: TaskStatus;
  createdBy: string;
  createdAt: string;
  startedAt: string | null;
  endedAt: string | null;
  error: string | null;
}

const columns = (): Sql => sql`i.id, i.template_ref as "templateRef", i.title, i.status,
  i.owner as "createdBy", ${isoTime("i.created_at")} as "createdAt", ${isoTime("i.started_at")} as "startedAt",
  ${isoTime("i.ended_at")} as "endedAt", i.error`;

export interface TaskDetail extends TaskRow {
  planHash: string;
  parameters: Record<string, unknown>;
  environment: Record<string, unknown>;
  output: Record<string, unknown> | null;
  /** Time of the last claim and of the worker's last heartbeat. */
  heartbeatAt: string | null;
  /** Running tasks of its owner, when the task itself is open. */
  underWay: number;
  lastError: LastError | null;
  steps: {
    step: number;
    status: string;
    output: Record<string, unknown>;
    error: string | null;
    startedAt: string;
    endedAt: string;
  }[];
}

export async function readTask(db: Db, taskId: string): Promise<TaskDetail | null> {
  const { rows } =
    await sql<TaskDetail>`select ${columns()}, i.plan_hash as "planHash", i.parameters, i.environment,
      i.output, (select ${isoTime("greatest(w.heartbeat_at, i.created_at)")} from workers w where w.id = i.worker_id) as "heartbeatAt",
      case when i.status <> 'open' then 0 else (select count(*) from instantiations o
        where o.owner = i.owner and o.status = 'processing') end as "underWay",
      i.last_error as "lastError",
      coalesce((select json_agg(json_build_object('step', s.step, 'status', s.status, 'output', s.output,
        'error', s.error, 'startedAt', ${isoTime("s.started_at")}, 'endedAt', ${isoTime("s.ended_at")}) order by s.step)
        from instantiation_steps s where s.instantiation_id = i.id), '[]') as steps
    from instantiations i where i.id = ${taskId}`.execute(db);
  return rows[0] ?? null;
}

export interface TaskFilter {
  /** All when it is undefined. */
  owner: string | undefined;
  status: readonly TaskStatus[];
  limit: number;
  after: { createdAt: string; id: string } | null;
  offset: number;
}

const whereOf = ({ owner, status }: TaskFilter) => sql`
  ${owner === undefined ? sql`true` : sql`i.owner = ${owner}`}
  and ${status.length === 0 ? sql`true` : sql`i.status = any (${status})`}`;

/** Newest first. `at` has microseconds, for the cursor of the next page. */
export async function listTasks(db: Db, filter: TaskFilter): Promise<(TaskRow & { at: string })[]> {
  const { after } = filter;
  const { rows } = await sql<TaskRow & { at: string }>`
    select ${columns()}, i.created_at::text as at from instantiations i
    where ${whereOf(filter)}
      and ${after === null ? sql`true` : sql`(i.created_at, i.id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`}
    order by i.created_at desc, i.id desc limit ${filter.limit} offset ${filter.offset}`.execute(db);
  return rows;
}

/** Counting stops at this number. */
const maxCounted = 100_000;

export async function countTasks(db: Db, filter: TaskFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from
    (select 1 from instantiations i where ${whereOf(filter)} limit ${maxCounted}) counted`.execute(db);
  return rows[0]?.n ?? 0;
}

export interface EventRow {
  id: number;
  type: string;
  /** The event's data, among them `message` and `createdAt`. */
  data: Record<string, unknown>;
}

export async function listEvents(
  db: Db,
  taskId: string,
  query: { after: number; limit: number },
): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`select id, type, data from events
    where stream = ${taskStream(taskId)} and id > ${query.after} order by id limit ${query.limit}`.execute(
    db,
  );
  return rows;
}

/** Secrets of tasks that have not ended; ended ones have none. */
export const sealedSecrets: SealedColumn = {
  name: "instantiations.sealed",
  atOnce: 100,
  async read(db, { head, after, limit }) {
    const { rows } = await sql<{ id: string; sealed: Buffer }>`select id, sealed from instantiations
      where sealed is not null and substring(sealed from 1 for ${head.length}) <> ${head}
        and (${after}::uuid is null or id > ${after}) order by id limit ${limit}`.execute(db);
    return rows;
  },
  async count(db, head) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from instantiations
      where sealed is not null and substring(sealed from 1 for ${head.length}) <> ${head}`.execute(db);
    return rows[0]?.count ?? 0;
  },
  async replace(db, { id, before, sealed }) {
    const { rowCount } = await sql`update instantiations set sealed = ${sealed}
      where id = ${id} and substring(sealed from 1 for ${before.length}) = ${before}`.execute(db);
    return rowCount === 1;
  },
};
