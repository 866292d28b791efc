/**
 * Plans a queued start when its unit is free: on the unit's current state, in one transaction that makes it
 * the active operation. Every worker may try; the lock of the unit's row lets one succeed.
 */
import { endQueued } from "../../plans/termination-store.ts";
import { inTransaction, type Database } from "../../../platform/db/database.ts";
import { isDatabaseAway } from "../../../platform/db/failures.ts";
import { Failure } from "../../../platform/errors/failure.ts";
import { systemContext } from "../../../platform/lib/request-context.ts";
import type { Logger } from "../../../platform/lib/logger.ts";
import type { CoordinatorSettings } from "../../context.ts";
import { holdPlan } from "../../windows/hold-store.ts";
import { passGate } from "../../windows/gate.ts";
import { lockUnit } from "../../units/store.ts";
import { logEvent, planEvent } from "../../execution/plan-events.ts";
import type { Policies, ReadComponentTypes } from "../../ports.ts";
import { refuseOtherOwners, refuseUndeploy } from "../ownership/check.ts";
import { rowsOf } from "./accept.ts";
import { decide, refuseUnfit } from "./decide.ts";
import { readPolicies } from "../policies/applied.ts";
import { beginQueued, lockQueued, noteStartError, type QueuedStart } from "./queue-store.ts";
import { readUnitState } from "../../units/unit-state-store.ts";

export interface QueuedStartDeps {
  database: Database;
  settings: CoordinatorSettings;
  readComponentTypes: ReadComponentTypes;
  policies?: Policies | undefined;
  log: Logger;
  now: () => Date;
}

/**
 * Begins the queued start or ends it as failed; false when another process was first, or the unit is busy
 * again. Rejects when it can't begin now.
 */
export async function beginQueuedStart(deps: QueuedStartDeps, queuedStart: QueuedStart): Promise<boolean> {
  try {
    return await planQueuedStart(deps, queuedStart);
  } catch (error) {
    // Nothing was written. A start that can't be planned ends as failed; otherwise it would block the queue
    // for ever.
    if (isTransient(error)) {
      if (!(await hasFailedTooLong(deps, queuedStart, error))) throw error;
      return failQueuedStart(deps, queuedStart, error);
    }
    if (!(error instanceof Failure))
      deps.log.error({ planId: queuedStart.planId, error }, "a queued start failed with an internal error");
    return failQueuedStart(deps, queuedStart, error);
  }
}

/** The database or governance is unavailable or overloaded, or transactions conflicted: the next sweep tries again. */
const isTransient = (error: unknown): boolean => {
  const { code } = error as { code?: unknown };
  if (error instanceof Failure) return error.kind === "unavailable";
  return isDatabaseAway(error) || (typeof code === "string" && /^(?:40|55|57)/.test(code));
};

/** Also stores why it can't begin, for whoever waits. */
async function hasFailedTooLong(
  { database, now, settings }: QueuedStartDeps,
  { planId }: QueuedStart,
  error: unknown,
): Promise<boolean> {
  const reason = error instanceof Failure ? error.message : "The database could not take it.";
  const at = now();
  const since = await noteStartError(database.db, planId, { reason, since: at.toISOString() });
  return since !== null && at.getTime() - since.getTime() > settings.longestHoldMs;
}

async function planQueuedStart(deps: QueuedStartDeps, queuedStart: QueuedStart): Promise<boolean> {
  const { database, settings, readComponentTypes, now } = deps;
  const componentTypes = await readComponentTypes();
  const policies = await readPolicies(systemContext(deps.log, now), deps, {
    environment: queuedStart.environment,
    isCompared: queuedStart.isPinned,
  });
  return inTransaction(database, async (tx) => {
    const locked = await lockUnit(tx, queuedStart, queuedStart.unitId);
    const queued = await lockQueued(tx, queuedStart.planId);
    if (!queued) return false;
    const state = await readUnitState(tx, queuedStart, { withDescriptor: queued.asked.body.removeData });
    if (state.active !== null || state.waiting[0] !== queuedStart.planId) return false;
    const { owned = null, ...asked } = queued.asked;
    // Plans ahead of it may have given the unit its first owners, or others.
    refuseOtherOwners(locked, { ...asked, owned, sent: asked.body.descriptor });
    const decided = decide(settings, state, queued.asked);
    refuseUnfit(decided, queued.asked, policies);
    // Plans ahead of it may have deployed what its descriptor does not have.
    refuseUndeploy(decided.plan, queued.asked);
    const { hasPolicies } = policies;
    const planInput = { planId: queuedStart.planId, ...decided, componentTypes, hasPolicies };
    const { rows, tasks } = await rowsOf(tx, queuedStart, { planInput, settings });
    const at = now();
    const deadlineAt = new Date(at.getTime() + settings.operationTimeoutMs(queuedStart.environment));
    await beginQueued(
      tx,
      { planId: queuedStart.planId, unitId: decided.unit.id, ...rows, now: at, deadlineAt },
      tasks,
    );
    const { environment, planId } = queuedStart;
    const whenClosed = queued.asked.overridesWindows ? "override" : "wait";
    const { hold } = passGate({ now }, { windows: state.windows, environment, wanted: { whenClosed } });
    if (hold) await holdPlan(tx, planId, hold);
    return true;
  });
}

function failQueuedStart(
  { database, now }: QueuedStartDeps,
  { planId }: QueuedStart,
  error: unknown,
): Promise<boolean> {
  const problems = error instanceof Failure ? error.problems : [];
  const message = error instanceof Failure ? error.message : "An internal error ended this plan at its turn.";
  const listed = problems.map((each) => (each.where ? `${each.where}: ${each.message}` : each.message));
  const at = now();
  const reason = [`At its turn the plan could not start. ${message}`, ...listed].join(" ");
  const lines = [message, ...listed];
  return inTransaction(database, (tx) =>
    endQueued(tx, planId, {
      status: "FAILED",
      reason,
      at,
      events: [
        ...lines.map((line) =>
          logEvent({ at, severity: "ERROR", taskId: null, phase: "QUEUE", message: line }),
        ),
        planEvent(at, planId, "FAILED", reason),
      ],
    }),
  );
}
