/** Which exceptions wait for the decision of the caller. */
import type { GovernanceContext } from "../context.ts";
import type { TimePosition } from "../../platform/db/time-position.ts";
import { candidatesOf, decidersOf, withSharedReads } from "./deciders.ts";
import type { ExceptionRow } from "./exception.ts";
import { readUndecided } from "./store.ts";

/** Exceptions of others are left out one by one; so many are read at once. */
const batchSize = 200;

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
  const found: UndecidedException[] = [];
  let place = after;
  for (;;) {
    const rows = await readUndecided(db, { notBy: ctx.actor.ref, at, limit: batchSize, after: place });
    for (const row of rows) {
      if (found.length === limit) return found;
      if (!(await decidersOf(asking, row)).mayDecide) continue;
      found.push({ ...row, deciders: await candidatesOf(asking, row) });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return found;
    place = { since: last.requestedAt, id: last.id };
  }
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
