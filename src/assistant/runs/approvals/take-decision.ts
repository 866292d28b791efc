/** Decisions that come as messages of clients without a call for them: the answer is then that of the continued run. */
import { inTransaction } from "../../../platform/db/database.ts";
import { storable } from "../../../platform/lib/safe-json.ts";
import type { AssistantContext } from "../../context.ts";
import { readAllRunEvents } from "../log/event-store.ts";
import { plainAnswer } from "./approval.ts";
import { continuationOf, type Continuation } from "./continuation.ts";
import { approvalsOf, decideOne, unknownApproval } from "./service.ts";
import { longestReason } from "./schema.ts";
import { listPending, type StoredApproval } from "./store.ts";
import { isShownWhole, saidDecision, type SaidDecision } from "./waiting.ts";
import { findDecidedBy, findWaitingRun } from "./waiting-store.ts";

/** The run that a decision continues, as a started one. */
export interface ContinuedRun {
  runId: string;
  sessionId: string;
  requestId: string;
  continued: Continuation;
}

export interface GivenDecision extends SaidDecision {
  approvalId: string;
}

/** Takes decisions on approvals of the caller; all of them must exist. */
export async function takeDecisions(
  ctx: AssistantContext,
  given: readonly GivenDecision[],
  requestId: string | null = null,
): Promise<ContinuedRun> {
  const approvals = await approvalsOf(
    ctx,
    given.map(({ approvalId }) => approvalId),
  );
  const byId = new Map(approvals.map((approval) => [approval.id, approval]));
  const found = given.map((decision) => ({ decision, approval: byId.get(decision.approvalId) }));
  await inTransaction(ctx.assistant.database, async (tx) => {
    for (const { decision, approval } of found) {
      if (approval === undefined) throw unknownApproval();
      const reason = decision.reason === null ? null : storable(decision.reason).slice(0, longestReason);
      await decideOne(tx, ctx, { approval, answer: plainAnswer(decision.isApproved, reason), requestId });
    }
  });
  return continuedRun(ctx, approvals);
}

async function continuedRun(
  ctx: AssistantContext,
  approvals: readonly StoredApproval[],
): Promise<ContinuedRun> {
  const [first] = approvals;
  if (first === undefined) throw unknownApproval();
  const { runId, sessionId, requestId } = first;
  const events = await readAllRunEvents(ctx.assistant.database.db, runId);
  const continued = continuationOf(events, new Set(approvals.map(({ id }) => id)));
  return { runId, sessionId, requestId, continued };
}

/** The pending ones of these approvals whose arguments no text has shown to their user; a text can't approve them. */
export async function findUnshown(ctx: AssistantContext, ids: readonly string[]): Promise<StoredApproval[]> {
  const approvals = await approvalsOf(ctx, ids);
  return approvals.filter((approval) => approval.status === "pending" && !isShownWhole(approval));
}

/**
 * Decides all that the session waits for, when the message is exactly a decision and does not approve what no text has shown; otherwise
 * null.
 */
export async function decideBySession(
  ctx: AssistantContext,
  { sessionId, message, requestId }: { sessionId: string; message: string; requestId: string | null },
): Promise<ContinuedRun | null> {
  const said = saidDecision(message);
  if (said === null) return null;
  const { db } = ctx.assistant.database;
  const runId = await findWaitingRun(db, ctx.actor.ref, sessionId);
  const pending = runId === null ? [] : await listPending(db, { runId, at: ctx.now() });
  if (pending.length === 0 || (said.isApproved && !pending.every(isShownWhole))) return null;
  const given = pending.map(({ id }) => ({ ...said, approvalId: id }));
  return takeDecisions(ctx, given, requestId);
}

/** The run that a request with this id has continued; null when it has decided nothing, "other" when its message was another one. */
export async function findContinued(
  ctx: AssistantContext,
  { requestId, message, sessionId }: { requestId: string; message: string; sessionId: string | null },
): Promise<ContinuedRun | "other" | null> {
  const ids = await findDecidedBy(ctx.assistant.database.db, ctx.actor.ref, requestId);
  if (ids.length === 0) return null;
  const approvals = await approvalsOf(ctx, ids);
  const said = saidDecision(message);
  const isSame = approvals.every(
    (approval) =>
      approval.status === (said?.isApproved ? "approved" : "denied") &&
      (sessionId ?? approval.sessionId) === approval.sessionId,
  );
  return said !== null && isSame ? continuedRun(ctx, approvals) : "other";
}
