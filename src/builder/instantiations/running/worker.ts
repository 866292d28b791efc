/** Runs instantiations in this process: claims new tasks in order, and tasks whose worker is gone. */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { DrivenWork } from "../../../platform/run-engine/driven-work.ts";
import { startRunEngine } from "../../../platform/run-engine/run-engine.ts";
import type { Database } from "../../../platform/db/database.ts";
import { databaseFailure, isDatabaseGone, isDatabaseStrained } from "../../../platform/db/failures.ts";
import { shownReason } from "../../../platform/run-engine/last-error.ts";
import { controlChannel, findFences, findLive, hasNoLiveTasks, openChannel } from "../store.ts";
import type { ClaimedTask } from "../task.ts";
import { claimAbandoned, claimOpen, findAbandoned, noteTaskError, releaseTask } from "./claim-store.ts";
import { createPlanReader, driveTask, type Drive, type DriveDeps } from "./drive.ts";
import { handOver, taskLost } from "./journal.ts";

export interface InstantiationWorkerOptions extends DriveDeps {
  /** The worker lease of this process, see platform/jobs/worker-lease.ts. */
  workerId: string;
  /** Interval of the sweep for abandoned tasks; tests use a shorter one. */
  sweepMs?: number;
}

export interface InstantiationWorker {
  driving(): number;
  /** Claims nothing more, waits `graceMs` for running actions, and releases the other tasks. */
  close(graceMs: number): Promise<void>;
}

const usualSweepMs = 1_000;
/** Notifications of new tasks within this time cause one claim. */
const gatherMs = 1;

export async function startInstantiationWorker(
  options: InstantiationWorkerOptions,
): Promise<InstantiationWorker> {
  const { deps, log, now, workerId, sweepMs = usualSweepMs } = options;
  const { database, settings } = deps;
  const { parallel, parallelPerUser } = settings.instantiations;
  const driving: Drive = { ...options, findPlan: createPlanReader(deps) };

  await clearWorkspaces(options).catch((error: Error) =>
    log.warn({ reason: error.message }, "files of old tasks could not be deleted"),
  );
  return startRunEngine<ClaimedTask, DrivenTask>({
    log,
    name: "a task",
    idField: "taskId",
    listener: database.listener,
    workerId,
    parallel,
    parallelPerOwner: parallelPerUser === 0 ? parallel : parallelPerUser,
    ownerOf: (task) => task.owner,
    sweepMs,
    gatherMs,
    controlChannel,
    open: {
      channel: openChannel,
      claim: (query) =>
        claimOpen(database, {
          ...query,
          at: now(),
          ...(parallelPerUser > 0 ? { perUser: parallelPerUser } : {}),
        }),
    },
    findAbandoned: (query) => findAbandoned(database, query),
    isQuiet: () => hasNoLiveTasks(database.db),
    claimOne: (taskId) => claimAbandoned(database, taskId, { workerId, at: now() }),
    drive: (task) => drive(driving, task),
    release: (task, error) => releaseAfter(database, task, error),
    async control(driven) {
      const fences = await findFences(database.db, [...driven.keys()]);
      for (const [taskId, task] of driven) if (fences.get(taskId) !== task.fence) task.cancel();
    },
  });
}

interface DrivenTask extends DrivenWork {
  fence: number;
  cancel(): void;
}

const taskCancelled = new Error("the task was cancelled");

/** Actions under way at a stop go on until `halt`. */
function drive(driving: Drive, task: ClaimedTask): DrivenTask {
  const stop = new AbortController();
  const done = driveTask(driving, task, stop).then(
    () => "over" as const,
    (error: unknown) => {
      const { aborted, reason } = stop.signal;
      if (!aborted) throw error;
      if (reason === handOver) return "unfinished" as const;
      if (reason === taskCancelled || reason === taskLost) return "over" as const;
      // The action has ended because the journal could not be written.
      throw reason;
    },
  );
  return {
    fence: task.fence,
    done,
    handOver: () => undefined,
    halt: () => stop.abort(handOver),
    cancel: () => stop.abort(taskCancelled),
  };
}

/** One that its worker could not go on with is tried again later, and not for ever: see `driveTask`. */
async function releaseAfter(database: Database, task: ClaimedTask, error: unknown): Promise<void> {
  if (error !== undefined && !isDatabaseGone(error)) {
    const reason = databaseFailure(error)?.message ?? shownReason(error);
    await noteTaskError(database, task, { reason, isPassing: isDatabaseStrained(error) });
  }
  await releaseTask(database.db, task);
}

/**
 * Removes the folders of tasks that have ended, or that another worker claimed while this process was down.
 */
async function clearWorkspaces({ deps }: InstantiationWorkerOptions): Promise<void> {
  const folder = join(deps.settings.dataDir, "workspaces");
  const names = await readdir(folder).catch(() => []);
  const uuid = /^[0-9a-f-]{36}(?=-\d+$)/;
  const live = await findLive(
    deps.database.db,
    names.flatMap((name) => uuid.exec(name)?.[0] ?? []),
  );
  for (const name of names) {
    const id = uuid.exec(name)?.[0];
    if (id !== undefined && !live.has(id)) await rm(join(folder, name), { recursive: true, force: true });
  }
}
