/** Exceptions that nobody has decided about, for those who tell people about them. */
import type { GovernanceContext } from "../context.ts";
import { candidatesOf, decidersOf } from "./deciders.ts";
import type { ExceptionRow } from "./exception.ts";
import { readUndecided } from "./store.ts";

export const exceptionKinds = ["EXCEPTION"] as const;

export interface ExceptionNotice {
  kind: "EXCEPTION";
  id: string;
  title: string;
  environment: string | null;
  since: Date;
  expiresAt: Date;
  path: string;
  deciders: () => Promise<readonly string[]>;
  notTo: string;
  operatorsDecide: boolean;
  visibleTo: null;
}

export async function listExceptionNotices(
  ctx: GovernanceContext,
  limit: number,
): Promise<ExceptionNotice[]> {
  const rows = await readUndecided(ctx.governance.database.db, { notBy: "", at: ctx.now(), limit });
  return rows.map((row) => noticeOf(ctx, row));
}

function noticeOf(ctx: GovernanceContext, row: ExceptionRow): ExceptionNotice {
  const { id, policyId, requestedBy, requestedAt, until, reason, environments } = row;
  return {
    kind: "EXCEPTION",
    id,
    title: `${requestedBy} asks for an exception from ${policyId}: ${reason}`,
    environment: environments.length === 1 ? (environments[0] ?? null) : null,
    since: requestedAt,
    expiresAt: until,
    path: `/v1/computational-governance/exceptions?status=pending&policy=${encodeURIComponent(policyId)}`,
    deciders: () => ownersWhoDecide(ctx, row),
    notTo: requestedBy,
    operatorsDecide: true,
    visibleTo: null,
  };
}

/** Of all owners of what it excuses those who may decide alone, by the same rules as when they do. */
async function ownersWhoDecide(ctx: GovernanceContext, row: ExceptionRow): Promise<string[]> {
  const deciders: string[] = [];
  for (const ref of await candidatesOf(ctx, row)) {
    const actor = { ref, roles: ["developer"] as const, provider: "notices" };
    if ((await decidersOf({ ...ctx, actor }, row)).mayDecide) deciders.push(ref);
  }
  return deciders;
}
