/** Tool calls that wait for the user. */
import type { Db } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";
import { isAfter, timeOrder, type TimePosition } from "../../../platform/db/time-position.ts";
import { isoTime } from "../../../platform/db/iso-time.ts";
import type { Actor } from "../../../platform/lib/actor.ts";
import { safeJson } from "../../../platform/lib/safe-json.ts";
import type { Page } from "../../record-schema.ts";
import { runsChannel } from "../log/notice-store.ts";
import type {
  Approval,
  ApprovalAnswer,
  Decision,
  OpenApproval,
  OwnedApproval,
  ReadDecision,
} from "./approval.ts";

export async function insertApprovals(
  db: Db,
  runId: string,
  { approvals, at, expiresAt }: { approvals: readonly Approval[]; at: Date; expiresAt: Date },
): Promise<void> {
  await sql`insert into assistant_approvals (id, run_id, call_id, agents, server, tool, arguments, status, created_at,
      expires_at)
    select id, ${runId}::uuid, "callId", agents, server, tool, arguments, 'pending', ${at}, ${expiresAt}
    from json_to_recordset(${safeJson(approvals)}::json) as a (id uuid, "callId" text, agents json, server text,
      tool text, arguments json)
    on conflict (run_id, call_id) do nothing`.execute(db);
}

/** `edited` is an approval too, see migration 0022. */
const decision = sql`case a.status when 'edited' then 'approved' else a.status end`;

export async function readDecisions(db: Db, runId: string): Promise<Map<string, ReadDecision>> {
  const { rows } = await sql<ReadDecision & { id: string }>`select id, ${decision} as status, reason, edited
    from assistant_approvals a where run_id = ${runId}`.execute(db);
  return new Map(rows.map(({ id, ...read }) => [id, read]));
}

export interface StoredApproval extends ReadDecision {
  id: string;
  runId: string;
  sessionId: string;
  requestId: string;
  server: string;
  tool: string;
  arguments: Record<string, unknown>;
}

const stored = (
  at: Date,
) => sql`a.id, a.run_id as "runId", r.session_id as "sessionId", r.request_id as "requestId",
  a.server, a.tool, a.arguments, a.reason, a.edited,
  case when a.status = 'pending' and a.expires_at <= ${at} then 'expired' else ${decision} end as status`;

/** Those of the approvals that belong to the owner's runs. */
export async function findApprovals(
  db: Db,
  { owner, ids, at }: { owner: string; ids: readonly string[]; at: Date },
): Promise<StoredApproval[]> {
  const { rows } = await sql<StoredApproval>`select ${stored(at)}
    from assistant_approvals a join assistant_runs r on r.id = a.run_id
    where a.id = any(${[...ids]}::uuid[]) and r.owner = ${owner} order by a.created_at, a.id`.execute(db);
  return rows;
}

/** The same for one, locked with its run until the transaction ends. */
export async function lockApproval(
  db: Db,
  { owner, id, runId, at }: { owner: string; id: string; runId: string; at: Date },
): Promise<StoredApproval | null> {
  const locked = await sql`select 1 from assistant_runs where id = ${runId} and owner = ${owner}
    for update`.execute(db);
  if (locked.rows.length === 0) return null;
  const { rows } = await sql<StoredApproval>`select ${stored(at)}
    from assistant_approvals a join assistant_runs r on r.id = a.run_id
    where a.id = ${id} and a.run_id = ${runId} for update of a`.execute(db);
  return rows[0] ?? null;
}

export interface DecidedApproval {
  id: string;
  runId: string;
  answer: ApprovalAnswer;
  /** The request that decides; null when it has no id of its own. */
  requestId: string | null;
  at: Date;
  /** The tool is then called as this actor. */
  actor: Actor;
}

/** Decides a pending approval that is locked by the transaction, and lets its run continue. */
export async function storeDecision(
  db: Db,
  { id, runId, answer, requestId, at, actor }: DecidedApproval,
): Promise<void> {
  const { isApproved, reason, edited } = answer;
  const approved = edited === null ? "approved" : "edited";
  await sql`with decided as (
      update assistant_approvals set status = ${isApproved ? approved : "denied"}, decided_at = ${at},
        reason = ${reason}, edited = ${edited === null ? null : safeJson(edited)}::json, decided_request_id = ${requestId}
      where id = ${id}
    )
    update assistant_runs set actor = ${safeJson(actor)},
      status = case when status = 'waiting' then 'queued' else status end where id = ${runId}`.execute(db);
  await sql`select pg_notify(${runsChannel}, '')`.execute(db);
}

/** Expires approvals that were not decided in time; their runs continue without the calls. */
export async function expireApprovals(db: Db, at: Date): Promise<void> {
  await sql`with expired as (
      update assistant_approvals set status = 'expired', decided_at = ${at}
      where status = 'pending' and expires_at <= ${at} returning run_id
    )
    update assistant_runs set status = 'queued' where status = 'waiting' and id in (select run_id from expired)`.execute(
    db,
  );
}

export interface ApprovalRow {
  id: string;
  tool_call_id: string;
  agents: string[];
  server: string;
  tool: string;
  arguments: Record<string, unknown>;
  status: Decision;
  reason: string | null;
  edited_arguments: Record<string, unknown> | null;
  created_at: string;
  expires_at: string;
}

export async function listApprovals(db: Db, runId: string): Promise<ApprovalRow[]> {
  const { rows } = await sql<ApprovalRow>`select id, call_id as tool_call_id, agents, server, tool, arguments,
      ${decision} as status, reason, edited as edited_arguments,
      ${isoTime("created_at")} as created_at, ${isoTime("expires_at")} as expires_at
    from assistant_approvals a where run_id = ${runId} order by a.created_at, id`.execute(db);
  return rows;
}

const open = sql`a.id, a.run_id as "runId", r.session_id as "sessionId", a.call_id as "callId", a.agents, a.server,
  a.tool, a.arguments, a.created_at as "createdAt", a.expires_at as "expiresAt"`;

/** Pending approvals of the owner's runs, oldest first. */
export async function listOpenApprovals(
  db: Db,
  { owner, at, limit, offset, after = null }: { owner: string; at: Date; after?: TimePosition | null } & Page,
): Promise<{ rows: OpenApproval[]; total: number }> {
  const pending = sql`assistant_approvals a join assistant_runs r on r.id = a.run_id
    where a.status = 'pending' and a.expires_at > ${at} and r.owner = ${owner}
      and r.status in ('queued', 'running', 'waiting')`;
  const { rows } = await sql<OpenApproval>`select ${open} from ${pending}
      and ${isAfter("a.created_at", "a.id::text", after)}
    order by ${timeOrder("a.created_at", "a.id::text")} limit ${limit} offset ${offset}`.execute(db);
  const counted = await sql<{ n: number }>`select count(*) as n from ${pending}`.execute(db);
  return { rows, total: counted.rows[0]?.n ?? 0 };
}

/** Pending approvals of the runs of all users, oldest first. */
export async function listAllOpen(
  db: Db,
  { at, limit }: { at: Date; limit: number },
): Promise<OwnedApproval[]> {
  const { rows } = await sql<OwnedApproval>`select a.id, a.run_id as "runId", r.owner, a.server, a.tool,
      a.created_at as "createdAt", a.expires_at as "expiresAt"
    from assistant_approvals a join assistant_runs r on r.id = a.run_id
    where a.status = 'pending' and a.expires_at > ${at} and r.status in ('queued', 'running', 'waiting')
    order by a.created_at, a.id limit ${limit}`.execute(db);
  return rows;
}

/** What a run waits for, oldest first. */
export async function listPending(
  db: Db,
  { runId, at }: { runId: string; at: Date },
): Promise<OpenApproval[]> {
  const { rows } = await sql<OpenApproval>`select ${open}
    from assistant_approvals a join assistant_runs r on r.id = a.run_id
    where a.run_id = ${runId} and a.status = 'pending' and a.expires_at > ${at}
    order by a.created_at, a.id`.execute(db);
  return rows;
}

export async function isOwnRun(db: Db, owner: string, runId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from assistant_runs where id = ${runId} and owner = ${owner}`.execute(
    db,
  );
  return rows.length > 0;
}
