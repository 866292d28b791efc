/** A message to a session that waits for an approval is answered at once with what it waits for. */
import { inTransaction, type Database } from "../../../platform/db/database.ts";
import type { RunEvent, RunResult } from "../log/ag-ui.ts";
import { endRun } from "../work-store.ts";
import { listPending } from "./store.ts";
import { shownApproval, waitingEvent, waitingText } from "./waiting.ts";
import { findUnanswered, lockUnanswered, type Unanswered } from "./waiting-store.ts";

/** How many messages one sweep answers. */
const atOnce = 100;

/** Answers one run, or without an id all that there are. */
export async function answerWaitingSessions(
  database: Database,
  { at, runId = null }: { at: Date; runId?: string | null },
): Promise<void> {
  const found = await findUnanswered(database.db, { runId, limit: atOnce });
  for (const each of found) await answer(database, each, at);
}

const unused = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, cost: 0 };

async function answer(database: Database, found: Unanswered, at: Date): Promise<void> {
  await inTransaction(database, async (tx) => {
    const run = await lockUnanswered(tx, found);
    if (run === null) return;
    const approvals = (await listPending(tx, { runId: found.waitingId, at })).map(shownApproval);
    // It has just been decided or has expired: the run goes on, and this one after it.
    if (approvals.length === 0) return;
    const text = `Your message was not worked on, because this conversation waits; send it again afterwards.\n${waitingText(approvals)}`;
    const result: RunResult = {
      message: text,
      title: run.title,
      session_id: run.sessionId,
      request_id: run.requestId,
      limited: false,
      usage: unused,
      approvals,
    };
    const messageId = `${found.id}-1`;
    const events: RunEvent[] = [
      { type: "TEXT_MESSAGE_START", messageId, role: "assistant" },
      { type: "TEXT_MESSAGE_CONTENT", messageId, delta: text },
      { type: "TEXT_MESSAGE_END", messageId },
      { type: "CUSTOM", name: waitingEvent, value: result },
      { type: "RUN_FINISHED", threadId: run.sessionId, runId: found.id, result },
    ];
    await endRun(tx, found.id, {
      status: "completed",
      answer: text,
      errorCode: null,
      limited: false,
      memory: null,
      at,
      events: events.map((event) => JSON.stringify(event)),
      // After the event that it began with.
      firstSeq: 2,
    });
  });
}
