/** Decides who may see and answer a hook. */
import { isOperator } from "../../platform/auth/policy.ts";
import { groupsOf } from "../catalogue/lookup.ts";
import type { HookContext } from "./handlers.ts";
import { type HookRow, listAnswerableHooks } from "./store.ts";

/**
 * The references of the caller and of the groups that the catalogue has them in, in lower case like stored
 * owners.
 */
export async function refsOf({ actor, builder }: HookContext): Promise<string[]> {
  const own = actor.ref.toLowerCase();
  if (!own.startsWith("user:")) return [own];
  return [own, ...(await groupsOf(builder.database.db, own))];
}

export async function mayAnswer(ctx: HookContext, row: HookRow): Promise<boolean> {
  if (isOperator(ctx.actor)) return true;
  if (row.kind === "remote") return false;
  const own = await refsOf(ctx);
  return row.owners.some((ref) => own.includes(ref));
}

/**
 * Pending hooks that the caller may answer, the oldest first. Operators may answer every hook, others the
 * notifications about what they own.
 */
export async function listHooksToAnswer(ctx: HookContext, limit: number): Promise<HookRow[]> {
  const owners = isOperator(ctx.actor) ? null : await refsOf(ctx);
  return listAnswerableHooks(ctx.builder.database.db, { owners, limit });
}
