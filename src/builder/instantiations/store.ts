/**
 * The rows of tasks as workers change them. Each change is one statement: it selects the task's row under the
 * fence, and writes steps, files and events only if that row exists. The statements are prepared, because
 * they are the main cost of a short task.
 */
import type { Database, Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { SealedColumn } from "../../platform/runtime/keys/sealed-place.ts";
import { eventsChannel, type NewEvent } from "../../platform/events/events.ts";
import { safeJson, storable } from "../../platform/lib/safe-json.ts";
import type { TemplatePlan } from "../templates/template.ts";
import { eventRows, taskStream, type TaskEnd, type StepRecord } from "./task.ts";

/** Notified about tasks that must stop. */
export const controlChannel = "plinth_instantiation_control";
/** Notified when there is a task to claim. */
export const openChannel = "plinth_instantiation_open";

const insertEvents = (from: string, stream: string, events: string): string => `
  insert into events (stream, type, at, level, data)
  select ${stream}, e.type, e.at, e.level, e.data
  from ${from} cross join rows from (json_to_recordset(${events}::json)
    as (type text, at timestamptz, level smallint, data json)) with ordinality as e(type, at, level, data, n)
  order by e.n returning 1`;

const notice = (stream: string): string => `pg_notify('${eventsChannel}', ${stream})`;

export interface Write {
  taskId: string;
  fence: number;
  /** Increases with each write under a fence. */
  number: number;
  events: readonly NewEvent[];
  steps?: readonly StepRecord[];
  checkpoints?: readonly { step: number; key: string; value: unknown }[];
  workspace?: { archive: Buffer; isSealed: boolean } | null;
  end?: { at: Date } & TaskEnd;
}

const stepRows = (steps: readonly StepRecord[]): string =>
  safeJson(steps.map((step) => ({ ...step, error: step.error ?? null })));

/** False when another worker has claimed the task; then nothing is written. */
export async function writeTask(database: Database, write: Write): Promise<boolean> {
  return write.end ? writeEnd(database, write, write.end) : writeProgress(database, write);
}

const insertSteps = (task: string, steps: string): string => `
  insert into instantiation_steps (instantiation_id, step, status, output, error, started_at, ended_at)
  select ${task}.id, s.step, s.status, s.output, s.error, s."startedAt", s."endedAt"
  from ${task} cross join json_to_recordset(${steps}::json) as s(step int, status text, output json, error text,
    "startedAt" timestamptz, "endedAt" timestamptz)`;

const insertWorkspace = (task: string, archive: string, isSealed: string): string => `
  insert into instantiation_workspaces (instantiation_id, archive, is_sealed)
  select ${task}.id, ${archive}, ${isSealed} from ${task} where ${archive}::bytea is not null
  on conflict (instantiation_id) do update set archive = excluded.archive, is_sealed = excluded.is_sealed`;

const isOurs = `exists (select 1 from instantiations where id = $1 and fence = $2 and writes >= $3)`;

async function writeProgress(database: Database, write: Write): Promise<boolean> {
  const { taskId, fence, number, events, steps = [], checkpoints = [], workspace = null } = write;
  const { rows } = await database.pool.query<{ done: boolean }>({
    name: "instantiation-progress",
    text: `with task as (
        update instantiations set writes = $3 where id = $1 and fence = $2 and writes < $3 returning id),
      logged as (${insertEvents("task", "$4", "$5")}),
      ended as (${insertSteps("task", "$6")}),
      checkpointed as (insert into instantiation_checkpoints (instantiation_id, step, key, value)
        select task.id, c.step, c.key, c.value from task
        cross join json_to_recordset($7::json) as c(step int, key text, value json)
        on conflict (instantiation_id, step, key) do update set value = excluded.value),
      packed as (${insertWorkspace("task", "$8", "$9")})
      select exists (select 1 from task) or ${isOurs} as done, (select ${notice("$4")} from task) as logged`,
    values: [
      taskId,
      fence,
      number,
      taskStream(taskId),
      eventRows(events),
      stepRows(steps),
      safeJson(checkpoints),
      workspace?.archive ?? null,
      workspace?.isSealed ?? null,
    ],
  });
  return rows[0]?.done === true;
}

/**
 * Deletes the files and checkpoints of a task that is completed. Of a failed one it stores the files that no earlier write has
 * stored, because a retry needs them.
 */
async function writeEnd(database: Database, write: Write, end: NonNullable<Write["end"]>): Promise<boolean> {
  const { taskId, fence, number, events, steps = [], workspace = null } = write;
  const { rows } = await database.pool.query<{ done: boolean }>({
    name: "instantiation-end",
    text: `with task as (
        update instantiations set writes = $3, status = $7, output = $8, error = $9, ended_at = $10, sealed = null,
          worker_id = null
        where id = $1 and fence = $2 and writes < $3 returning id, status),
      logged as (${insertEvents("task", "$4", "$5")}),
      ended as (${insertSteps("task", "$6")}),
      packed as (${insertWorkspace("task", "$11", "$12")}),
      files as (delete from instantiation_workspaces w using task t
        where w.instantiation_id = t.id and t.status = 'completed'),
      notes as (delete from instantiation_checkpoints c using task t
        where c.instantiation_id = t.id and t.status = 'completed')
      select exists (select 1 from task) or ${isOurs} as done, (select ${notice("$4")} from task) as logged`,
    values: [
      taskId,
      fence,
      number,
      taskStream(taskId),
      eventRows(events),
      stepRows(steps),
      end.status,
      safeJson(end.output),
      end.error === undefined ? null : storable(end.error),
      end.at,
      workspace?.archive ?? null,
      workspace?.isSealed ?? null,
    ],
  });
  return rows[0]?.done === true;
}

/** Where the removal of what a step has made is recorded. */
export interface UndoPlace {
  step: number;
  key: string;
}

/**
 * Records until when a worker removes what it has made; false when the task is no longer its own. A cancellation raises the fence
 * by one, a retry once more, and so does a claim.
 */
export async function beginUndo(
  database: Database,
  { taskId, fence, step, key, until }: UndoPlace & { taskId: string; fence: number; until: Date },
): Promise<boolean> {
  const { rowCount } = await database.pool.query(
    `with task as (select id from instantiations
        where id = $1 and (fence = $2 or (fence = $2 + 1 and status = 'cancelled')) for update)
      insert into instantiation_checkpoints (instantiation_id, step, key, value)
      select id, $3, $4, to_json($5::text) from task
      on conflict (instantiation_id, step, key) do update set value = excluded.value`,
    [taskId, fence, step, key, until.toISOString()],
  );
  return rowCount === 1;
}

/** Deletes the record, unless a later attempt has written its own. */
export async function endUndo(
  db: Db,
  { taskId, step, key, until }: UndoPlace & { taskId: string; until: Date },
): Promise<void> {
  await sql`delete from instantiation_checkpoints where instantiation_id = ${taskId} and step = ${step}
    and key = ${key} and value #>> '{}' = ${until.toISOString()}`.execute(db);
}

export async function readUndo(
  db: Db,
  { taskId, step, key }: UndoPlace & { taskId: string },
): Promise<Date | null> {
  const { rows } = await sql<{ until: string }>`select value #>> '{}' as until from instantiation_checkpoints
    where instantiation_id = ${taskId} and step = ${step} and key = ${key}`.execute(db);
  return rows[0] === undefined ? null : new Date(rows[0].until);
}

export async function readWorkspace(
  db: Db,
  taskId: string,
): Promise<{ archive: Buffer; isSealed: boolean } | null> {
  const { rows } = await sql<{ archive: Buffer; isSealed: boolean }>`
    select archive, is_sealed as "isSealed" from instantiation_workspaces
    where instantiation_id = ${taskId}`.execute(db);
  return rows[0] ?? null;
}

/** Files of tasks that have secrets. */
export const sealedFiles: SealedColumn = {
  name: "instantiation_workspaces.archive",
  // An archive may have a hundred megabytes.
  atOnce: 1,
  async read(db, { head, after, limit }) {
    const { rows } = await sql<{
      id: string;
      sealed: Buffer;
    }>`select instantiation_id as id, archive as sealed
      from instantiation_workspaces
      where is_sealed and substring(archive from 1 for ${head.length}) <> ${head}
        and (${after}::uuid is null or instantiation_id > ${after})
      order by instantiation_id limit ${limit}`.execute(db);
    return rows;
  },
  async count(db, head) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from instantiation_workspaces
      where is_sealed and substring(archive from 1 for ${head.length}) <> ${head}`.execute(db);
    return rows[0]?.count ?? 0;
  },
  async replace(db, { id, before, sealed }) {
    const { rowCount } = await sql`update instantiation_workspaces set archive = ${sealed}
      where instantiation_id = ${id} and is_sealed
        and substring(archive from 1 for ${before.length}) = ${before}`.execute(db);
    return rowCount === 1;
  },
};

export async function readPlan(db: Db, hash: string): Promise<TemplatePlan | null> {
  const { rows } = await sql<{
    plan: TemplatePlan;
  }>`select plan from template_plans where hash = ${hash}`.execute(db);
  return rows[0]?.plan ?? null;
}

/** The ids of tasks that have not ended. */
export async function findLive(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`select id from instantiations
    where id = any (${ids}::uuid[]) and status in ('open', 'processing')`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** The fences of those that are under way. */
export async function findFences(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; fence: number }>`select id, fence from instantiations
    where id = any (${ids}::uuid[]) and status = 'processing'`.execute(db);
  return new Map(rows.map(({ id, fence }) => [id, fence]));
}

/** Whether no task waits or is under way, in whatever process. */
export async function hasNoLiveTasks(db: Db): Promise<boolean> {
  const { rows } =
    await sql`select 1 from instantiations where status in ('open', 'processing') limit 1`.execute(db);
  return rows.length === 0;
}

export interface OpenNumbers {
  status: "open" | "processing";
  count: number;
  oldestSeconds: number;
}

/** How many have not ended, and since when the oldest of them is there; 0 of both where there is none. */
export async function readOpenNumbers(db: Db): Promise<OpenNumbers[]> {
  const { rows } = await sql<OpenNumbers>`select s.status, count(i.id) as count,
      coalesce(extract(epoch from now() - min(i.created_at)), 0)::float8 as "oldestSeconds"
    from (values ('open'), ('processing')) s (status)
    left join instantiations i on i.status = s.status and i.status in ('open', 'processing')
    group by s.status`.execute(db);
  return rows;
}

/** Deletes some ended tasks that were started before a time, with their events; returns how many. */
export async function pruneTasks(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`with old as (
      select id from instantiations
      where created_at < ${before} and status not in ('open', 'processing')
      order by created_at, id limit ${limit} for update skip locked),
    erased as (delete from events e using old where e.stream = 'instantiation:' || old.id),
    gone as (delete from instantiations i using old where i.id = old.id returning 1)
    select count(*) as n from gone`.execute(db);
  return rows[0]?.n ?? 0;
}

export async function countOldTasks(db: Db, before: Date, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (select 1 from instantiations
    where created_at < ${before} and status not in ('open', 'processing') limit ${most}) found`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Deletes plans that no task and no process has needed for a day. */
export async function prunePlans(db: Db): Promise<void> {
  await sql`delete from template_plans p where used_at < now() - interval '1 day'
    and not exists (select 1 from instantiations i where i.plan_hash = p.hash)`.execute(db);
}
