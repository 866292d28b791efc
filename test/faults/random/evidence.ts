/** Reads what is left of a run from the rows and from the adapter's journal. */
import { readFile } from "node:fs/promises";
import type { JournalEntry } from "../../../src/adapters/mock/journal.ts";
import type { Db } from "../../../src/platform/db/database.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { readPlans, readTaskRecords, type PlanRecord as PlanRow } from "../../crash/plan-rows.ts";
import type { CalledTask } from "../../engine/calls.ts";
import { illegalMoves, storedEvents } from "../../engine/record.ts";

export interface Evidence {
  plans: Map<string, PlanRow>;
  tasks: CalledTask[];
  journal: JournalEntry[];
  /** By component id. */
  components: Map<string, string>;
  /** The ids of each plan's events. */
  events: Map<string, number[]>;
  illegalMoves: string[];
  /** Claims of a plan after its first. */
  takeovers: number;
}

export async function readEvidence(db: Db, journalFile: string): Promise<Evidence> {
  const plans = await readPlans(db);
  const events = new Map<string, number[]>();
  const illegal: string[] = [];
  for (const planId of plans.keys()) {
    const stored = await storedEvents(db, planId);
    events.set(
      planId,
      stored.map(({ id }) => id),
    );
    illegal.push(...illegalMoves(stored).map((move) => `plan ${planId}: ${move}`));
  }
  const components = await sql<{ id: string; status: string }>`select component_id as id, status
    from unit_components`.execute(db);
  const claims = await sql<{ n: number }>`select coalesce(sum(fence - 1), 0)::int as n
    from execution_plans where fence > 0`.execute(db);
  const lines = (await readFile(journalFile, "utf8")).split("\n").filter(Boolean);
  return {
    plans,
    tasks: await readTaskRecords(db),
    journal: lines.map((line) => JSON.parse(line) as JournalEntry),
    components: new Map(components.rows.map(({ id, status }) => [id, status])),
    events,
    illegalMoves: illegal,
    takeovers: claims.rows[0]?.n ?? 0,
  };
}

export interface OpenPlan {
  id: string;
  unitId: string;
  status: string;
}

export async function readOpenPlans(db: Db): Promise<OpenPlan[]> {
  const { rows } = await sql<OpenPlan>`select id, unit_id as "unitId", status from execution_plans
    where status in ('WAITING', 'RUNNING', 'TERMINATING') order by id`.execute(db);
  return rows;
}
