import type { HookContext } from "./handlers.ts";
import { refsOf, seesAll } from "./people.ts";
import { listAnswerableHooks, type HookRow } from "./store.ts";

/**
 * Pending hooks that the caller may answer, the oldest first. Operators may answer every hook, others the
 * notifications about what they own.
 */
export async function listHooksToAnswer(ctx: HookContext, limit: number): Promise<HookRow[]> {
  const owners = seesAll(ctx.actor) ? null : await refsOf(ctx);
  return listAnswerableHooks(ctx.builder.database.kysely, { owners, limit });
}
