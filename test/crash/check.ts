/** Holds the rows, the events, the adapter's journal and the list of kills against each other. */
import type { JournalEntry } from "../../src/adapters/mock/journal.ts";
import type { Db } from "../../src/platform/db/database.ts";
import { illegalMoves, storedEvents, unfaithfulRepeats } from "../engine/record.ts";
import type { Kill } from "./kill-loop.ts";
import { tasksOfUnit } from "./layered-unit.ts";
import { readPlans, readTaskRecords, type TaskRecord } from "./plan-rows.ts";

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
    const own = tasks.get(planId) ?? [];
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

function checkCalls(tasks: TaskRecord[], { journal, kills }: Evidence, verdict: Verdict): void {
  const starts = journal.filter(({ operation }) => operation !== "poll" && operation !== "terminate");
  const polls = new Map<string, number>();
  for (const { operation, token, sequence } of journal) {
    if (operation === "poll" && token !== null && !polls.has(token)) polls.set(token, sequence);
  }
  verdict.calls = starts.length;
  verdict.violations.push(...unfaithfulRepeats(starts));
  const byKey = Map.groupBy(starts, (entry) => entry.idempotencyKey ?? "none");
  for (const task of tasks) {
    const calls = byKey.get(task.idempotencyKey) ?? [];
    byKey.delete(task.idempotencyKey);
    if (calls.length === 0) verdict.violations.push(`${task.idempotencyKey} was never called`);
    if (calls.length > task.attempts)
      verdict.violations.push(`${task.idempotencyKey}: ${calls.length} calls, ${task.attempts} intents`);
    for (const [index, call] of calls.entries()) {
      const first = calls[index - 1];
      if (!first) continue;
      verdict.repeats++;
      if (!wasInFlight(kills, { planId: task.planId, first, again: call }))
        verdict.violations.push(`${task.idempotencyKey} was repeated without a kill`);
      if (call.token !== null && (polls.get(call.token) ?? Infinity) < call.sequence)
        verdict.violations.push(`${task.idempotencyKey} was started again although its token was polled`);
    }
  }
  for (const key of byKey.keys()) verdict.violations.push(`${key} belongs to no task`);
}

/** The adapter may note a call a moment after the process that made it is gone. */
const noteDelayMs = 1_000;

/** Between the two calls the worker that drove the plan was killed. */
function wasInFlight(
  kills: readonly Kill[],
  { planId, first, again }: { planId: string; first: JournalEntry; again: JournalEntry },
): boolean {
  return kills.some(
    ({ from, to, drove }) =>
      drove.has(planId) && from <= Date.parse(again.time) && Date.parse(first.time) <= to + noteDelayMs,
  );
}
