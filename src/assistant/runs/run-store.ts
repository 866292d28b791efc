/** Rows of runs, for starting and reading them. */
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { Actor } from "../../platform/lib/actor.ts";
import type { RequestOrigin } from "../../platform/lib/request-lines.ts";
import { safeJson } from "../../platform/lib/safe-json.ts";
import { runsChannel } from "./log/notice-store.ts";
import type { RunRemains } from "./loop/memory.ts";
import type { GivenMessage, RunStatus } from "./loop/run-state.ts";

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
  /** Earlier messages that the client sent with it. */
  given: readonly GivenMessage[];
  /** Whether it is cancelled when the client that asked disconnects. */
  stopsWithClient: boolean;
  /** Trace context of the request. */
  traceparent: string;
  origin: RequestOrigin;
  at: Date;
}

/**
 * Inserts a run with the user's message and the first event, and its session when that is new, in one statement. False when
 * the owner already has a run with this request id. Throws a foreign key violation when the session has been deleted.
 */
export async function insertRun(db: Db, run: NewRun, firstEvent: string): Promise<boolean> {
  const { rows } = await sql`with run as (
      insert into assistant_runs (id, session_id, owner, actor, request_id, request_hash,
        agent_id, message, page_context, given, stops_with_client, traceparent, http_request_id, client_address, status, created_at)
      values (${run.id}, ${run.sessionId}, ${run.actor.ref}, ${safeJson(run.actor)}, ${run.requestId},
        ${run.requestHash}, ${run.agentId}, ${run.message}, ${run.pageContext},
        ${run.given.length === 0 ? null : safeJson(run.given)}::json, ${run.stopsWithClient}, ${run.traceparent},
        ${run.origin.httpRequestId}, ${run.origin.clientAddress}, 'queued', ${run.at})
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
  stopsWithClient: boolean;
}

const head = sql`id, session_id as "sessionId", request_id as "requestId", request_hash as "requestHash", status,
  stops_with_client as "stopsWithClient"`;

export async function findRun(db: Db, owner: string, id: string): Promise<RunHead | null> {
  const { rows } = await sql<RunHead>`select ${head} from assistant_runs
    where id = ${id} and owner = ${owner}`.execute(db);
  return rows[0] ?? null;
}

export interface ResponseRow extends RunHead {
  createdAt: Date;
  /** Name of the agent; null when it is deleted. */
  agent: string | null;
  /** The stored answer, once it has ended with one. */
  answer: string | null;
}

/** A run with what a response of it shows. */
export async function findResponse(db: Db, owner: string, id: string): Promise<ResponseRow | null> {
  const { rows } = await sql<ResponseRow>`select ${head}, created_at as "createdAt",
      (select a.name from assistant_agents a where a.id = r.agent_id) as agent,
      (select m.content from assistant_messages m where m.session_id = r.session_id and m.run_id = r.id
        and m.role = 'assistant' order by m.id desc limit 1) as answer
    from assistant_runs r where r.id = ${id} and r.owner = ${owner}`.execute(db);
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

/** What a queued run waits for: earlier runs of its session that have not ended, and how many of its owner's are at work. */
export async function readQueue(db: Db, id: string): Promise<{ earlier: number; atWork: number }> {
  const { rows } = await sql<{ earlier: number; atWork: number }>`select
      (select count(*) from assistant_runs o where o.session_id = r.session_id
        and o.status in ('queued', 'running', 'waiting') and (o.created_at, o.id) < (r.created_at, r.id)) as earlier,
      (select count(*) from assistant_runs o where o.owner = r.owner and o.status = 'running') as "atWork"
    from assistant_runs r where r.id = ${id}`.execute(db);
  return rows[0] ?? { earlier: 0, atWork: 0 };
}

export async function lockRun(db: Db, owner: string, id: string): Promise<RunHead | null> {
  const { rows } = await sql<RunHead>`select ${head} from assistant_runs
    where id = ${id} and owner = ${owner} for update`.execute(db);
  return rows[0] ?? null;
}

/** What a run that has no complete answer has stored. */
export async function readRemains(db: Db, id: string): Promise<RunRemains> {
  const { rows } = await sql<RunRemains>`select state, acting from assistant_runs where id = ${id}`.execute(
    db,
  );
  return rows[0] ?? { state: null, acting: null };
}

export interface UsageFilter {
  by: "agent" | "model" | "run" | "session" | "user";
  /** All when it is undefined. */
  owner: string | undefined;
  from: string | undefined;
  until: string | undefined;
  limit: number;
  offset: number;
}

interface UsageSums {
  calls: number;
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  cost: number;
}

const sums = sql`count(*) as calls, coalesce(sum(input_tokens), 0)::bigint as input_tokens,
  coalesce(sum(output_tokens), 0)::bigint as output_tokens,
  coalesce(sum(cached_tokens), 0)::bigint as cached_tokens, round(coalesce(sum(cost), 0)::numeric, 9)::float8 as cost`;

const keys = {
  agent: sql`agent`,
  model: sql`model`,
  run: sql`run_id::text`,
  session: sql`session_id::text`,
  user: sql`owner`,
};

const whereOf = ({ owner, from, until }: UsageFilter) => sql`
  ${owner === undefined ? sql`true` : sql`owner = ${owner}`}
  and ${from === undefined ? sql`true` : sql`at >= ${from}::timestamptz`}
  and ${until === undefined ? sql`true` : sql`at < ${until}::timestamptz`}`;

/** The groups that have cost most first. */
export async function sumUsage(
  db: Db,
  filter: UsageFilter,
): Promise<{ rows: (UsageSums & { key: string })[]; groups: number; total: UsageSums }> {
  const key = keys[filter.by];
  const { rows } = await sql<UsageSums & { key: string }>`select ${key} as key, ${sums} from assistant_usage
    where ${whereOf(filter)} group by 1 order by cost desc, input_tokens desc, key
    limit ${filter.limit} offset ${filter.offset}`.execute(db);
  const whole = await sql<UsageSums & { groups: number }>`select count(distinct ${key}) as groups, ${sums}
    from assistant_usage where ${whereOf(filter)}`.execute(db);
  const { groups = 0, ...total } = whole.rows[0] ?? {
    calls: 0,
    input_tokens: 0,
    output_tokens: 0,
    cached_tokens: 0,
    cost: 0,
  };
  return { rows, groups, total };
}
