import { findDueTurns } from "./queue-store.ts";
import type { TurnDeps } from "./turns.ts";

/** Most queued starts that are begun in one round. */
const mostAtOnce = 20;

/**
 * Begins the starts whose turn on their unit has come; the ids of their plans. The planner is loaded when there is the first
 * one: a process that only drives plans starts sooner without it.
 */
export async function startQueued(deps: TurnDeps): Promise<string[]> {
  const due = await findDueTurns(deps.database.kysely, mostAtOnce);
  if (due.length === 0) return [];
  const { takeTurn } = await import("./turns.ts");
  const begun: string[] = [];
  for (const turn of due) {
    const hasBegun = await takeTurn(deps, turn).catch((error: Error) => {
      deps.log.warn({ planId: turn.planId, reason: error.message }, "a queued start cannot be begun yet");
      return false;
    });
    if (hasBegun) begun.push(turn.planId);
  }
  return begun;
}
