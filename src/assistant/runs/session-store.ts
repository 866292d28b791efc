import type { Db } from "../../platform/db/database.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { isoTime } from "../../platform/db/iso-time.ts";
import type { Page } from "../record-schema.ts";
import { wordsIn } from "../../platform/db/word-search.ts";
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

export interface FoundSession {
  session_id: string;
  title: string;
  is_titled: boolean;
  /** The last message that has the words, unless the title has them. */
  message_id: string | null;
  role: "user" | "assistant" | null;
  content: string | null;
  at: string;
}

/** Sessions of the owner that are searched, those that were used last. */
export const maxSearchedSessions = 1_000;
/** Characters of a message that are searched, as its index has it. */
const messageWords = wordsIn("left(m.content, 20000)");
const titleWords = wordsIn("o.title");

/** Sessions with the words in their title or in a message, the one that was used last first. */
export async function searchSessions(
  db: Db,
  { owner, words, limit }: { owner: string; words: Sql; limit: number },
): Promise<FoundSession[]> {
  const { rows } = await sessionSearch({ owner, words, limit }).execute(db);
  return rows;
}

export const sessionSearch = ({
  owner,
  words,
  limit,
}: {
  owner: string;
  words: Sql;
  limit: number;
}): Sql<FoundSession> => sql<FoundSession>`with own as materialized (
      select id, title, updated_at from assistant_sessions where owner = ${owner}
      order by updated_at desc, id desc limit ${maxSearchedSessions}),
    said as (select m.session_id, max(m.id) as message_id from assistant_messages m
      where array[m.session_id] && (select array_agg(id) from own) and ${messageWords} @@ ${words}
      group by m.session_id),
    found as (select o.id, o.title, o.updated_at, ${titleWords} @@ ${words} as is_titled, s.message_id
      from own o left join said s on s.session_id = o.id
      where ${titleWords} @@ ${words} or s.message_id is not null
      order by o.updated_at desc, o.id desc limit ${limit})
    select f.id as session_id, f.title, f.is_titled, m.id::text as message_id, m.role, left(m.content, 20000) as content,
      ${isoTime("coalesce(m.created_at, f.updated_at)")} as at
    from found f left join assistant_messages m on m.id = f.message_id and not f.is_titled
    order by f.updated_at desc, f.id desc`;

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
