import type { UnitKey } from "../../units/store.ts";
import { findDueStarts, type QueuedStart } from "./queue-store.ts";
import { releaseHeld } from "./release-held.ts";
import type { QueuedStartDeps } from "./queued-start.ts";

/** Maximum number of queued starts that are tried in one round. */
const maxAtOnce = 20;

const releaseEveryMs = 1_000;

/** The work of one round: plans whose environment has opened, and starts whose turn has come; their ids. */
export function createQueuedStarts(deps: QueuedStartDeps): () => Promise<string[]> {
  let releasedAt = 0;
  // Starts that can't begin now must not keep back those of other units: each round goes on where the last one ended.
  let after: UnitKey | null = null;
  return async () => {
    const at = deps.now().getTime();
    const isDue = Math.abs(at - releasedAt) >= releaseEveryMs;
    if (isDue) releasedAt = at;
    const released = isDue ? await releaseHeld(deps) : [];
    const due = await findDueStarts(deps.database.db, { after, limit: maxAtOnce });
    after = due.at(-1) ?? null;
    return [...released, ...(await startQueued(deps, due))];
  };
}

/**
 * Begins the starts whose turn on their unit has come; the ids of their plans. The planner is loaded when there is the first
 * one: a process that only drives plans starts sooner without it.
 */
async function startQueued(deps: QueuedStartDeps, due: readonly QueuedStart[]): Promise<string[]> {
  if (due.length === 0) return [];
  const { beginQueuedStart } = await import("./queued-start.ts");
  const begun: string[] = [];
  for (const queued of due) {
    const hasBegun = await beginQueuedStart(deps, queued).catch((error: Error) => {
      deps.log.warn({ planId: queued.planId, reason: error.message }, "a queued start cannot be begun yet");
      return false;
    });
    if (hasBegun) begun.push(queued.planId);
  }
  return begun;
}
