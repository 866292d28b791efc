/** Ends a run without a complete answer: it was cancelled, it failed, or its process is gone. Partial text is stored as answer. */
import type { Db } from "../../platform/db/database.ts";
import { partialAnswer, type RunEvent } from "./log/ag-ui.ts";
import { readAllRunEvents } from "./log/event-store.ts";
import { endRun, type RunEnd } from "./work-store.ts";

export interface IncompleteEnd {
  status: Exclude<RunEnd["status"], "completed">;
  code: string;
  message: string;
  at: Date;
}

/** The run's row must be locked by the transaction. Returns the added events. */
export async function closeRun(db: Db, runId: string, end: IncompleteEnd): Promise<string[]> {
  const events = await readAllRunEvents(db, runId);
  const last: RunEvent = { type: "RUN_ERROR", message: end.message, code: end.code };
  const added = [JSON.stringify(last)];
  const { status, code: errorCode, at } = end;
  const log = { events: added, firstSeq: events.length + 1 };
  await endRun(db, runId, { status, answer: partialAnswer(events), errorCode, limited: false, at, ...log });
  return added;
}

/** Reason of an abort: another worker has the run, or it was cancelled or deleted. */
export const runLost = new Error("the run belongs to somebody else");
/** Reason of an abort: the process stops and the grace time is over. */
export const processStopping = new Error("the process stops");
