/** Plans that wait for an approval. */
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { AskedApproval } from "../ports.ts";

export interface PlanApproval extends AskedApproval {
  actionId: string;
  since: string;
  expiresAt: string | null;
  /** Hash of the plan that is approved. */
  planHash: string;
  decidedBy?: string;
  decidedAt?: string;
  reason?: string;
  /** What other rules ask of other people once this one is given, and what all of them are shown. */
  further?: readonly AskedApproval[];
  fields?: object;
  /** Those that were given before it, the latest first. */
  earlier?: readonly GivenApproval[];
}

export type GivenApproval = AskedApproval & { decidedBy: string; decidedAt: string };

export interface HeldPlan {
  planId: string;
  originator: string;
  approval: PlanApproval;
}

/** Locks the plan that waits for this approval, and for further ones after it; null where it does not. */
export async function lockWithFurther(db: Db, actionId: string): Promise<HeldPlan | null> {
  const { rows } = await sql<HeldPlan>`select id as "planId", originator, approval from execution_plans
    where approval ->> 'actionId' = ${actionId} and approval_status = 'PENDING' and status = 'WAITING'
      and jsonb_array_length(approval -> 'further') > 0 for update`.execute(db);
  return rows[0] ?? null;
}

/** In the transaction that inserts the plan, or that decides about the approval before this one. */
export async function awaitApproval(db: Db, planId: string, approval: PlanApproval): Promise<void> {
  await sql`update execution_plans set approval_status = 'PENDING', approval = ${JSON.stringify(approval)}::jsonb
    where id = ${planId}`.execute(db);
}

/** The action whose decision a plan waits for; null where it waits for none. */
export async function readPendingApproval(db: Db, planId: string): Promise<string | null> {
  const { rows } = await sql<{
    actionId: string | null;
  }>`select approval ->> 'actionId' as "actionId" from execution_plans
    where id = ${planId} and approval_status = 'PENDING'`.execute(db);
  return rows[0]?.actionId ?? null;
}

export interface ApprovalEnd {
  actionId: string;
  status: "APPROVED" | "REJECTED" | "EXPIRED";
  by: string;
  reason: string | null;
  at: Date;
}

/** The plan that waited for it; its time limit begins now. Null when it waits no longer. */
export async function endApproval(
  db: Db,
  { actionId, status, by, reason, at }: ApprovalEnd,
): Promise<string | null> {
  const decision = { decidedBy: by, decidedAt: at.toISOString(), ...(reason === null ? {} : { reason }) };
  const { rows } = await sql<{ id: string }>`update execution_plans set approval_status = ${status},
      approval = approval || ${JSON.stringify(decision)}::jsonb,
      deadline_at = deadline_at + (${at}::timestamptz - created_at)
    where approval ->> 'actionId' = ${actionId} and approval_status = 'PENDING' and status = 'WAITING'
    returning id`.execute(db);
  return rows[0]?.id ?? null;
}

export interface UnitApproval {
  approver: string;
  status: "pending" | "approved" | "rejected";
  at: Date;
  comment: string;
}

interface ApprovalRow {
  status: string;
  approval: PlanApproval;
}

/** Approvals of the unit's plans in all environments, the latest first. */
export async function readUnitApprovals(db: Db, unitKey: string): Promise<UnitApproval[]> {
  const { rows } = await sql<ApprovalRow>`select approval_status as status, approval from execution_plans
    where unit_key = ${unitKey} and approval is not null and approval_status is not null
    order by created_at desc limit 100`.execute(db);
  return rows.flatMap(({ status, approval }) => [
    {
      approver: approval.decidedBy ?? approval.approvers.join(", "),
      status: status === "PENDING" ? "pending" : status === "APPROVED" ? "approved" : "rejected",
      at: new Date(approval.decidedAt ?? approval.since),
      comment: approval.reason ?? "",
    } as const,
    ...(approval.earlier ?? []).map(
      ({ decidedBy, decidedAt }) =>
        ({ approver: decidedBy, status: "approved", at: new Date(decidedAt), comment: "" }) as const,
    ),
  ]);
}
