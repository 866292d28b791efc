/** The hooks that wait for an answer of the caller. */
import type { HookContext } from "./handlers.ts";
import { refsOf, seesAll } from "./people.ts";
import { listAnswerableHooks, type HookRow } from "./store.ts";

/** The oldest first. Operators may answer every hook, others notifications about what they own. */
export async function listHooksToAnswer(ctx: HookContext, limit: number): Promise<HookRow[]> {
  const owners = seesAll(ctx.actor) ? null : await refsOf(ctx);
  return listAnswerableHooks(ctx.builder.database.kysely, { owners, limit });
}
