/** What must hold when the database has been away: nothing lost, nothing doubled, nothing out of order. */
import { sql } from "kysely";
import type { JournalEntry } from "../../../src/adapters/mock/journal.ts";
import type { Db } from "../../../src/platform/db/database.ts";
import { readPlans, readTaskRecords } from "../../crash/plan-rows.ts";
import { illegalMoves, storedEvents, unfaithfulRepeats } from "../../engine/record.ts";
import { componentsOfUnit } from "./caller.ts";

export interface Evidence {
  operations: number;
  /** By unit, what its start was answered. */
  tokens: Map<string, string>;
  journal: JournalEntry[];
}

export interface Found {
  calls: number;
  repeats: number;
  takeovers: number;
  violations: string[];
}

export async function checkOperations(db: Db, evidence: Evidence): Promise<Found> {
  const violations: string[] = [];
  const plans = await readPlans(db);
  const tasks = await readTaskRecords(db);
  if (plans.size !== evidence.operations)
    violations.push(`there are ${plans.size} plans for ${evidence.operations} operations`);
  if (evidence.tokens.size !== evidence.operations)
    violations.push(`${evidence.tokens.size} of ${evidence.operations} operations were accepted`);
  for (const [unitId, token] of evidence.tokens) {
    const plan = plans.get(token);
    if (plan?.status !== "COMPLETED" || plan.operation !== "SUCCEEDED")
      violations.push(`${unitId}: its plan is ${plan?.status ?? "lost"}, its operation ${plan?.operation}`);
    if (plan?.deployed !== componentsOfUnit)
      violations.push(`${unitId}: ${plan?.deployed} of ${componentsOfUnit} components are deployed`);
    violations.push(...illegalMoves(await storedEvents(db, token)).map((move) => `${unitId}: ${move}`));
  }
  const starts = evidence.journal.filter(({ operation }) => operation !== "poll");
  violations.push(...unfaithfulRepeats(starts));
  const called = new Set(starts.map(({ idempotencyKey }) => idempotencyKey));
  for (const task of tasks) {
    if (!called.has(task.idempotencyKey)) violations.push(`${task.idempotencyKey} was never called`);
  }
  const { rows } = await sql<{ n: number }>`select coalesce(sum(fence - 1), 0)::int as n
    from execution_plans where fence > 0`.execute(db);
  return {
    calls: starts.length,
    repeats: starts.length - called.size,
    takeovers: rows[0]?.n ?? 0,
    violations,
  };
}
