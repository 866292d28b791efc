/**
 * How a run stops: with its answer, while it waits for its user, or without a complete answer, because it was cancelled, it failed
 * or its process is gone. Partial text is stored as answer.
 */
import { type Db, type Database, inTransaction } from "../../platform/db/database.ts";
import { isIncomplete, partialAnswer, type RunEvent, type RunResult } from "./log/ag-ui.ts";
import { readAllRunEvents, appendRunEvents } from "./log/event-store.ts";
import {
  endRun,
  type RunEnd,
  finishRun,
  readTitle,
  lockClaimedRun,
  insertUses,
  saveState,
} from "./work-store.ts";
import { readRemains } from "./run-store.ts";
import { writeMessage } from "./loop/agent-loop.ts";
import { rememberRun } from "./loop/memory.ts";
import type { RunContext } from "./loop/run-context.ts";
import type { SessionTitle, Frame } from "./loop/run-state.ts";
import type { Approval, ReadDecision } from "./approvals/approval.ts";
import { insertApprovals, listPending, readDecisions } from "./approvals/store.ts";
import { shownApproval, waitingEvent, waitingText } from "./approvals/waiting.ts";
import { notifyWorkers } from "./log/notice-store.ts";

export interface IncompleteEnd {
  status: Exclude<RunEnd["status"], "completed">;
  code: string;
  message: string;
  at: Date;
}

export const interrupted = (at: Date): IncompleteEnd => ({
  status: "interrupted",
  code: "run_interrupted",
  message: "The process that answered has stopped. What it had written is kept; ask again to go on.",
  at,
});

/** Of a run whose turn can't be repeated, because a tool may have acted in it. */
export const interruptedByDatabase = (at: Date): IncompleteEnd => ({
  ...interrupted(at),
  message:
    "The database was away while a tool was acting, so what it has done is not recorded. What had been written is kept; ask again to go on.",
});

export const notConfigured = (at: Date): IncompleteEnd => ({
  status: "failed",
  code: "model_not_configured",
  message: "No model is configured any more.",
  at,
});

/** The run's row must be locked by the transaction. Returns the added events. */
export async function closeRun(db: Db, runId: string, end: IncompleteEnd): Promise<string[]> {
  const events = await readAllRunEvents(db, runId);
  const last: RunEvent = { type: "RUN_ERROR", message: end.message, code: end.code };
  const added = [JSON.stringify(last)];
  const { status, code: errorCode, at } = end;
  const log = { events: added, firstSeq: events.length + 1 };
  const memory = rememberRun(await readRemains(db, runId), events);
  const answer = partialAnswer(events);
  await endRun(db, runId, { status, answer, errorCode, limited: false, memory, at, ...log });
  return added;
}

/** Reason of an abort: another worker has the run, or it was cancelled or deleted. */
export const runLost = new Error("the run belongs to somebody else");
/** Reason of an abort: the process stops and the grace time is over. */
export const processStopping = new Error("the process stops");

/** The answer of a run that ended without text: names the limit, in the event stream as well. */
export function answerInstead(context: RunContext, limited: string | null): string {
  const { state } = context;
  const text =
    state.best !== ""
      ? state.best
      : limited === null
        ? "The model gave no answer."
        : `I stopped at a limit of this run (${limited}) before I had an answer.`;
  if (state.best === "") writeMessage(context, text);
  return text;
}

interface Deps {
  database: Database;
  now: () => Date;
}

interface Completed {
  answer: string;
  /** The title for a session that has none. */
  title: string | null;
  isLimited: boolean;
}

export async function completeRun(
  { database, now }: Deps,
  context: RunContext,
  { answer, title, isLimited }: Completed,
): Promise<void> {
  const { run, writer, uses } = context;
  const { db } = database;
  await writer.flush();
  const firstSeq = writer.nextSeq();
  for (let before = run.titled; ;) {
    const after: SessionTitle =
      title !== null && before.by === "nobody" ? { title, by: "assistant" } : before;
    const events = lastEvents(context, { answer, isLimited, title: after.title, isTitled: title !== null });
    const status = "completed" as const;
    const memory = rememberRun({ state: context.state, acting: null });
    const limited = isIncomplete({ limited: isLimited, truncated: context.state.truncated === true });
    const end = { status, answer, errorCode: null, limited, memory, at: now(), events, firstSeq };
    if (await finishRun(db, run, { end, uses, titled: before, title: after })) {
      uses.length = 0;
      return writer.committed(events);
    }
    // Its owner has named the session in the meantime, or the run is lost.
    const renamed = await readTitle(db, { runId: run.id, fence: run.fence });
    if (renamed === null) throw runLost;
    before = renamed;
  }
}

function lastEvents(
  { run, state }: RunContext,
  {
    answer,
    isLimited,
    title,
    isTitled,
  }: { answer: string; isLimited: boolean; title: string; isTitled: boolean },
): string[] {
  const result: RunResult = {
    message: answer,
    title,
    session_id: run.sessionId,
    request_id: run.requestId,
    limited: isLimited,
    truncated: state.truncated === true,
    usage: state.used,
  };
  const last: RunEvent[] = [
    ...(isTitled ? [{ type: "CUSTOM" as const, name: "title", value: { title } }] : []),
    { type: "RUN_FINISHED", threadId: run.sessionId, runId: run.id, result },
  ];
  return last.map((event) => JSON.stringify(event));
}

// Suspends a run until its user has allowed or refused tool calls.

const hourMs = 60 * 60_000;

/** Stores the new approvals and releases the run until one is decided. */
export async function waitForUser(
  { database, now }: { database: Database; now: () => Date },
  context: RunContext,
): Promise<void> {
  const { run, state, writer, newApprovals, uses, settings } = context;
  const at = now();
  const expiresAt = new Date(at.getTime() + settings.approvals.expireHours * hourMs);
  context.countTime();
  await writer.flush();
  const firstSeq = writer.nextSeq();
  const required = newApprovals.map((approval) => JSON.stringify(approvalEvent(approval, expiresAt)));
  const events = await inTransaction(database, async (tx) => {
    const claim = { runId: run.id, fence: run.fence };
    if (!(await lockClaimedRun(tx, claim))) throw runLost;
    if (required.length > 0) await insertApprovals(tx, run.id, { approvals: newApprovals, at, expiresAt });
    // A decision that came during other calls is used at once.
    const isDecided = hasDecided(state.root, await readDecisions(tx, run.id));
    const added = isDecided ? required : [...required, await waitingOf(tx, context, at)];
    if (added.length > 0) await appendRunEvents(tx, run.id, firstSeq, added);
    const status = isDecided ? "queued" : "waiting";
    await saveState(tx, claim, { state, seq: firstSeq + added.length - 1, status });
    await insertUses(tx, run, uses);
    if (isDecided) await notifyWorkers(tx);
    return added;
  });
  uses.length = 0;
  writer.committed(events);
}

/** The event that says what a run waits for; readers of protocols without approvals end with it. */
async function waitingOf(tx: Db, { run, state }: RunContext, at: Date): Promise<string> {
  const approvals = (await listPending(tx, { runId: run.id, at })).map(shownApproval);
  const value: RunResult = {
    message: waitingText(approvals),
    title: run.titled.title,
    session_id: run.sessionId,
    request_id: run.requestId,
    limited: false,
    usage: state.used,
    approvals,
  };
  return JSON.stringify({ type: "CUSTOM", name: waitingEvent, value } satisfies RunEvent);
}

const approvalEvent = (approval: Approval, expiresAt: Date): RunEvent => ({
  type: "CUSTOM",
  name: "approval_required",
  value: {
    approval_id: approval.id,
    tool_call_id: approval.callId,
    agents: approval.agents,
    server: approval.server,
    tool: approval.tool,
    arguments: approval.arguments,
    expires_at: expiresAt.toISOString(),
  },
});

/** Whether the approval of a waiting call in this frame, or in one below it, is decided. */
function hasDecided(frame: Frame, decisions: ReadonlyMap<string, ReadDecision>): boolean {
  return frame.calls.some(({ result, approvalId, child }) => {
    if (result !== null) return false;
    if (child !== null && hasDecided(child, decisions)) return true;
    return approvalId !== null && (decisions.get(approvalId)?.status ?? "pending") !== "pending";
  });
}
