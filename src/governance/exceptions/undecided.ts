/** Which exceptions wait for the decision of the caller. */
import type { GovernanceContext } from "../context.ts";
import { decidersOf } from "./deciders.ts";
import type { ExceptionRow } from "./exception.ts";
import { readUndecided } from "./store.ts";

/** Those of others are left out one by one; more than these are not looked at. */
const mostRead = 200;

/** The oldest first; nobody decides about what they have requested. */
export async function listUndecided(ctx: GovernanceContext, limit: number): Promise<ExceptionRow[]> {
  const { db } = ctx.governance.database;
  const asked = { notBy: ctx.actor.ref, at: ctx.now(), limit: mostRead };
  const found: ExceptionRow[] = [];
  for (const row of await readUndecided(db, asked)) {
    if (found.length === limit) break;
    if ((await decidersOf(ctx, row)).mayDecide) found.push(row);
  }
  return found;
}
