/** The worker of a process: claims queued runs, and those whose process is gone. */
import { isUniqueViolation } from "../../platform/db/failures.ts";
import type { DrivenWork } from "../../platform/run-engine/driven-work.ts";
import { startRunEngine } from "../../platform/run-engine/run-engine.ts";
import { answerWaitingSessions } from "./approvals/answer-waiting.ts";
import { expireApprovals } from "./approvals/store.ts";
import { driveRun, type DriveDeps } from "./drive.ts";
import { runControlChannel, runsChannel } from "./log/notice-store.ts";
import { runLost, processStopping } from "./close-run.ts";
import type { ClaimedRun } from "./loop/run-state.ts";
import { claimRuns, findDueRuns, findHeldRuns, hasNoLiveRuns, releaseRun } from "./work-store.ts";

export interface RunWorker {
  driving(): number;
  /** Claims nothing more; runs are released at their next checkpoint, and those that take longer than `graceMs` at once, or end where a tool acts. */
  close(graceMs: number): Promise<void>;
}

export interface RunWorkerOptions extends Omit<DriveDeps, "isClosing"> {
  /** The process's lease as a worker, see platform/jobs/worker-lease.ts. */
  workerId: string;
  /** How often it looks for due runs without a notice. */
  sweepMs?: number;
}

const usualSweepMs = 1_000;

export async function startRunWorker(options: RunWorkerOptions): Promise<RunWorker> {
  const { database, settings, workerId, log, now } = options;
  const db = database.db;

  /** When another run of a session was claimed first, the others are claimed one by one. */
  const claim = async (ids: readonly string[]): Promise<ClaimedRun[]> =>
    claimRuns(db, ids, { workerId, at: now() }).catch(async (error: unknown) => {
      if (!isUniqueViolation(error, "assistant_runs_one_a_session")) throw error;
      return ids.length === 1 ? [] : (await Promise.all(ids.map((id) => claim([id])))).flat();
    });
  return startRunEngine<ClaimedRun, DrivenRun>({
    log,
    name: "a run",
    idField: "runId",
    listener: database.listener,
    workerId,
    parallel: settings.parallelRuns,
    sweepMs: options.sweepMs ?? usualSweepMs,
    controlChannel: runControlChannel,
    open: {
      channel: runsChannel,
      async claim(query) {
        const due = await findDueRuns(db, query);
        return due.length === 0 ? [] : claim(due);
      },
    },
    isQuiet: () => hasNoLiveRuns(db),
    drive: (run) => drive(options, run),
    release: (run) => releaseRun(db, { runId: run.id, fence: run.fence }),
    async control(driven) {
      const held = await findHeldRuns(db, { workerId, ids: [...driven.keys()] });
      for (const [runId, run] of driven) if (!held.has(runId)) run.lose();
    },
    beforeSweep: [
      { run: () => expireApprovals(db, now()), failure: "old approvals could not be ended" },
      {
        run: () => answerWaitingSessions(database, { at: now() }),
        failure: "messages to waiting sessions could not be answered",
      },
    ],
  });
}

interface DrivenRun extends DrivenWork {
  lose(): void;
}

/** At a stop a run is given back at its next checkpoint. */
function drive(options: RunWorkerOptions, run: ClaimedRun): DrivenRun {
  const stop = new AbortController();
  let isClosing = false;
  const done = driveRun({ ...options, isClosing: () => isClosing }, run, stop).then(
    () => "over" as const,
    (error: unknown) => {
      if (stop.signal.reason !== runLost) throw error;
      return "over" as const;
    },
  );
  return {
    done,
    handOver: () => void (isClosing = true),
    halt: () => stop.abort(processStopping),
    lose: () => stop.abort(runLost),
  };
}
