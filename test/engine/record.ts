/** What the record of a plan may say, whatever happened to its workers. */
import type { JournalEntry } from "../../src/adapters/mock/journal.ts";
import type { Db } from "../../src/platform/db/database.ts";
import { sql } from "../../src/platform/db/sql.ts";

/** The legal moves, written down here once more on purpose. */
const taskMoves: Record<string, readonly string[]> = {
  WAITING: ["RUNNING", "FAILED", "SKIPPED", "TERMINATED"],
  RUNNING: ["COMPLETED", "FAILED", "TERMINATING", "TERMINATED"],
  TERMINATING: ["COMPLETED", "FAILED", "TERMINATED"],
  COMPLETED: [],
  FAILED: [],
  SKIPPED: [],
  TERMINATED: [],
};

/** A row is written again with these: for a token, a further intent, a further attempt to stop it. */
const repeatedInRows: ReadonlySet<string> = new Set(["RUNNING", "TERMINATING"]);

/** Rows may repeat a status, events never do. */
export const isTaskMove = (from: string, to: string, { inRows }: { inRows: boolean }): boolean =>
  taskMoves[from]?.includes(to) === true || (inRows && from === to && repeatedInRows.has(to));

/** No move leads on from there. */
export const isTaskEnd = (status: string): boolean => taskMoves[status]?.length === 0;

const planMoves: Record<string, readonly string[]> = {
  WAITING: ["RUNNING", "TERMINATING"],
  RUNNING: ["TERMINATING", "COMPLETED", "FAILED", "TERMINATED"],
  // A termination is announced each time it is asked for, and when the plan is claimed with it.
  TERMINATING: ["TERMINATING", "TERMINATED", "COMPLETED"],
  COMPLETED: [],
  FAILED: [],
  TERMINATED: [],
};

export interface EventRecord {
  id: number;
  type: string;
  data: string;
}

/** Every step in a stream that is not a move from the step before, as text; empty when all is well. */
export function illegalMoves(events: readonly EventRecord[]): string[] {
  const tasks = new Map<string, string>();
  const found: string[] = [];
  let plan = "WAITING";
  for (const { type, data } of events) {
    if (type === "log") continue;
    const { id, status } = JSON.parse(data) as { id: string; status: string };
    const from = type === "plan" ? plan : (tasks.get(id) ?? "WAITING");
    const isLegal =
      type === "plan" ? planMoves[from]?.includes(status) : isTaskMove(from, status, { inRows: false });
    if (!isLegal) found.push(`${type} ${id}: ${from} -> ${status}`);
    if (type === "plan") plan = status;
    else tasks.set(id, status);
  }
  return found;
}

/** Keys under which an adapter acted more than once, or was called with different bodies. */
export function unfaithfulRepeats(calls: readonly JournalEntry[]): string[] {
  const found: string[] = [];
  for (const [key, entries] of Map.groupBy(calls, (entry) => entry.idempotencyKey ?? "none")) {
    const acted = entries.filter((entry) => entry.acted).length;
    const bodies = new Set(entries.map((entry) => entry.bodyHash)).size;
    if (acted > 1) found.push(`${key} was acted upon ${acted} times`);
    if (bodies !== 1) found.push(`${key} was sent with ${bodies} bodies`);
    if (entries.some((entry) => entry.otherBody)) found.push(`${key} was repeated with another body`);
  }
  return found;
}

export async function storedEvents(db: Db, planId: string): Promise<EventRecord[]> {
  const { rows } = await sql<EventRecord>`select id, type, data::text as data from events
    where stream = ${`plan:${planId}`} order by id`.execute(db);
  return rows;
}
