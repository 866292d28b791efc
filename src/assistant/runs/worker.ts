/** The worker of a process: claims queued runs, and those whose process is gone. */
import { isUniqueViolation } from "../../platform/db/failures.ts";
import type { Notice } from "../../platform/db/listener.ts";
import { startRounds } from "../../platform/jobs/rounds.ts";
import { openTogether } from "../../platform/lib/opened.ts";
import { expireApprovals } from "./approval-store.ts";
import { driveRun, type DriveDeps } from "./drive.ts";
import { runControlChannel, runsChannel } from "./log/notice-store.ts";
import { runLost, processStopping } from "./close-run.ts";
import type { ClaimedRun } from "./loop/run-state.ts";
import { claimRuns, findDueRuns, pruneRunEvents } from "./work-store.ts";

export interface RunWorker {
  driving(): number;
  /** Claims nothing more; runs are released at their next checkpoint, and those that take longer than `graceMs` end interrupted. */
  close(graceMs: number): Promise<void>;
}

export interface RunWorkerOptions extends Omit<DriveDeps, "isClosing"> {
  /** The process's lease as a worker, see platform/jobs/worker-lease.ts. */
  workerId: string;
  /** How often it looks for due runs without a notice. */
  sweepMs?: number;
}

const usualSweepMs = 1_000;
const pruneEveryMs = 60_000;
const pruneAtOnce = 500;
const dayMs = 24 * 60 * 60_000;

export async function startRunWorker(options: RunWorkerOptions): Promise<RunWorker> {
  const { database, settings, workerId, log, now } = options;
  const driven = new Map<string, { stop: AbortController; done: Promise<void> }>();
  let closed = false;
  const deps: DriveDeps = { ...options, isClosing: () => closed };

  /** When another run of a session was claimed first, the others are claimed one by one. */
  const claim = async (ids: readonly string[]): Promise<ClaimedRun[]> =>
    claimRuns(database.kysely, ids, { workerId, at: now() }).catch(async (error: unknown) => {
      if (!isUniqueViolation(error, "assistant_runs_one_a_session")) throw error;
      return ids.length === 1 ? [] : (await Promise.all(ids.map((id) => claim([id])))).flat();
    });
  const drive = (run: ClaimedRun): void => {
    const stop = new AbortController();
    const done = driveRun(deps, run, stop)
      .catch((error: Error) => {
        if (stop.signal.reason !== runLost)
          log.warn({ runId: run.id, reason: error.message }, "a run could not be ended");
      })
      .finally(() => {
        driven.delete(run.id);
        rounds.wake();
      });
    driven.set(run.id, { stop, done });
  };
  let prunedAt = 0;
  const tidy = async (): Promise<void> => {
    await expireApprovals(database.kysely, now());
    const at = now().getTime();
    if (at - prunedAt < pruneEveryMs) return;
    prunedAt = at;
    await pruneRunEvents(database.kysely, new Date(at - settings.retentionDays * dayMs), pruneAtOnce);
  };
  let tidiedAt = 0;
  const round = async (): Promise<void> => {
    if (closed) return;
    const at = now().getTime();
    if (at - tidiedAt >= usualSweepMs) {
      tidiedAt = at;
      await tidy();
    }
    const limit = settings.parallelRuns - driven.size;
    if (limit <= 0) return;
    const due = await findDueRuns(database.kysely, { workerId, driving: [...driven.keys()], limit });
    if (due.length > 0 && !closed) for (const run of await claim(due)) drive(run);
  };
  const rounds = startRounds({
    round,
    idleMs: options.sweepMs ?? usualSweepMs,
    log,
    what: "runs of the assistant",
  });
  const stopListening: (() => void)[] = [];
  const close = async (graceMs: number): Promise<void> => {
    closed = true;
    for (const stop of stopListening) stop();
    await rounds.close();
    const open = [...driven.values()];
    const halt = setTimeout(() => open.forEach(({ stop }) => stop.abort(processStopping)), graceMs);
    await Promise.all(open.map(({ done }) => done));
    clearTimeout(halt);
  };
  await openTogether(log, async (opened) => {
    opened.add("the rounds of runs", () => close(0));
    const listen = async (channel: string, notice: Notice): Promise<void> =>
      void stopListening.push(await database.listener.listen(channel, notice));
    await Promise.all([
      listen(runsChannel, () => rounds.wake()),
      listen(runControlChannel, (runId) => {
        if (runId !== null) driven.get(runId)?.stop.abort(runLost);
      }),
    ]);
  });

  return { driving: () => driven.size, close };
}
