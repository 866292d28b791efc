/** Runs that wait, and the messages that came to their sessions meanwhile. */
import type { Db } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";

export interface Unanswered {
  id: string;
  /** The run of the same session that waits for an approval. */
  waitingId: string;
}

/** Runs that have not begun and are queued behind one that waits. */
export async function findUnanswered(
  db: Db,
  { runId, limit }: { runId: string | null; limit: number },
): Promise<Unanswered[]> {
  const { rows } = await sql<Unanswered>`select q.id, w.id as "waitingId"
    from assistant_runs q join assistant_runs w on w.session_id = q.session_id and w.status = 'waiting'
    where q.status = 'queued' and q.fence = 0 and ${runId === null ? sql`true` : sql`q.id = ${runId}`}
    order by q.created_at, q.id limit ${limit}`.execute(db);
  return rows;
}

export interface LockedUnanswered {
  sessionId: string;
  requestId: string;
  title: string;
}

/** Locks such a run until the transaction ends; null when it is none any more. */
export async function lockUnanswered(
  db: Db,
  { id, waitingId }: Unanswered,
): Promise<LockedUnanswered | null> {
  const { rows } =
    await sql<LockedUnanswered>`select r.session_id as "sessionId", r.request_id as "requestId", s.title
    from assistant_runs r join assistant_sessions s on s.id = r.session_id
    where r.id = ${id} and r.status = 'queued' and r.fence = 0
      and exists (select 1 from assistant_runs w where w.id = ${waitingId} and w.status = 'waiting')
    for update of r`.execute(db);
  return rows[0] ?? null;
}

/** Whether the run has waited since the event of this number. */
export async function isWaitingSince(db: Db, runId: string, seq: number): Promise<boolean> {
  const { rows } = await sql`select 1 from assistant_runs
    where id = ${runId} and status = 'waiting' and state_seq = ${seq}`.execute(db);
  return rows.length > 0;
}

/** The run of a session of the owner that waits for an approval. */
export async function findWaitingRun(db: Db, owner: string, sessionId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`select id from assistant_runs
    where session_id = ${sessionId} and owner = ${owner} and status = 'waiting'`.execute(db);
  return rows[0]?.id ?? null;
}

/** Approvals that a request of the owner has decided. */
export async function findDecidedBy(db: Db, owner: string, requestId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select a.id
    from assistant_approvals a join assistant_runs r on r.id = a.run_id
    where a.decided_request_id = ${requestId} and r.owner = ${owner} order by a.created_at, a.id`.execute(db);
  return rows.map(({ id }) => id);
}
