/** The log of runs: a row has many events, so that a token costs a part of a row. */
import type { Db } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { EndedRun } from "./ag-ui.ts";
import { runLogChannel } from "./notice-store.ts";

export interface EventBatch {
  runId: string;
  fence: number;
  firstSeq: number;
  events: readonly string[];
}

/** A notice holds 8,000 bytes. */
const idsInNotice = 200;

/** Events in the stored form. */
export const linesOf = (events: readonly string[]): string => events.join("\n");

/**
 * Writes batches of several runs in one statement and returns the runs that still belong to their writer. The shared lock
 * prevents claims from raising a fence in between. A batch that exists was sent again after a lost connection.
 */
export async function writeBatches(db: Db, batches: readonly EventBatch[]): Promise<Set<string>> {
  const ids = batches.map(({ runId }) => runId);
  const { rows } = await sql<{ id: string }>`
    with given as (
      select * from unnest(${ids}::uuid[], ${batches.map(({ fence }) => fence)}::int[],
        ${batches.map(({ firstSeq }) => firstSeq)}::int[],
        ${batches.map(({ firstSeq, events }) => firstSeq + events.length - 1)}::int[],
        ${batches.map(({ events }) => linesOf(events))}::text[]) as g (run_id, fence, first_seq, last_seq, events)
    ), held as (
      select r.id from assistant_runs r join given g on g.run_id = r.id and g.fence = r.fence
      where r.status = 'running' order by r.id for share of r
    ), written as (
      insert into assistant_run_events (run_id, first_seq, last_seq, events)
      select g.run_id, g.first_seq, g.last_seq, g.events from given g where g.run_id in (select id from held)
      on conflict do nothing
    ), numbered as (
      select id::text as id, (row_number() over () - 1) / ${idsInNotice} as part from held
    ), notified as (
      select pg_notify(${runLogChannel}, string_agg(id, ',')) from numbered group by part
    )
    select id, (select count(*) from notified) from numbered`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Appends to a run whose row is locked by the transaction. */
export async function appendRunEvents(
  db: Db,
  runId: string,
  firstSeq: number,
  events: readonly string[],
): Promise<void> {
  await sql`with logged as (
      insert into assistant_run_events (run_id, first_seq, last_seq, events)
      values (${runId}, ${firstSeq}, ${firstSeq + events.length - 1}, ${linesOf(events)})
    )
    select pg_notify(${runLogChannel}, ${runId})`.execute(db);
}

export async function lastSeqOf(db: Db, runId: string): Promise<number> {
  const { rows } = await sql<{ last: number }>`select coalesce(max(last_seq), 0) as last
    from assistant_run_events where run_id = ${runId}`.execute(db);
  return rows[0]?.last ?? 0;
}

const batchesAtOnce = 200;

export interface StoredEvents {
  firstSeq: number;
  events: string[];
  /** Whether there were no more events when they were read. */
  isAll: boolean;
  /** Whether none will come: the run has been deleted, or has ended and its log has been. */
  isGone: boolean;
}

/** Events after a number. */
export async function readRunEvents(db: Db, runId: string, after: number): Promise<StoredEvents> {
  const { rows } = await sql<{ first: number; events: string }>`select first_seq as first, events
    from assistant_run_events where run_id = ${runId} and last_seq > ${after}
    order by first_seq limit ${batchesAtOnce}`.execute(db);
  const isGone = rows.length === 0 && !(await mayHaveMore(db, runId, after));
  const all = rows.flatMap(({ events }) => events.split("\n"));
  const skip = Math.max(after + 1 - (rows[0]?.first ?? after + 1), 0);
  const firstSeq = (rows[0]?.first ?? after + 1) + skip;
  return { firstSeq, events: all.slice(skip), isAll: rows.length < batchesAtOnce, isGone };
}

export const readAllRunEvents = (db: Db, runId: string): Promise<string[]> => readEventsAfter(db, runId, 0);

export async function readEventsAfter(db: Db, runId: string, after: number): Promise<string[]> {
  const all: string[] = [];
  for (;;) {
    const { events } = await readRunEvents(db, runId, after + all.length);
    if (events.length === 0) return all;
    all.push(...events);
  }
}

async function mayHaveMore(db: Db, runId: string, after: number): Promise<boolean> {
  const { rows } = await sql`select 1 from assistant_runs r where r.id = ${runId}
    and (r.status in ('queued', 'running', 'waiting') or exists (
      select from assistant_run_events e where e.run_id = r.id and e.last_seq > ${after}))`.execute(db);
  return rows.length > 0;
}

/** A run that has ended and whose log was deleted; null for any other. */
export async function findEndedWithoutLog(
  db: Db,
  { runId, titleAgent }: { runId: string; titleAgent: string },
): Promise<EndedRun | null> {
  const { rows } = await sql<EndedRun>`select r.id as "runId", r.session_id as "sessionId",
      r.request_id as "requestId", r.status, r.error_code as "errorCode", coalesce(r.answer, '') as answer, r.limited, s.title,
      (select json_build_object('input_tokens', coalesce(sum(u.input_tokens), 0),
          'output_tokens', coalesce(sum(u.output_tokens), 0), 'cached_tokens', coalesce(sum(u.cached_tokens), 0),
          'cost', round(coalesce(sum(u.cost), 0)::numeric, 9))
        from assistant_usage u where u.run_id = r.id and u.agent <> ${titleAgent}) as usage
    from assistant_runs r join assistant_sessions s on s.id = r.session_id
    where r.id = ${runId} and r.ended_at is not null
      and not exists (select from assistant_run_events e where e.run_id = r.id)`.execute(db);
  return rows[0] ?? null;
}
