/** Runs as tasks of their owners. */
import type { Db } from "../../../platform/db/database.ts";
import { sql, type Sql } from "../../../platform/db/sql.ts";
import { isoTime } from "../../../platform/db/iso-time.ts";
import type { TaskState } from "./fold-task.ts";
import type { RunStatus } from "../../runs/loop/run-state.ts";

export interface TaskRow {
  id: string;
  sessionId: string;
  requestId: string;
  status: RunStatus;
  isStarted: boolean;
  message: string;
  answer: string;
  errorCode: string | null;
  limited: boolean;
  /** When it ended, else when it started, else when it was created. */
  changedAt: string;
}

/** The index `assistant_runs_changed` is on exactly this expression. */
const changed = "coalesce(ended_at, started_at, created_at)";

const shown = sql`id, session_id as "sessionId", request_id as "requestId", status,
  started_at is not null as "isStarted", message, answer, error_code as "errorCode", limited,
  ${isoTime(changed)} as "changedAt"`;

/** Null for an unknown id and for a task of another owner. */
export async function readTask(db: Db, owner: string, id: string): Promise<TaskRow | null> {
  const { rows } = await sql<TaskRow>`select ${shown} from assistant_runs
    where id = ${id} and owner = ${owner}`.execute(db);
  return rows[0] ?? null;
}

export interface TaskFilter {
  owner: string;
  sessionId: string | null;
  state: TaskState | null;
  since: Date | null;
  /** The last task of the page before. */
  after: { changedAt: Date; id: string } | null;
  limit: number;
}

const inState: Record<TaskState, Sql> = {
  submitted: sql`(status = 'queued' and started_at is null)`,
  working: sql`(status = 'running' or (status = 'queued' and started_at is not null))`,
  "input-required": sql`status = 'waiting'`,
  completed: sql`status = 'completed'`,
  failed: sql`status in ('failed', 'interrupted')`,
  canceled: sql`status = 'cancelled'`,
};

/** The last changed come first; `total` counts all that match. */
export async function listTasks(
  db: Db,
  { owner, sessionId, state, since, after, limit }: TaskFilter,
): Promise<{ rows: TaskRow[]; total: number }> {
  const at = sql.raw(changed);
  const conditions = [sql`owner = ${owner}`];
  if (sessionId !== null) conditions.push(sql`session_id = ${sessionId}`);
  if (state !== null) conditions.push(inState[state]);
  if (since !== null) conditions.push(sql`${at} >= ${since}`);
  const fitting = sql.join(conditions, sql` and `);
  const further = after === null ? sql`true` : sql`(${at}, id) < (${after.changedAt}, ${after.id}::uuid)`;
  const { rows } = await sql<TaskRow>`select ${shown} from assistant_runs
    where ${fitting} and ${further} order by ${at} desc, id desc limit ${limit}`.execute(db);
  const counted = await sql<{ total: number }>`select count(*) as total from assistant_runs
    where ${fitting}`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}
