/** Runs drift checks from the job queue, reclaims abandoned checks and starts scheduled ones. */
import { inTransaction } from "../../../platform/db/database.ts";
import type { Jobs } from "../../../platform/jobs/jobs.ts";
import { startRounds } from "../../../platform/jobs/rounds.ts";
import { systemActor } from "../../../platform/lib/actor.ts";
import { newId, newTraceparent } from "../../../platform/lib/ids.ts";
import { activeTraceparent, inSpan, noParent, type SpanStart } from "../../../platform/telemetry/spans.ts";
import { dueUnits, type DriftSchedule } from "./schedule.ts";
import { maxWaitMs, runDriftCheck, type DriftDeps } from "./run-check.ts";
import { findUnchecked, insertCheck, reclaimChecks, driftQueue, type UncheckedUnit } from "./store.ts";

export interface DriftWorkerOptions extends Omit<DriftDeps, "halt"> {
  jobs: Jobs;
  schedules: readonly DriftSchedule[];
  /** Looks at the drift that was found; resolves with whether there was any. */
  reconcile: () => Promise<boolean>;
  /** Interval of the sweep for abandoned checks; shorter in tests. */
  sweepMs?: number;
}

export interface DriftWorker {
  /** Aborts running checks; other workers run them again. */
  close(): Promise<void>;
}

const usualSweepMs = 2_000;
/** At rest: people watch how a repair ends, which nobody notifies. */
const restFactor = 5;
const roundName = "scheduled drift checks";
const scheduleEveryMs = 15_000;
/**
 * Checks that one round of the schedule may start, so that a new schedule does not check all units at once.
 */
const maxAtOnce = 20;

export async function startDriftWorker(options: DriftWorkerOptions): Promise<DriftWorker> {
  const { database, jobs, now, log, schedules, reconcile, sweepMs = usualSweepMs } = options;
  const halt = new AbortController();
  const running = new Set<Promise<void>>();
  /** What a check has found is looked at soon. */
  let wake = (): void => undefined;
  let scheduledAt = 0;

  await jobs.work(driftQueue, async (data) => {
    if (halt.signal.aborted) return;
    const { checkId } = data as { checkId: string };
    const run = runDriftCheck({ ...options, halt: halt.signal }, checkId);
    running.add(run);
    await run.finally(() => running.delete(run));
    wake();
  });

  const reclaim = (): Promise<boolean> =>
    inTransaction(database, async (tx) => {
      const waitedSince = new Date(now().getTime() - maxWaitMs);
      const found = await reclaimChecks(tx, waitedSince);
      for (const checkId of found) await jobs.send(tx, driftQueue, { checkId });
      return found.length > 0;
    });
  const insert = (unit: UncheckedUnit, at: Date): Promise<void> =>
    inTransaction(database, async (tx) => {
      const id = newId();
      const traceparent = activeTraceparent() ?? newTraceparent();
      const requestedBy = systemActor.ref;
      const check = { ...unit, id, trigger: "SCHEDULED", requestedBy, traceparent, at } as const;
      if (await insertCheck(tx, check)) await jobs.send(tx, driftQueue, { checkId: id });
    });
  const schedule = async (): Promise<boolean> => {
    const at = now();
    if (at.getTime() - scheduledAt < scheduleEveryMs) return false;
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
    const found = [await reclaim(), await schedule(), await reconcile()];
    if (!found.includes(true) && running.size === 0) return "idle";
  };
  const rounds = startRounds({
    round,
    idleMs: sweepMs,
    restMs: restFactor * sweepMs,
    log,
    what: "drift checks wait",
  });
  wake = () => rounds.wake();

  return {
    async close() {
      halt.abort();
      await rounds.close();
      await Promise.allSettled(running);
    },
  };
}
