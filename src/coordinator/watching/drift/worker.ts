/** Runs drift checks, and makes those that a schedule wants. */
import { startRounds } from "../../../platform/jobs/rounds.ts";
import { startRowWorker, type RowWorker } from "../../../platform/jobs/row-worker.ts";
import { systemActor } from "../../../platform/lib/actor.ts";
import { newId, newTraceparent } from "../../../platform/lib/ids.ts";
import { activeTraceparent, inSpan, noParent, type SpanStart } from "../../../platform/telemetry/spans.ts";
import { dueUnits, type DriftSchedule } from "./schedule.ts";
import { maxWaitMs, runDriftCheck, type DriftDeps } from "./run-check.ts";
import {
  claimChecks,
  driftChannel,
  findUnchecked,
  insertCheck,
  type ClaimedCheck,
  type UncheckedUnit,
} from "./store.ts";

export interface DriftWorkerOptions extends Omit<DriftDeps, "halt"> {
  schedules: readonly DriftSchedule[];
  /** Looks at the drift that was found; resolves with whether there was any. */
  reconcile: () => Promise<boolean>;
}

export interface DriftWorker {
  /** Aborts running checks; other workers run them again. */
  close(): Promise<void>;
}

const roundMs = 2_000;
/** At rest: people watch how a repair ends, and how a check begins that has waited for an operation, which nobody notifies. */
const restMs = 10_000;
/** Units that this process checks at once. */
const parallelChecks = 4;
const roundName = "scheduled drift checks";
const scheduleEveryMs = 15_000;
/**
 * Checks that one round of the schedule may start, so that a new schedule does not check all units at once.
 */
const maxAtOnce = 20;

export async function startDriftWorker(options: DriftWorkerOptions): Promise<DriftWorker> {
  const { database, now, log, schedules, reconcile } = options;
  /** What a check has found is looked at soon. */
  let wake = (): void => undefined;
  let scheduledAt = 0;

  const checks = await startChecks(options, () => wake());
  const insert = async (unit: UncheckedUnit, at: Date): Promise<void> => {
    const traceparent = activeTraceparent() ?? newTraceparent();
    const requestedBy = systemActor.ref;
    await insertCheck(database.db, {
      ...unit,
      id: newId(),
      trigger: "SCHEDULED",
      requestedBy,
      traceparent,
      at,
    });
  };
  const schedule = async (): Promise<boolean> => {
    const at = now();
    if (Math.abs(at.getTime() - scheduledAt) < scheduleEveryMs) return false;
    scheduledAt = at.getTime();
    let isAnyDue = false;
    for (const each of schedules) {
      const due = await findUnchecked(database.db, { ...dueUnits(each, at), limit: maxAtOnce });
      if (due.length === 0) continue;
      isAnyDue = true;
      const count = { "plinth.round.name": roundName, "plinth.round.found": due.length };
      const span: SpanStart<"round"> = {
        name: `round ${roundName}`,
        parent: noParent,
        attributes: () => count,
      };
      await inSpan("round", span, async () => {
        for (const unit of due) await insert(unit, at);
      });
    }
    return isAnyDue;
  };
  const round = async (): Promise<"idle" | void> => {
    const found = [await schedule(), await reconcile()];
    if (!found.includes(true)) return "idle";
  };
  const rounds = startRounds({ round, idleMs: roundMs, restMs, log, what: "scheduled drift checks wait" });
  wake = () => rounds.wake();

  return {
    async close() {
      await rounds.close();
      await checks.close();
    },
  };
}

function startChecks(options: DriftWorkerOptions, onEnd: () => void): Promise<RowWorker> {
  const { database, now, log, workerId } = options;
  return startRowWorker<ClaimedCheck>({
    log,
    name: "drift check",
    idleMs: roundMs,
    restMs,
    parallel: parallelChecks,
    claim: ({ underWay, limit }) => {
      const at = now();
      const waitedSince = new Date(at.getTime() - maxWaitMs);
      return claimChecks(database.db, {
        workerId,
        underWay: underWay.map(({ id }) => id),
        at,
        limit,
        waitedSince,
      });
    },
    async work({ id }, halt) {
      try {
        return await runDriftCheck({ ...options, halt }, id);
      } finally {
        onEnd();
      }
    },
    traceparentOf: ({ traceparent }) => traceparent,
    describe: ({ id }) => ({ driftCheckId: id }),
    listener: database.listener,
    channels: [driftChannel],
  });
}
