/** How soon work continues after a kill: compares the adapter's journal with the claims in the database. */
import type { JournalEntry } from "../../src/adapters/mock/journal.ts";
import type { Db } from "../../src/platform/db/database.ts";
import type { Kill, LoopWorker } from "./kill-loop.ts";
import { readClaims, readTaskRecords } from "./plan-rows.ts";

/** In ms, sorted; one for each plan that lost its worker. */
export interface FirstCalls {
  /** By a worker that was running at the kill: since the kill. */
  byLivingMs: number[];
  /** By a worker that had to be started: since the start of its process, and since it was ready. */
  byStartedMs: number[];
  /** The same while workers were killed in quick succession, each in the other's start. */
  byStartedQuickMs: number[];
  byUpMs: number[];
}

export interface CallEvidence {
  journal: readonly JournalEntry[];
  kills: readonly Kill[];
  workers: readonly LoopWorker[];
}

export async function findFirstCalls(db: Db, evidence: CallEvidence): Promise<FirstCalls> {
  const found: FirstCalls = { byLivingMs: [], byStartedMs: [], byStartedQuickMs: [], byUpMs: [] };
  const claims = Map.groupBy(await readClaims(db), ({ planId }) => planId);
  const calls = await callsOfPlans(db, evidence.journal);
  const workers = new Map(evidence.workers.map((worker) => [worker.role, worker]));
  for (const { from, to, driven, isQuick } of evidence.kills) {
    for (const [planId, fence] of driven) {
      // The claim under which work went on: one whose worker was killed before its first call did not do that.
      const later = (claims.get(planId) ?? []).filter((claim) => claim.fence > fence);
      const firstClaim = later[0];
      const call = firstClaim && calls.get(planId)?.find((at) => at >= firstClaim.at.getTime());
      if (call === undefined) continue;
      const worker = workers.get(later.findLast(({ at }) => at.getTime() <= call)?.role ?? "");
      if (!worker || worker.bootMs === null) continue;
      const upAt = worker.startedAt + worker.bootMs;
      if (upAt <= from) found.byLivingMs.push(call - to);
      else {
        const list = isQuick ? found.byStartedQuickMs : found.byStartedMs;
        list.push(call - Math.max(worker.startedAt, to));
        found.byUpMs.push(Math.round(call - Math.max(upAt, to)));
      }
    }
  }
  for (const list of Object.values(found) as number[][]) list.sort((a, b) => a - b);
  return found;
}

/** The times of all calls, polls too, by plan and in order. */
async function callsOfPlans(db: Db, journal: readonly JournalEntry[]): Promise<Map<string, number[]>> {
  const plans = new Map((await readTaskRecords(db)).map((task) => [task.idempotencyKey, task.planId]));
  const calls = new Map<string, number[]>();
  for (const { idempotencyKey, time } of journal) {
    const planId = plans.get(idempotencyKey ?? "");
    if (planId === undefined) continue;
    const times = calls.get(planId) ?? [];
    times.push(Date.parse(time));
    calls.set(planId, times);
  }
  return calls;
}
