/** Ends plans that have waited for their environment to open for too long, and the approvals that they wait for as well. */
import { inTransaction, type Transaction } from "../../../platform/db/database.ts";
import { appendEvents } from "../../../platform/events/events.ts";
import { startRounds } from "../../../platform/jobs/rounds.ts";
import type { Logger } from "../../../platform/lib/logger.ts";
import { systemContext } from "../../../platform/lib/request-context.ts";
import type { CoordinatorContext, CoordinatorDeps } from "../../context.ts";
import { logEvent, planStream } from "../../execution/plan-events.ts";
import { closeApprovalOf } from "../../plans/service.ts";
import { requestTermination } from "../../plans/termination-store.ts";
import { findHeldTooLong, lockHeld } from "../../windows/hold-store.ts";

const lookEveryMs = 1_000;

interface EndHeldDeps {
  coordinator: CoordinatorDeps;
  log: Logger;
  now: () => Date;
}

export const startEndingHeld = ({ coordinator, log, now }: EndHeldDeps): { close(): Promise<void> } =>
  startRounds({
    round: () => endOverdue({ ...systemContext(log, now), coordinator }),
    idleMs: lookEveryMs,
    log,
    what: "plans that wait for their environment for too long",
  });

async function endOverdue(ctx: CoordinatorContext): Promise<"idle" | void> {
  const { database, settings } = ctx.coordinator;
  const before = new Date(ctx.now().getTime() - settings.longestHoldMs);
  const overdue = await findHeldTooLong(database.db, before);
  if (overdue.length === 0) return "idle";
  for (const planId of overdue)
    await inTransaction(database, (tx) => endOne(ctx, tx, planId)).catch((error: unknown) => {
      if (!(error instanceof NotHeld)) throw error;
    });
}

/** Thrown to roll the transaction back, with the approval that it has closed: another process has released or ended the plan. */
class NotHeld extends Error {}

const message = "The plan has waited for its environment to open for as long as a plan may.";

async function endOne(ctx: CoordinatorContext, tx: Transaction, planId: string): Promise<void> {
  const at = ctx.now();
  await closeApprovalOf(ctx, tx, { planId, reason: message });
  // The lock comes before events get their ids.
  if (!(await lockHeld(tx, planId))) throw new NotHeld();
  const line = { at, severity: "ERROR", taskId: null, phase: "WINDOW", message } as const;
  await appendEvents(tx, planStream(planId), [logEvent(line)]);
  await requestTermination(tx, planId, { mode: "safe", at, why: message });
}
