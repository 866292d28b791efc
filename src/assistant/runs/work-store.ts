/** Runs as a worker takes, records and ends them. Every write holds the worker's fence against the run's. */
import { sql } from "kysely";
import type { Db } from "../../platform/db/database.ts";
import { safeJson } from "../../platform/lib/safe-json.ts";
import { isDeadWorker } from "../../platform/jobs/worker-lease.ts";
import type { ModelMessage } from "../model-clients/model.ts";
import type { ClaimedRun, ModelUse, RunState, RunStatus } from "./types.ts";

/** A run may go on when no other of its session is at work or came before it. */
const isItsTurn = sql`not exists (select 1 from assistant_runs o where o.session_id = r.session_id and o.id <> r.id
  and (o.status in ('running', 'waiting')
    or (o.status = 'queued' and (o.created_at, o.id) < (r.created_at, r.id))))`;

/** Waits for its turn, or has lost its worker; one of our own that we do not drive was let go after an error. */
const isDue = (workerId: string) => sql`((r.status = 'queued' and ${isItsTurn})
  or (r.status = 'running' and (r.worker_id = ${workerId} or ${isDeadWorker("r.worker_id")})))`;

export async function findDueRuns(
  db: Db,
  { workerId, driving, limit }: { workerId: string; driving: readonly string[]; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select r.id from assistant_runs r
    where r.status in ('queued', 'running') and r.id <> all (${driving}::uuid[]) and ${isDue(workerId)}
    order by r.created_at, r.id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Null when it is not due any more. Throws a unique violation when another run of the session was quicker. */
export async function claimRun(
  db: Db,
  id: string,
  { workerId, at }: { workerId: string; at: Date },
): Promise<ClaimedRun | null> {
  const { rows } = await sql<ClaimedRun>`update assistant_runs r set status = 'running', fence = fence + 1,
      worker_id = ${workerId}, started_at = coalesce(started_at, ${at})
    where r.id = ${id} and ${isDue(workerId)}
    returning id, session_id as "sessionId", owner, actor, request_id as "requestId", agent_id as "agentId", message,
      page_context as "pageContext", fence, state, state_seq as "stateSeq"`.execute(db);
  return rows[0] ?? null;
}

export interface Held {
  runId: string;
  fence: number;
}

/** Locks the run for the rest of the transaction; false when it belongs to somebody else. */
export async function holdRun(db: Db, { runId, fence }: Held): Promise<boolean> {
  const { rows } = await sql`select 1 from assistant_runs where id = ${runId} and fence = ${fence}
    and status = 'running' for update`.execute(db);
  return rows.length === 1;
}

/** Records where the run stands; `status` says whether it goes on, is given back, or waits for the user. */
export async function saveState(
  db: Db,
  { runId, fence }: Held,
  saved: { state: RunState; seq: number; status: "running" | "queued" | "waiting" },
): Promise<boolean> {
  const { numAffectedRows } = await sql`update assistant_runs set state = ${safeJson(saved.state)},
      state_seq = ${saved.seq}, status = ${saved.status},
      worker_id = case when ${saved.status} = 'running' then worker_id end
    where id = ${runId} and fence = ${fence} and status = 'running'`.execute(db);
  return numAffectedRows === 1n;
}

export interface RunEnd {
  status: Exclude<RunStatus, "queued" | "running" | "waiting">;
  answer: string;
  errorCode: string | null;
  limited: boolean;
  at: Date;
}

/** Ends a run whose row is locked by the transaction. Raises the fence, so that nobody writes after the end. */
export async function endRun(db: Db, runId: string, end: RunEnd): Promise<void> {
  await sql`with ended as (
      update assistant_runs set status = ${end.status}, answer = ${end.answer}, error_code = ${end.errorCode},
        limited = ${end.limited}, ended_at = ${end.at}, fence = fence + 1, worker_id = null, state = null
      where id = ${runId} returning id, session_id
    ), closed as (
      update assistant_approvals set status = 'expired', decided_at = ${end.at}
      where run_id = ${runId} and status = 'pending'
    ), said as (
      insert into assistant_messages (session_id, run_id, role, content, created_at)
      select session_id, id, 'assistant', ${end.answer}, ${end.at} from ended where ${end.answer} <> ''
    )
    update assistant_sessions set updated_at = ${end.at} where id in (select session_id from ended)`.execute(
    db,
  );
}

/** The session's title, set unless it has one that the owner or an earlier answer gave. */
export async function settleTitle(db: Db, sessionId: string, title: string | null): Promise<string> {
  const { rows } = await sql<{ title: string }>`update assistant_sessions set
      title = case when title_by = 'nobody' and ${title}::text is not null then ${title} else title end,
      title_by = case when title_by = 'nobody' and ${title}::text is not null then 'assistant' else title_by end
    where id = ${sessionId} returning title`.execute(db);
  return rows[0]?.title ?? "";
}

export interface History {
  needsTitle: boolean;
  summary: string | null;
  messages: (ModelMessage & { id: number })[];
}

/** What was said in a session before a run, after the part that is summarised. */
export async function readHistory(db: Db, sessionId: string, runId: string): Promise<History> {
  const found = await sql<{
    titleBy: string;
    summary: string | null;
    until: number | null;
  }>`select title_by as "titleBy",
      summary, summary_until as until from assistant_sessions where id = ${sessionId}`.execute(db);
  const session = found.rows[0];
  const { rows } = await sql<{ id: number; role: "user" | "assistant"; content: string }>`
    select m.id, m.role, m.content from assistant_messages m join assistant_runs r on r.id = m.run_id
    where m.session_id = ${sessionId} and m.id > ${session?.until ?? 0}
      and (r.created_at, r.id) < (select created_at, id from assistant_runs where id = ${runId})
    order by m.id desc limit ${mostHistory}`.execute(db);
  return {
    needsTitle: session?.titleBy === "nobody",
    summary: session?.summary ?? null,
    messages: rows
      .toReversed()
      .map(({ id, role, content }) =>
        role === "user" ? { id, role, content } : { id, role, content, calls: [] },
      ),
  };
}

const mostHistory = 500;

export async function saveSummary(
  db: Db,
  sessionId: string,
  { summary, until }: { summary: string; until: number },
): Promise<void> {
  await sql`update assistant_sessions set summary = ${summary}, summary_until = ${until}
    where id = ${sessionId}`.execute(db);
}

export async function insertUses(
  db: Db,
  { id, sessionId, owner }: Pick<ClaimedRun, "id" | "sessionId" | "owner">,
  uses: readonly ModelUse[],
): Promise<void> {
  if (uses.length === 0) return;
  await sql`insert into assistant_usage (at, owner, session_id, run_id, agent, model, input_tokens, output_tokens,
      cached_tokens, cost)
    select at, ${owner}, ${sessionId}::uuid, ${id}::uuid, agent, model, input, output, cached, cost
    from json_to_recordset(${safeJson(uses)}::json) as u (at timestamptz, agent text, model text, input bigint,
      output bigint, cached bigint, cost double precision)`.execute(db);
}

export interface Used {
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  cost: number;
}

export async function usageOfRun(db: Db, runId: string): Promise<Used> {
  const { rows } = await sql<Used>`select coalesce(sum(input_tokens), 0)::bigint as input_tokens,
      coalesce(sum(output_tokens), 0)::bigint as output_tokens,
      coalesce(sum(cached_tokens), 0)::bigint as cached_tokens, coalesce(sum(cost), 0) as cost
    from assistant_usage where run_id = ${runId}`.execute(db);
  return rows[0] ?? { input_tokens: 0, output_tokens: 0, cached_tokens: 0, cost: 0 };
}

/** Deletes the logs of runs that ended before; answers how many. */
export async function pruneRunEvents(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from assistant_run_events where run_id in (
    select r.id from assistant_runs r where r.ended_at < ${before}
      and exists (select 1 from assistant_run_events e where e.run_id = r.id)
    order by r.ended_at limit ${limit})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
