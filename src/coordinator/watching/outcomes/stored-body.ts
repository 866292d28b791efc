/** The body of a task's call, made again from the rows of its plan: the bytes that the plan has sent. */
import type { Database } from "../../../platform/db/database.ts";
import { createPlanRows, readPlanRow } from "../../execution/store.ts";
import { bodyOf } from "../../execution/tasks/task.ts";
import { createBodyBuilder } from "../../execution/tasks/request-body.ts";
import { retiredOf } from "../../execution/run.ts";

/** Null where the plan is not there any more. */
export async function storedBody(
  database: Database,
  { planId, taskId }: { planId: string; taskId: string },
): Promise<Buffer[] | null> {
  const plan = await readPlanRow(database.db, planId);
  if (plan === null) return null;
  const rows = await createPlanRows(database).loadTasks(planId, plan.environment);
  const tasks = new Map(rows.map((row) => [row.taskId, row]));
  const task = tasks.get(taskId);
  if (task === undefined) return null;
  const bodies = createBodyBuilder(plan.request, retiredOf(plan, rows));
  // What the task itself and its successors returned is in no body of it.
  return bodyOf({ plan, bodies, tasks }, task);
}
