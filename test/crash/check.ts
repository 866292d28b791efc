/** Compares the rows, the events, the adapter's journal and the list of kills with each other. */
import type { JournalEntry } from "../../src/adapters/mock/journal.ts";
import type { Db } from "../../src/platform/db/database.ts";
import { judgeCalls, policyAction, type CalledTask, type RepeatedCall } from "../engine/calls.ts";
import { illegalMoves, storedEvents } from "../engine/record.ts";
import type { Kill } from "./kill-loop.ts";
import { tasksOfUnit } from "./layered-unit.ts";
import { readPlans, readTaskRecords, type ClaimRecord } from "./plan-rows.ts";

export interface Verdict {
  violations: string[];
  /** Calls that were made again, each for a task in flight at a kill. */
  repeats: number;
  calls: number;
  transitions: number;
}

export interface Evidence {
  accepted: readonly string[];
  journal: readonly JournalEntry[];
  kills: readonly Kill[];
  /** Of each plan in the order of their fences; needed where workers were killed. */
  claims?: readonly ClaimRecord[];
}

export async function checkPlans(db: Db, evidence: Evidence): Promise<Verdict> {
  const verdict: Verdict = { violations: [], repeats: 0, calls: 0, transitions: 0 };
  await checkEnds(db, evidence, verdict);
  for (const planId of evidence.accepted) {
    const events = await storedEvents(db, planId);
    verdict.transitions += events.filter(({ type }) => type !== "log").length;
    verdict.violations.push(...illegalMoves(events));
  }
  checkCalls(await readTaskRecords(db), evidence, verdict);
  return verdict;
}

async function checkEnds(db: Db, { accepted }: Evidence, { violations }: Verdict): Promise<void> {
  const plans = await readPlans(db);
  const tasks = Map.groupBy(await readTaskRecords(db), (task) => task.planId);
  for (const planId of accepted) {
    const plan = plans.get(planId);
    const all = tasks.get(planId) ?? [];
    const own = all.filter(({ action }) => action !== policyAction);
    const policies = all.filter(({ action, status }) => action === policyAction && status === "COMPLETED");
    // One for each component and one for the unit; none before the first policy was installed.
    const isWhole = policies.length === 0 || policies.length === tasksOfUnit / 2 + 1;
    if (!isWhole || all.length !== own.length + policies.length)
      violations.push(`plan ${planId} has ${policies.length} policy tasks completed`);
    const completed = own.filter((task) => task.status === "COMPLETED").length;
    if (plan?.status !== "COMPLETED" || plan.operation !== "SUCCEEDED")
      violations.push(`plan ${planId} is ${plan?.status ?? "lost"}, its operation ${plan?.operation}`);
    if (own.length !== tasksOfUnit || completed !== tasksOfUnit)
      violations.push(`plan ${planId} has ${completed} of ${own.length} tasks completed`);
    if (plan?.deployed !== tasksOfUnit / 2)
      violations.push(`plan ${planId} left ${plan?.deployed} components deployed`);
  }
  if (plans.size !== accepted.length)
    violations.push(`there are ${plans.size} plans, ${accepted.length} were accepted`);
}

function checkCalls(tasks: CalledTask[], { journal, kills, claims = [] }: Evidence, verdict: Verdict): void {
  const claimsOf = Map.groupBy(claims, ({ planId }) => planId);
  const { calls, repeats, violations } = judgeCalls({
    tasks,
    journal,
    isExplained: (repeat) => wasInFlight(kills, claimsOf.get(repeat.planId) ?? [], repeat),
    mayBeLate: () => false,
  });
  Object.assign(verdict, { calls, repeats });
  verdict.violations.push(...violations);
}

/** The adapter may note a call a moment after the process that made it is gone. */
const noteDelayMs = 1_000;

/** Between the two calls the worker that drove the plan was killed. */
function wasInFlight(
  kills: readonly Kill[],
  claims: readonly ClaimRecord[],
  { planId, first, again }: RepeatedCall,
): boolean {
  return kills.some(({ from, to, driven }) => {
    const fence = driven.get(planId);
    if (fence === undefined) return false;
    // However late a call is noted: before the next worker claims the plan it can only be the killed one's.
    const claimedAt = claims.find((claim) => claim.fence > fence)?.at.getTime() ?? to;
    const isOfKilled = Date.parse(first.time) <= Math.max(to + noteDelayMs, claimedAt);
    return isOfKilled && from <= Date.parse(again.time);
  });
}
