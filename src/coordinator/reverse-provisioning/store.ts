/** The result of a reverse provisioning, as its task has it. */
import { sql } from "kysely";
import type { Db } from "../../platform/db/database.ts";

/** The updates that the adapter answered; none where the result is no object. */
export async function readUpdates(db: Db, planId: string): Promise<Record<string, unknown>> {
  const { rows } = await sql<{ result: string | null }>`select result from plan_tasks
    where plan_id = ${planId} and action = 'REVERSE_PROVISION' order by position limit 1`.execute(db);
  try {
    const updates: unknown = JSON.parse(rows[0]?.result ?? "{}");
    return typeof updates === "object" && updates !== null && !Array.isArray(updates) ? { ...updates } : {};
  } catch {
    return {};
  }
}
