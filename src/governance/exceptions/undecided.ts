/** Which exceptions wait for the decision of the caller. */
import type { GovernanceContext } from "../context.ts";
import type { TimePosition } from "../../platform/db/time-position.ts";
import { fillPage } from "../../platform/lib/fill-page.ts";
import { candidatesOf, decidersOf, withSharedReads } from "./deciders.ts";
import type { ExceptionRow } from "./exception.ts";
import { readUndecided } from "./store.ts";

/** With those who may decide about it. */
export type UndecidedException = ExceptionRow & { deciders: readonly string[] };

/** The oldest first; nobody decides about what they have requested. */
export async function listUndecided(
  ctx: GovernanceContext,
  { limit, after }: { limit: number; after: TimePosition | null },
): Promise<UndecidedException[]> {
  const { db } = ctx.governance.database;
  const asking = withSharedReads(ctx);
  const at = ctx.now();
  return fillPage<ExceptionRow, UndecidedException, TimePosition | null>({
    limit,
    after,
    read: (place, size) => readUndecided(db, { notBy: ctx.actor.ref, at, limit: size, after: place }),
    placeOf: ({ requestedAt, id }) => ({ since: requestedAt, id }),
    async toItem(row) {
      if (!(await decidersOf(asking, row)).mayDecide) return null;
      return { ...row, deciders: await candidatesOf(asking, row) };
    },
  });
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
