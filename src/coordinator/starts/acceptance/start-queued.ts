import { isDatabaseAway } from "../../../platform/db/failures.ts";
import type { Policies } from "../../ports.ts";
import type { UnitKey } from "../../units/store.ts";
import { findDueStarts, type QueuedStart } from "./queue-store.ts";
import { releaseHeld } from "./release-held.ts";
import type { QueuedStartDeps } from "./queued-start.ts";

/** Maximum number of queued starts that are tried in one round. */
const maxAtOnce = 20;

const releaseEveryMs = 1_000;

/**
 * The work of one round: plans whose environment has opened, and starts whose turn has come; their ids. The signal ends the
 * round before the next start.
 */
export function createQueuedStarts(deps: QueuedStartDeps): (signal?: AbortSignal) => Promise<string[]> {
  let releasedAt = 0;
  // Starts that can't begin now must not keep back those of other units: each round goes on where the last one ended.
  let after: UnitKey | null = null;
  return async (signal) => {
    const at = deps.now().getTime();
    const isDue = Math.abs(at - releasedAt) >= releaseEveryMs;
    if (isDue) releasedAt = at;
    const released = isDue ? await releaseHeld(deps) : [];
    const due = await findDueStarts(deps.database.db, { after, limit: maxAtOnce });
    const { begun, last } = await startQueued(deps, due, signal);
    after = last;
    return [...released, ...begun];
  };
}

/**
 * Begins the starts whose turn on their unit has come; the ids of their plans, and the last start that was tried. The planner
 * is loaded when there is the first one: a process that only drives plans starts sooner without it.
 */
async function startQueued(
  deps: QueuedStartDeps,
  due: readonly QueuedStart[],
  signal: AbortSignal | undefined,
): Promise<{ begun: string[]; last: QueuedStart | null }> {
  if (due.length === 0) return { begun: [], last: null };
  const { beginQueuedStart } = await import("./queued-start.ts");
  const ofRound = { ...deps, policies: deps.policies && askedOnceSilent(deps.policies) };
  const begun: string[] = [];
  let last: QueuedStart | null = null;
  for (const queued of due) {
    if (signal?.aborted) break;
    last = queued;
    try {
      if (await beginQueuedStart(ofRound, queued)) begun.push(queued.planId);
    } catch (error) {
      const { message: reason } = error as Error;
      deps.log.warn({ planId: queued.planId, reason }, "a queued start cannot be begun yet");
      // The others would wait as long for it.
      if (isDatabaseAway(error)) break;
    }
  }
  return { begun, last };
}

/**
 * Governance that could not say what applies in an environment is asked by no further start of the round there: each would
 * wait as long for it.
 */
export function askedOnceSilent(policies: Policies): Policies {
  const silent = new Map<string, { error: unknown }>();
  return {
    ...policies,
    async fingerprint(ctx, environment) {
      const silence = silent.get(environment);
      if (silence !== undefined) throw silence.error;
      try {
        return await policies.fingerprint(ctx, environment);
      } catch (error) {
        silent.set(environment, { error });
        throw error;
      }
    },
  };
}
