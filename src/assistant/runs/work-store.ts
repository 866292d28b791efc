/** Claims, records and ends runs for a worker. Every write compares the worker's fence with the run's. */
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { safeJson, storable } from "../../platform/lib/safe-json.ts";
import { mayTakeOver } from "../../platform/jobs/worker-lease.ts";
import { runLogChannel, runsChannel } from "./log/notice-store.ts";
import { linesOf } from "./log/event-store.ts";
import { recallMessage, type RunMemory, type StoredMessage } from "./loop/memory.ts";
import type { AssistantMessage } from "../models/model.ts";
import type { ClaimedRun, History, ModelUse, RunState, RunStatus, SessionTitle } from "./loop/run-state.ts";

/** Runs of a session are driven one after the other, in the order of their creation. */
const isNextOfSession = sql`not exists (select 1 from assistant_runs o where o.session_id = r.session_id and o.id <> r.id
  and (o.status in ('running', 'waiting')
    or (o.status = 'queued' and (o.created_at, o.id) < (r.created_at, r.id))))`;

/** The run is queued and next, or its worker is dead. A run of this worker that it does not drive was dropped after an error. */
const isDue = (workerId: string) => sql`((r.status = 'queued' and ${isNextOfSession})
  or (r.status = 'running' and (r.worker_id = ${workerId} or ${mayTakeOver("r.worker_id", sql`${workerId}`)})))`;

/**
 * Runs whose worker is dead come first; then those of the owners who have the fewest at work, so that one with many runs keeps nobody
 * waiting; then the oldest. The owners are read one by one from the index, so that a long queue of one costs nothing.
 */
export async function findDueRuns(
  db: Db,
  { workerId, driving, limit }: { workerId: string; driving: readonly string[]; limit: number },
): Promise<string[]> {
  const isFree = sql`r.id <> all (${driving}::uuid[]) and ${isDue(workerId)}`;
  const { rows } = await sql<{ id: string }>`with recursive owners as (
      (select owner from assistant_runs where status = 'queued' order by owner limit 1)
      union all
      select (select r.owner from assistant_runs r where r.status = 'queued' and r.owner > o.owner
        order by r.owner limit 1)
      from owners o where o.owner is not null
    ), at_work as (
      select owner, count(*) as runs from assistant_runs where status = 'running' group by owner
    ), due as (
      select r.id, r.created_at, 0 as share from assistant_runs r where r.status = 'running' and ${isFree}
      union all
      select q.id, q.created_at,
        coalesce(w.runs, 0) + row_number() over (partition by o.owner order by q.created_at, q.id)
      from owners o left join at_work w on w.owner = o.owner
      cross join lateral (
        select r.id, r.created_at from assistant_runs r
        where r.status = 'queued' and r.owner = o.owner and ${isFree}
        order by r.created_at, r.id limit ${limit}
      ) q
    )
    select id from due order by share, created_at, id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Claims those of the runs that are still due and not locked by another claim. Throws a unique violation when another run of
 * a session was claimed first.
 */
export async function claimRuns(
  db: Db,
  ids: readonly string[],
  { workerId, at }: { workerId: string; at: Date },
): Promise<ClaimedRun[]> {
  const { rows } = await sql<ClaimedRun>`update assistant_runs r set status = 'running', fence = fence + 1,
      worker_id = ${workerId}, started_at = coalesce(started_at, ${at}),
      repeatable_fence = case when r.status = 'queued' or r.repeatable_fence = r.fence then r.fence + 1
        when r.repeatable_fence = 0 then 0 end,
      takeovers = case when r.status = 'running' then r.takeovers + 1 else 0 end
    where r.id in (select id from assistant_runs where id = any(${[...ids]}::uuid[]) order by id for update skip locked)
      and ${isDue(workerId)}
    returning id, session_id as "sessionId", owner, actor, request_id as "requestId", agent_id as "agentId", message,
      page_context as "pageContext", given, traceparent, http_request_id as "httpRequestId", client_address as "clientAddress", fence, repeatable_fence as "repeatableFence", takeovers, state, state_seq as "stateSeq",
      (select json_build_object('title', s.title, 'by', s.title_by) from assistant_sessions s
        where s.id = r.session_id) as titled,
      exists (select from assistant_messages m where m.session_id = r.session_id and m.run_id <> r.id)
        as "hasHistory"`.execute(db);
  return rows;
}

/** Which of these runs the worker still has. */
export async function findHeldRuns(
  db: Db,
  { workerId, ids }: { workerId: string; ids: readonly string[] },
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select id from assistant_runs
    where id = any(${[...ids]}::uuid[]) and status = 'running' and worker_id = ${workerId}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

export interface RunClaim {
  runId: string;
  fence: number;
}

/** Frees a run for any worker. */
export async function releaseRun(db: Db, { runId, fence }: RunClaim): Promise<void> {
  await sql`update assistant_runs set worker_id = null
    where id = ${runId} and fence = ${fence} and status = 'running'`.execute(db);
}

/** Frees a run for any worker, to repeat its turn; false when a tool has acted in it, or another worker has the run. */
export async function releaseRepeatable(db: Db, { runId, fence }: RunClaim): Promise<boolean> {
  const { rows } = await sql`with freed as (
      update assistant_runs set worker_id = null
      where id = ${runId} and fence = ${fence} and status = 'running' and repeatable_fence = fence returning id
    )
    select pg_notify(${runsChannel}, '') from freed`.execute(db);
  return rows.length === 1;
}

/** Locks the run until the transaction ends; false when another worker has it. */
export async function lockClaimedRun(db: Db, { runId, fence }: RunClaim): Promise<boolean> {
  const { rows } = await sql`select 1 from assistant_runs where id = ${runId} and fence = ${fence}
    and status = 'running' for update`.execute(db);
  return rows.length === 1;
}

/** Stores the state of a run; `status` says whether it continues, is released, or waits for the user. */
export async function saveState(
  db: Db,
  { runId, fence }: RunClaim,
  saved: { state: RunState; seq: number; status: "running" | "queued" | "waiting" },
): Promise<boolean> {
  const { rowCount } = await sql`update assistant_runs set state = ${safeJson(saved.state)},
      state_seq = ${saved.seq}, status = ${saved.status}, repeatable_fence = fence, acting = null, takeovers = 0,
      worker_id = case when ${saved.status} = 'running' then worker_id end
    where id = ${runId} and fence = ${fence} and status = 'running'`.execute(db);
  return rowCount === 1;
}

/** Stores that the tool calls of a message are made from now on; false when another worker has the run. */
export async function saveActing(
  db: Db,
  { runId, fence }: RunClaim,
  { acting, mayAct }: { acting: AssistantMessage | null; mayAct: boolean },
): Promise<boolean> {
  const { rowCount } = await sql`update assistant_runs set acting = ${safeJson(acting)},
      repeatable_fence = case when ${mayAct} then 0 else repeatable_fence end
    where id = ${runId} and fence = ${fence} and status = 'running'`.execute(db);
  return rowCount === 1;
}

export interface RunEnd {
  status: Exclude<RunStatus, "queued" | "running" | "waiting">;
  answer: string;
  errorCode: string | null;
  limited: boolean;
  memory: RunMemory | null;
  at: Date;
  /** Events as JSON, and the number of the first. */
  events: readonly string[];
  firstSeq: number;
}

/** Ends a run whose row is locked by the transaction. */
export async function endRun(db: Db, runId: string, end: RunEnd): Promise<void> {
  const claim = sql`select id, session_id from assistant_runs where id = ${runId}`;
  await sql`with held as (${claim}), ${endingOf(end)}, used as (
      update assistant_sessions set updated_at = ${end.at} where id in (select session_id from held)
    )
    ${notifying}`.execute(db);
}

/**
 * Ends a run with its answer, the usage that is not stored yet and the session's title, in one statement. False, without any
 * change, when another worker has the run or the title is no longer `titled`.
 */
export async function finishRun(
  db: Db,
  run: ClaimedRun,
  {
    end,
    uses,
    titled,
    title,
  }: { end: RunEnd; uses: readonly ModelUse[]; titled: SessionTitle; title: SessionTitle },
): Promise<boolean> {
  const claim = sql`select r.id, r.session_id
    from assistant_runs r join assistant_sessions s on s.id = r.session_id
    where r.id = ${run.id} and r.fence = ${run.fence} and r.status = 'running'
      and s.title = ${titled.title} and s.title_by = ${titled.by} for update of r, s`;
  const { rows } = await sql`with held as (${claim}), ${endingOf(end)}, spent as (
      ${insertionOf(run, uses)} where exists (select from held)
    ), used as (
      update assistant_sessions set updated_at = ${end.at}, title = ${title.title}, title_by = ${title.by}
      where id in (select session_id from held)
    )
    ${notifying}`.execute(db);
  return rows.length === 1;
}

/** The title of the run's session; null when another worker has the run. */
export async function readTitle(db: Db, { runId, fence }: RunClaim): Promise<SessionTitle | null> {
  const { rows } = await sql<SessionTitle>`select s.title, s.title_by as by
    from assistant_runs r join assistant_sessions s on s.id = r.session_id
    where r.id = ${runId} and r.fence = ${fence} and r.status = 'running'`.execute(db);
  return rows[0] ?? null;
}

/**
 * The changes that end the run in `held`. The fence is raised, so that no worker writes after it. The answer may come from a log, which
 * has as JSON what no column of texts takes.
 */
function endingOf({ answer: given, ...end }: RunEnd) {
  const answer = storable(given);
  return sql`ended as (
    update assistant_runs set status = ${end.status}, answer = ${answer}, error_code = ${end.errorCode},
      limited = ${end.limited}, ended_at = ${end.at}, fence = fence + 1, worker_id = null, state = null, acting = null
    where id in (select id from held)
  ), closed as (
    update assistant_approvals set status = 'expired', decided_at = ${end.at}
    where run_id in (select id from held) and status = 'pending'
  ), said as (
    insert into assistant_messages (session_id, run_id, role, content, memory, created_at)
    select session_id, id, 'assistant', ${answer}, ${memoryOf(end)}::json, ${end.at} from held
    where ${answer} <> '' or ${end.memory !== null}
  ), logged as (
    insert into assistant_run_events (run_id, first_seq, last_seq, events)
    select id, ${end.firstSeq}::int, ${end.firstSeq + end.events.length - 1}::int, ${linesOf(end.events)} from held
  )`;
}

const memoryOf = ({ memory }: Pick<RunEnd, "memory">): string | null =>
  memory === null ? null : safeJson(memory);

/** Notifies readers of the run, and workers: another run of the session may have waited for this one. */
const notifying = sql`select pg_notify(${runLogChannel}, id::text), pg_notify(${runsChannel}, '') from held`;

/** Reads the messages of a session before a run, after the summarised part. */
export async function readHistory(
  db: Db,
  { id, sessionId, hasHistory }: ClaimedRun,
  nonce: string,
): Promise<History> {
  if (!hasHistory) return { summary: null, entries: [], skills: [] };
  const { rows } = await sql<{
    summary: string | null;
    said: StoredMessage[];
    skills: string[] | null;
  }>`select s.summary, array(
      select json_build_object('id', m.id, 'role', m.role, 'content', m.content, 'memory', m.memory,
        'given', case m.role when 'user' then r.given end)
      from assistant_messages m join assistant_runs r on r.id = m.run_id
      where m.session_id = s.id and m.id > coalesce(s.summary_until, 0)
        and (r.created_at, r.id) < (select created_at, id from assistant_runs where id = ${id})
      order by m.id desc limit ${maxHistory}) as said,
      (select m.memory -> 'skills' from assistant_messages m
        where m.session_id = s.id and m.run_id <> ${id} and m.memory -> 'skills' is not null
        order by m.id desc limit 1) as skills
    from assistant_sessions s where s.id = ${sessionId}`.execute(db);
  const [session] = rows;
  return {
    summary: session?.summary ?? null,
    entries: (session?.said ?? []).toReversed().map((message) => recallMessage(message, nonce)),
    skills: session?.skills ?? [],
  };
}

const maxHistory = 500;

export async function saveSummary(
  db: Db,
  sessionId: string,
  { summary, until }: { summary: string; until: number },
): Promise<void> {
  await sql`update assistant_sessions set summary = ${summary}, summary_until = ${until}
    where id = ${sessionId}`.execute(db);
}

type RunOfUse = Pick<ClaimedRun, "id" | "sessionId" | "owner">;

export async function insertUses(db: Db, run: RunOfUse, uses: readonly ModelUse[]): Promise<void> {
  if (uses.length > 0) await insertionOf(run, uses).execute(db);
}

const insertionOf = ({ id, sessionId, owner }: RunOfUse, uses: readonly ModelUse[]) =>
  sql`insert into assistant_usage (at, owner, session_id, run_id, agent, model, input_tokens, output_tokens,
      cached_tokens, cost)
    select at, ${owner}, ${sessionId}::uuid, ${id}::uuid, agent, model, input, output, cached, cost
    from json_to_recordset(${safeJson(uses)}::json) as u (at timestamptz, agent text, model text, input bigint,
      output bigint, cached bigint, cost double precision)`;

export interface RunNumbers {
  status: "queued" | "running" | "waiting";
  count: number;
  oldestSeconds: number;
}

/** How many have not ended, and since when the oldest of them is there; 0 of both where there is none. */
export async function readRunNumbers(db: Db): Promise<RunNumbers[]> {
  const { rows } = await sql<RunNumbers>`select s.status, count(r.id) as count,
      coalesce(extract(epoch from now() - min(r.created_at)), 0)::float8 as "oldestSeconds"
    from (values ('queued'), ('running'), ('waiting')) s (status)
    left join assistant_runs r on r.status = s.status and r.status in ('queued', 'running', 'waiting')
    group by s.status`.execute(db);
  return rows;
}

/** Whether no run is queued, under way or waiting for somebody, in whatever process. */
export async function hasNoLiveRuns(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from assistant_runs where status in ('queued', 'running', 'waiting')
    limit 1`.execute(db);
  return rows.length === 0;
}
