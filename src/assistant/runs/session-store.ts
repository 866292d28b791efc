import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { isoTime } from "../../platform/db/iso-time.ts";
import type { Page } from "../record-schema.ts";
import type { RunMemory } from "./loop/memory.ts";

export interface SessionRow {
  id: string;
  title: string;
  agent_id: string | null;
  /** The run that waits for the owner's decision. */
  waiting: { run_id: string; approval_ids: string[] } | null;
  created_at: string;
  updated_at: string;
}

export async function listSessions(
  db: Db,
  owner: string,
  { limit, offset }: Page,
): Promise<{ rows: SessionRow[]; total: number }> {
  const { rows } = await sql<SessionRow>`select id, title, agent_id,
      (select json_build_object('run_id', r.id, 'approval_ids', array(select a.id from assistant_approvals a
          where a.run_id = r.id and a.status = 'pending' order by a.created_at, a.id))
        from assistant_runs r where r.session_id = assistant_sessions.id and r.status = 'waiting') as waiting,
      ${isoTime("created_at")} as created_at,
      ${isoTime("updated_at")} as updated_at
    from assistant_sessions where owner = ${owner}
    order by assistant_sessions.updated_at desc, id desc limit ${limit} offset ${offset}`.execute(db);
  const counted = await sql<{ n: number }>`select count(*) as n from assistant_sessions
    where owner = ${owner}`.execute(db);
  return { rows, total: counted.rows[0]?.n ?? 0 };
}

export interface SessionHead {
  id: string;
  agentId: string | null;
}

/** Null for an unknown id and for a session of another owner. */
export async function findSession(db: Db, owner: string, id: string): Promise<SessionHead | null> {
  const { rows } = await sql<SessionHead>`select id, agent_id as "agentId" from assistant_sessions
    where id = ${id} and owner = ${owner}`.execute(db);
  return rows[0] ?? null;
}

export interface MessageRow {
  id: string;
  run_id: string;
  role: "user" | "assistant";
  content: string;
  memory: RunMemory | null;
  created_at: string;
}

/** Oldest first. */
export async function listMessages(
  db: Db,
  sessionId: string,
  { limit, offset }: Page,
): Promise<{ rows: MessageRow[]; total: number }> {
  const { rows } = await sql<MessageRow>`select id::text as id, run_id, role, content, memory,
      ${isoTime("created_at")} as created_at
    from assistant_messages where session_id = ${sessionId}
    order by assistant_messages.id limit ${limit} offset ${offset}`.execute(db);
  const counted = await sql<{ n: number }>`select count(*) as n from assistant_messages
    where session_id = ${sessionId}`.execute(db);
  return { rows, total: counted.rows[0]?.n ?? 0 };
}

/** False when the owner has no such session. */
export async function setTitle(
  db: Db,
  { id, owner, title, at }: { id: string; owner: string; title: string; at: Date },
): Promise<boolean> {
  const { rowCount } = await sql`update assistant_sessions set title = ${title}, title_by = 'owner',
    updated_at = ${at} where id = ${id} and owner = ${owner}`.execute(db);
  return rowCount === 1;
}

/** Deletes a session with its runs and returns the ids of live ones; null when the owner has no such session. */
export async function deleteSession(db: Db, owner: string, id: string): Promise<string[] | null> {
  const locked = await sql`select 1 from assistant_sessions where id = ${id} and owner = ${owner}
    for update`.execute(db);
  if (locked.rows.length === 0) return null;
  const { rows } = await sql<{ id: string }>`select id from assistant_runs where session_id = ${id}
    and status in ('queued', 'running', 'waiting')`.execute(db);
  await sql`delete from assistant_sessions where id = ${id}`.execute(db);
  return rows.map((run) => run.id);
}
