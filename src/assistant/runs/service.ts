/** Follows, shows and cancels runs. */
import type { Static } from "typebox";
import { authFailure } from "../../platform/auth/errors.ts";
import { inTransaction, type Db } from "../../platform/db/database.ts";
import { internalFailure } from "../../platform/http/errors.ts";
import { isUuid } from "../../platform/lib/ids.ts";
import { writeAudit, type AssistantContext } from "../context.ts";
import { assistantErrors, assistantFailure, type AssistantCode } from "../error-codes.ts";
import { bodyProblem } from "../body-problems.ts";
import { listApprovals, type ApprovalRow } from "./approvals/store.ts";
import { argumentSchemas } from "../tools/argument-schemas.ts";
import { openingEvents } from "./approvals/continuation.ts";
import { untilWaiting } from "./approvals/follow-waiting.ts";
import { closeRun } from "./close-run.ts";
import { eventsInstead, isTerminal, type LoggedEvent, type RunResult } from "./log/ag-ui.ts";
import { findEndedWithoutLog, lastSeqOf } from "./log/event-store.ts";
import { readForStream } from "./log/follow.ts";
import { notifyStop } from "./log/notice-store.ts";
import { findRun, lockRun, readQueue, type RunHead, sumUsage, type UsageFilter } from "./run-store.ts";
import type { usageQuery } from "./schema.ts";
import type { StartedRun } from "./start-run.ts";
import type { RunStatus } from "./loop/run-state.ts";
import { titleAgent } from "./loop/summaries.ts";

/** Follows a run of the caller's from its first event on, or from where a decision has continued it. */
export async function* followTask(
  { assistant, signal }: AssistantContext,
  started: StartedRun,
): AsyncGenerator<LoggedEvent[]> {
  const { runId, firstEvent, continued } = started;
  const { db } = assistant.database;
  const find = () => findEndedWithoutLog(db, { runId, titleAgent });
  const ended = firstEvent === undefined ? await readForStream(find, signal) : null;
  if (ended !== null) {
    yield eventsInstead(ended);
    return;
  }
  if (continued !== undefined) yield openingEvents(started, continued);
  yield* assistant.runLog.tail(runId, { after: continued?.after ?? 0, firstEvent, signal });
}

/** The same for clients that don't stay while it waits for an approval: ends with what it waits for. */
export const followUntilWaiting = (
  ctx: AssistantContext,
  started: StartedRun,
  { isSaid }: { isSaid: boolean },
): AsyncGenerator<LoggedEvent[]> => {
  const { runId, sessionId } = started;
  const options = { runId, sessionId, isSaid, signal: ctx.signal };
  return untilWaiting(ctx.assistant.database.db, followTask(ctx, started), options);
};

/** Waits for the result of a run, or for what it waits for; throws a Failure with the run's code when it has failed. */
export async function awaitTask(ctx: AssistantContext, started: StartedRun): Promise<RunResult> {
  for await (const events of followUntilWaiting(ctx, started, { isSaid: false })) {
    const last = events.at(-1);
    if (last === undefined || !isTerminal(last)) continue;
    const end = JSON.parse(last.data) as { result?: RunResult; message?: string; code?: string };
    if (end.result) return end.result;
    throw failureOf(end.code ?? "", end.message ?? "");
  }
  // The client has gone or the server stops; the run continues and is found again by its request id.
  throw assistantFailure("run_interrupted", { message: "The connection ended before the run did." });
}

function failureOf(code: string, message: string): Error {
  if (!Object.hasOwn(assistantErrors, code)) return internalFailure(new Error(message));
  const known = code as AssistantCode;
  const problems = assistantErrors[known].status === 422 ? [bodyProblem(["message"], message, null)] : [];
  return assistantFailure(known, { message, problems });
}

const unknownRun = (): Error =>
  assistantFailure("ASSISTANT_UNKNOWN_RUN", { message: "There is no such run." });

async function mustFindRun(ctx: AssistantContext, id: string): Promise<RunHead> {
  const run = isUuid(id) ? await findRun(ctx.assistant.database.db, ctx.actor.ref, id) : null;
  if (run === null) throw unknownRun();
  return run;
}

const liveStatuses: ReadonlySet<RunStatus> = new Set(["queued", "running", "waiting"]);

/** Events after a number; null when the run has ended and the caller has its last one. */
export async function resumeRun(
  ctx: AssistantContext,
  id: string,
  after: number,
): Promise<AsyncGenerator<LoggedEvent[]> | null> {
  const run = await mustFindRun(ctx, id);
  const { database, runLog } = ctx.assistant;
  if (!liveStatuses.has(run.status) && (await lastSeqOf(database.db, run.id)) <= after) return null;
  return runLog.tail(run.id, { after, signal: ctx.signal });
}

export interface ShownRun {
  id: string;
  session_id: string;
  request_id: string;
  status: RunStatus;
  waiting: string | null;
  approvals: (ApprovalRow & { arguments_schema?: object | null })[];
}

export async function getRun(ctx: AssistantContext, id: string): Promise<ShownRun> {
  const run = await mustFindRun(ctx, id);
  const rows = await listApprovals(ctx.assistant.database.db, run.id);
  const schemaOf = await argumentSchemas(
    ctx,
    rows.filter(({ status }) => status === "pending"),
  );
  const approvals = rows.map((row) =>
    row.status === "pending" ? { ...row, arguments_schema: schemaOf(row) } : row,
  );
  return {
    id: run.id,
    session_id: run.sessionId,
    request_id: run.requestId,
    status: run.status,
    waiting: await waitingReason(ctx, run),
    approvals,
  };
}

async function waitingReason(ctx: AssistantContext, { id, status }: RunHead): Promise<string | null> {
  if (status === "waiting") return "It waits for you to allow or refuse a tool call.";
  if (status !== "queued") return null;
  const { earlier, atWork } = await readQueue(ctx.assistant.database.db, id);
  if (earlier > 0) return "It waits for its turn: an earlier run of its session has not ended.";
  return atWork === 0
    ? "It waits for a free place, before the runs of those who have some at work."
    : `It waits for a free place: ${atWork} of your runs are at work, and runs of those who have fewer go first.`;
}

/** Ends a run at once; its worker is notified and can't write any more. */
export async function cancelRun(ctx: AssistantContext, id: string): Promise<void> {
  const { database } = ctx.assistant;
  await inTransaction(database, async (tx) => {
    const run = isUuid(id) ? await lockRun(tx, ctx.actor.ref, id) : null;
    if (run === null) throw unknownRun();
    if (run.status === "cancelled") return;
    if (!liveStatuses.has(run.status)) {
      throw assistantFailure("ASSISTANT_RUN_ENDED", { message: `The run has ended: ${run.status}.` });
    }
    await endCancelled(tx, ctx, run.id, "The run was cancelled.");
  });
}

async function endCancelled(tx: Db, ctx: AssistantContext, id: string, message: string): Promise<void> {
  await closeRun(tx, id, { status: "cancelled", code: "run_cancelled", message, at: ctx.now() });
  await notifyStop(tx, id);
  await writeAudit(tx, ctx, { operation: "cancelRun", subject: `run:${id}` });
}

/** Cancels a run whose client has gone, where that is how its protocol stops one. A run that waits for its user stays. */
export async function leaveRun(ctx: AssistantContext, id: string): Promise<void> {
  await inTransaction(ctx.assistant.database, async (tx) => {
    const run = await lockRun(tx, ctx.actor.ref, id);
    if (run === null || !run.stopsWithClient || !atWork.has(run.status)) return;
    await endCancelled(tx, ctx, run.id, "The client has disconnected.");
  });
}

const atWork: ReadonlySet<RunStatus> = new Set(["queued", "running"]);

const seeAll = new Set(["operator", "admin", "service"]);

export async function getUsage(ctx: AssistantContext, query: Static<typeof usageQuery>) {
  const { limit, offset, by, from, until } = query;
  const isAll = query.owner === "all";
  if (isAll && !ctx.actor.roles.some((role) => seeAll.has(role))) {
    throw authFailure("PLATFORM_FORBIDDEN", `owner=all needs one of these roles: ${[...seeAll].join(", ")}.`);
  }
  const filter: UsageFilter = { by, from, until, limit, offset, owner: isAll ? undefined : ctx.actor.ref };
  const { rows, groups, total } = await sumUsage(ctx.assistant.database.db, filter);
  return { data: rows, meta: { pagination: { total: groups, limit, offset }, total } };
}
