/**
 * Plans what has waited, when its turn has come: on the state that the unit then has, in one transaction that makes it
 * the active operation. Whoever finds a unit at rest may do it; the lock of the unit's row lets one through.
 */
import { inTransaction, type Database } from "../../platform/db/database.ts";
import { isDatabaseAway } from "../../platform/db/failures.ts";
import { Failure } from "../../platform/errors/failure.ts";
import type { Logger } from "../../platform/lib/logger.ts";
import type { CoordinatorSettings } from "../context.ts";
import { lockUnit } from "../deployment-units/store.ts";
import { logEvent, planEvent } from "../execution/record/plan-events.ts";
import type { ReadComponentTypes } from "../ports.ts";
import { rowsOf } from "./accept.ts";
import { decide, refuseUnfit } from "./decide.ts";
import { beginQueued, endQueued, lockQueued, type Turn } from "./queue-store.ts";
import { readUnitState } from "./unit-state-store.ts";

export interface TurnDeps {
  database: Database;
  settings: CoordinatorSettings;
  readComponentTypes: ReadComponentTypes;
  log: Logger;
  now: () => Date;
}

/** Starts the turn or ends it as failed; false when another process was first, or the unit is busy again. */
export async function takeTurn(deps: TurnDeps, turn: Turn): Promise<boolean> {
  try {
    return await planTurn(deps, turn);
  } catch (error) {
    // Nothing was written. A plan that can't be made ends, or it would hold up everybody behind it for ever.
    if (willPass(error)) throw error;
    if (!(error instanceof Failure)) deps.log.error({ planId: turn.planId, error }, "a turn met a defect");
    return failTurn(deps, turn, error);
  }
}

/** The database is away, busy, or two transactions were in each other's way: the next look tries again. */
const willPass = (error: unknown): boolean => {
  const { code } = error as { code?: unknown };
  return isDatabaseAway(error) || (typeof code === "string" && /^(?:40|55|57)/.test(code));
};

async function planTurn(
  { database, settings, readComponentTypes, now }: TurnDeps,
  turn: Turn,
): Promise<boolean> {
  const componentTypes = await readComponentTypes();
  return inTransaction(database, async (tx) => {
    await lockUnit(tx, turn, turn.unitId);
    const queued = await lockQueued(tx, turn.planId);
    if (!queued) return false;
    const state = await readUnitState(tx, turn, { withDescriptor: queued.asked.body.removeData });
    if (state.active !== null || state.waiting[0] !== turn.planId) return false;
    const decided = decide(settings, state, queued.asked);
    refuseUnfit(decided, queued.asked);
    const material = { planId: turn.planId, ...decided, componentTypes };
    const { rows, tasks } = await rowsOf(tx, turn, { material, settings });
    const at = now();
    const deadlineAt = new Date(at.getTime() + settings.operationTimeoutMs(turn.environment));
    await beginQueued(
      tx,
      { planId: turn.planId, unitId: decided.unit.id, ...rows, now: at, deadlineAt },
      tasks,
    );
    return true;
  });
}

function failTurn({ database, now }: TurnDeps, { planId }: Turn, error: unknown): Promise<boolean> {
  const problems = error instanceof Failure ? error.problems : [];
  const message = error instanceof Failure ? error.message : "An internal error ended this plan at its turn.";
  const told = problems.map((each) => (each.where ? `${each.where}: ${each.message}` : each.message));
  const at = now();
  const reason = [`At its turn the plan could not start. ${message}`, ...told].join(" ");
  const lines = [message, ...told];
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
