/** Which exceptions wait for the decision of the caller. */
import type { GovernanceContext } from "../context.ts";
import type { TimePosition } from "../../platform/db/time-position.ts";
import { candidatesOf, decidersOf } from "./deciders.ts";
import type { ExceptionRow } from "./exception.ts";
import { readUndecided } from "./store.ts";

/** Those of others are left out one by one; more than these are not looked at. */
const mostRead = 200;

/** With those who may decide about it. */
export type UndecidedException = ExceptionRow & { deciders: readonly string[] };

/** The oldest first; nobody decides about what they have requested. */
export async function listUndecided(
  ctx: GovernanceContext,
  { limit, after }: { limit: number; after: TimePosition | null },
): Promise<UndecidedException[]> {
  const { db } = ctx.governance.database;
  const asked = { notBy: ctx.actor.ref, at: ctx.now(), limit: mostRead, after };
  const found: UndecidedException[] = [];
  for (const row of await readUndecided(db, asked)) {
    if (found.length === limit) break;
    if (!(await decidersOf(ctx, row)).mayDecide) continue;
    found.push({ ...row, deciders: await candidatesOf(ctx, row) });
  }
  return found;
}

/** As one of all that waits for the caller. */
export const waitingException = (row: UndecidedException) => ({
  kind: "EXCEPTION" as const,
  id: row.id,
  subject: "EXCEPTION" as const,
  title: `${row.requestedBy} asks for an exception from ${row.policyId}: ${row.reason}`,
  reason: "It excuses nothing until somebody other than the requester has approved it.",
  since: row.requestedAt,
  expiresAt: row.until,
  atDeadline: "It ends as expired: the policy counts as before.",
  environment: row.environments.length === 1 ? (row.environments[0] ?? null) : null,
  deploymentUnitId: row.resourceIds.length === 1 ? (row.resourceIds[0] ?? null) : null,
  requester: row.requestedBy,
  whoMayAct: { refs: row.deciders, operators: true, rule: null },
  link: { exceptionId: row.id, policyId: row.policyId },
  path: `/v1/computational-governance/exceptions?status=pending&policy=${encodeURIComponent(row.policyId)}`,
});
