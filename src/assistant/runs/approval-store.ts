/** Tool calls that wait for the user. */
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { isoTime } from "../../platform/db/iso-time.ts";
import type { Actor } from "../../platform/lib/actor.ts";
import { safeJson } from "../../platform/lib/safe-json.ts";
import { runsChannel } from "./log/notice-store.ts";
import type { Approval, Decision } from "./loop/run-state.ts";

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

export async function readDecisions(db: Db, runId: string): Promise<Map<string, Decision>> {
  const { rows } = await sql<{ id: string; status: Decision }>`select id, status from assistant_approvals
    where run_id = ${runId}`.execute(db);
  return new Map(rows.map(({ id, status }) => [id, status]));
}

/** Returns the former status; null when the run has no such approval. The run's row must be locked. */
export async function decideApproval(
  db: Db,
  {
    runId,
    approvalId,
    decision,
    at,
    actor,
  }: {
    runId: string;
    approvalId: string;
    decision: "approved" | "denied";
    at: Date;
    /** The tool is then called as this actor. */
    actor: Actor;
  },
): Promise<Decision | null> {
  const { rows } = await sql<{ status: Decision }>`select case when status = 'pending' and expires_at <= ${at}
      then 'expired' else status end as status
    from assistant_approvals where id = ${approvalId} and run_id = ${runId} for update`.execute(db);
  const before = rows[0]?.status ?? null;
  if (before !== "pending") return before;
  await sql`with decided as (
      update assistant_approvals set status = ${decision}, decided_at = ${at} where id = ${approvalId}
    )
    update assistant_runs set actor = ${safeJson(actor)},
      status = case when status = 'waiting' then 'queued' else status end where id = ${runId}`.execute(db);
  await sql`select pg_notify(${runsChannel}, '')`.execute(db);
  return "pending";
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
  created_at: string;
  expires_at: string;
}

export interface OpenApproval {
  id: string;
  runId: string;
  server: string;
  tool: string;
  createdAt: Date;
  expiresAt: Date;
}

/** Pending approvals of the owner's runs, oldest first. */
export async function listOpenApprovals(
  db: Db,
  { owner, at, limit }: { owner: string; at: Date; limit: number },
): Promise<OpenApproval[]> {
  const { rows } = await sql<OpenApproval>`select a.id, a.run_id as "runId", a.server, a.tool,
      a.created_at as "createdAt", a.expires_at as "expiresAt"
    from assistant_approvals a join assistant_runs r on r.id = a.run_id
    where a.status = 'pending' and a.expires_at > ${at} and r.owner = ${owner}
    order by a.created_at, a.id limit ${limit}`.execute(db);
  return rows;
}

export async function listApprovals(db: Db, runId: string): Promise<ApprovalRow[]> {
  const { rows } =
    await sql<ApprovalRow>`select id, call_id as tool_call_id, agents, server, tool, arguments, status,
      ${isoTime("created_at")} as created_at, ${isoTime("expires_at")} as expires_at
    from assistant_approvals where run_id = ${runId} order by assistant_approvals.created_at, id`.execute(db);
  return rows;
}
