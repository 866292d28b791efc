/** Rows of runs, for starting and reading them. */
import { sql } from "kysely";
import type { Db } from "../../platform/db/database.ts";
import type { Actor } from "../../platform/lib/actor.ts";
import { safeJson } from "../../platform/lib/safe-json.ts";
import { runsChannel } from "./log/notice-store.ts";
import type { RunStatus } from "./loop/run-state.ts";

export interface NewRun {
  id: string;
  sessionId: string;
  isNewSession: boolean;
  actor: Actor;
  requestId: string;
  requestHash: string;
  agentId: string | null;
  message: string;
  pageContext: string | null;
  at: Date;
}

/**
 * Inserts a run with the user's message and the first event, and its session when that is new, in one statement. False when
 * the owner already has a run with this request id. Throws a foreign key violation when the session has been deleted.
 */
export async function insertRun(db: Db, run: NewRun, firstEvent: string): Promise<boolean> {
  const { rows } = await sql`with run as (
      insert into assistant_runs (id, session_id, owner, actor, request_id, request_hash,
        agent_id, message, page_context, status, created_at)
      values (${run.id}, ${run.sessionId}, ${run.actor.ref}, ${safeJson(run.actor)}, ${run.requestId},
        ${run.requestHash}, ${run.agentId}, ${run.message}, ${run.pageContext}, 'queued', ${run.at})
      on conflict (owner, request_id) do nothing returning id, session_id, owner, agent_id, message, created_at
    ), made as (
      insert into assistant_sessions (id, owner, agent_id, created_at, updated_at)
      select session_id, owner, agent_id, created_at, created_at from run where ${run.isNewSession}
      on conflict (id) do nothing
    ), used as (
      update assistant_sessions s set agent_id = run.agent_id, updated_at = run.created_at
      from run where s.id = run.session_id
    ), event as (
      insert into assistant_run_events (run_id, first_seq, last_seq, events) select id, 1, 1, ${firstEvent} from run
    ), said as (
      insert into assistant_messages (session_id, run_id, role, content, created_at)
      select session_id, id, 'user', message, created_at from run
    )
    select pg_notify(${runsChannel}, '') from run`.execute(db);
  return rows.length > 0;
}

export interface RunHead {
  id: string;
  sessionId: string;
  requestId: string;
  requestHash: string;
  status: RunStatus;
}

const head = sql`id, session_id as "sessionId", request_id as "requestId", request_hash as "requestHash", status`;

export async function findRun(db: Db, owner: string, id: string): Promise<RunHead | null> {
  const { rows } = await sql<RunHead>`select ${head} from assistant_runs
    where id = ${id} and owner = ${owner}`.execute(db);
  return rows[0] ?? null;
}

export async function findRunOfRequest(db: Db, owner: string, requestId: string): Promise<RunHead | null> {
  const { rows } = await sql<RunHead>`select ${head} from assistant_runs
    where owner = ${owner} and request_id = ${requestId}`.execute(db);
  return rows[0] ?? null;
}

/** The first run of a session that has not ended. */
export async function findLiveRun(db: Db, owner: string, sessionId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`select id from assistant_runs
    where session_id = ${sessionId} and owner = ${owner} and status in ('queued', 'running', 'waiting')
    order by created_at, id limit 1`.execute(db);
  return rows[0]?.id ?? null;
}

export async function lockRun(db: Db, owner: string, id: string): Promise<RunHead | null> {
  const { rows } = await sql<RunHead>`select ${head} from assistant_runs
    where id = ${id} and owner = ${owner} for update`.execute(db);
  return rows[0] ?? null;
}
