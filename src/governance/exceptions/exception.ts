/** An exception as it is stored. */
import type { ExceptionStatus, ExceptionView } from "./schema.ts";

export interface ExceptionRow {
  id: string;
  policyId: string;
  resourceIds: string[];
  select: string | null;
  environments: string[];
  reason: string;
  until: Date;
  status: ExceptionStatus;
  requestedBy: string;
  requestedAt: Date;
  decidedBy: string | null;
  decidedAt: Date | null;
  decisionReason: string | null;
}

/** The status that counts at a moment, also before the clean-up has written it. */
export const exceptionStatusAt = ({ status, until }: ExceptionRow, now: Date): ExceptionStatus =>
  (status === "pending" || status === "approved") && until <= now ? "expired" : status;

export function exceptionViewOf(row: ExceptionRow, now: Date): ExceptionView {
  const { select, decidedBy, decidedAt, decisionReason } = row;
  return {
    id: row.id,
    policyId: row.policyId,
    resourceIds: row.resourceIds,
    ...(select !== null && { select }),
    environments: row.environments,
    reason: row.reason,
    until: row.until.toISOString(),
    status: exceptionStatusAt(row, now),
    requestedBy: row.requestedBy,
    requestedAt: row.requestedAt.toISOString(),
    ...(decidedBy !== null && { decidedBy }),
    ...(decidedAt !== null && { decidedAt: decidedAt.toISOString() }),
    ...(decisionReason !== null && { decisionReason }),
  };
}
