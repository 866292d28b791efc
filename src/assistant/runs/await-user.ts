/** Suspends a run until its user has allowed or refused tool calls. */
import { inTransaction, type Database } from "../../platform/db/database.ts";
import { insertApprovals, readDecisions } from "./approval-store.ts";
import type { RunEvent } from "./log/ag-ui.ts";
import { appendRunEvents } from "./log/event-store.ts";
import type { RunContext } from "./loop/run-context.ts";
import { notifyWorkers } from "./log/notice-store.ts";
import { runLost } from "./close-run.ts";
import type { Approval, Decision, Frame } from "./loop/run-state.ts";
import { lockClaimedRun, insertUses, saveState } from "./work-store.ts";

const hourMs = 60 * 60_000;

/** Stores the new approvals and releases the run until one is decided. */
export async function waitForUser(
  { database, now }: { database: Database; now: () => Date },
  context: RunContext,
): Promise<void> {
  const { run, state, writer, newApprovals, uses, settings } = context;
  const at = now();
  const expiresAt = new Date(at.getTime() + settings.approvals.expireHours * hourMs);
  await writer.flush();
  const firstSeq = writer.nextSeq();
  const events = newApprovals.map((approval) => JSON.stringify(approvalEvent(approval, expiresAt)));
  await inTransaction(database, async (tx) => {
    const claim = { runId: run.id, fence: run.fence };
    if (!(await lockClaimedRun(tx, claim))) throw runLost;
    if (events.length > 0) {
      await insertApprovals(tx, run.id, { approvals: newApprovals, at, expiresAt });
      await appendRunEvents(tx, run.id, firstSeq, events);
    }
    // A decision that came during other calls is used at once.
    const isDecided = hasDecided(state.root, await readDecisions(tx, run.id));
    const status = isDecided ? "queued" : "waiting";
    await saveState(tx, claim, { state, seq: firstSeq + events.length - 1, status });
    await insertUses(tx, run, uses);
    if (isDecided) await notifyWorkers(tx);
  });
  uses.length = 0;
  writer.committed(events);
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
function hasDecided(frame: Frame, decisions: ReadonlyMap<string, Decision>): boolean {
  return frame.calls.some(({ result, approvalId, child }) => {
    if (result !== null) return false;
    if (child !== null && hasDecided(child, decisions)) return true;
    return approvalId !== null && (decisions.get(approvalId) ?? "pending") !== "pending";
  });
}
