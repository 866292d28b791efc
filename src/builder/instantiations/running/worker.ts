/** Runs instantiations in this process: claims new tasks in order, and tasks whose worker is gone. */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Notice } from "../../../platform/db/listener.ts";
import { startRounds } from "../../../platform/jobs/rounds.ts";
import { openTogether } from "../../../platform/lib/opened.ts";
import {
  claimAbandoned,
  claimOpen,
  controlChannel,
  findAbandoned,
  findLive,
  openChannel,
  prunePlans,
  pruneTasks,
  releaseTask,
} from "../store.ts";
import { recoveredEvent } from "../task-events.ts";
import type { ClaimedTask } from "../types.ts";
import { createPlanReader, driveTask, type DriveDeps } from "./drive.ts";
import { createOwnerSlots } from "./owner-slots.ts";

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
const pruneEveryMs = 60_000;
const pruneAtOnce = 200;
const dayMs = 24 * 60 * 60_000;

export async function startInstantiationWorker(
  options: InstantiationWorkerOptions,
): Promise<InstantiationWorker> {
  const { deps, log, sweepMs = usualSweepMs } = options;
  const { database } = deps;
  const running = createRunningTasks(options, () => rounds.wake());
  const reportTo = (what: string) => (error: Error) => {
    if (!running.isClosed()) log.warn({ reason: error.message }, what);
  };
  const prune = createPruner(options);
  let sweptAt = 0;
  const sweep = async (): Promise<void> => {
    if (performance.now() - sweptAt < sweepMs) return;
    sweptAt = performance.now();
    await claimFromDeadWorkers(options, running);
    await prune().catch(reportTo("old tasks could not be deleted"));
  };

  await clearWorkspaces(options).catch(reportTo("files of old tasks could not be deleted"));
  const rounds = startRounds({
    round: async () => {
      await claimWaiting(options, running);
      await sweep();
    },
    idleMs: sweepMs,
    gatherMs,
    log,
    what: "instantiations",
  });
  const stopListening: (() => void)[] = [];
  const close = async (graceMs: number): Promise<void> => {
    running.refuseMore();
    for (const stop of stopListening) stop();
    await rounds.close();
    await running.handOverAfter(graceMs);
  };
  await openTogether(log, async (opened) => {
    opened.add("the rounds of instantiations", () => close(0));
    const listen = async (channel: string, notice: Notice): Promise<void> =>
      void stopListening.push(await database.listener.listen(channel, notice));
    await Promise.all([
      listen(controlChannel, (taskId) => {
        running.stopCancelled(taskId).catch(reportTo("a cancellation could not be read"));
      }),
      listen(openChannel, () => rounds.wake()),
    ]);
  });

  return { driving: running.count, close };
}

type RunningTasks = ReturnType<typeof createRunningTasks>;

/** The tasks that this process runs, each until its end or until it is handed over. */
function createRunningTasks(options: InstantiationWorkerOptions, onCapacity: () => void) {
  const { deps, log } = options;
  const { parallel, parallelPerUser } = deps.settings.instantiations;
  const slots = createOwnerSlots(parallelPerUser === 0 ? parallel : parallelPerUser);
  const driving = { ...options, findPlan: createPlanReader(deps) };
  const tasks = new Map<string, { stop: AbortController; done: Promise<void> }>();
  let closed = false;
  /** Whether more tasks are waiting than there was capacity for. */
  let isFull = false;

  return {
    count: () => tasks.size,
    ids: () => [...tasks.keys()],
    capacity: () => parallel - tasks.size,
    /** How many tasks could start, whoever owns them. */
    free: () => Math.min(parallel - tasks.size, slots.free()),
    fullOwners: () => slots.full(),
    isClosed: () => closed,
    setFull: (full: boolean): void => void (isFull = full),
    run(task: ClaimedTask): void {
      const { id: taskId, owner } = task;
      const stop = new AbortController();
      const done = driveTask(driving, task, stop)
        .catch(async (error: unknown) => {
          if (!stop.signal.aborted) {
            const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
            log.error({ taskId, reason }, "a task can't be driven; it will be tried again");
          }
          if (stop.signal.reason === handOver) await releaseTask(deps.database, taskId, task.fence);
        })
        .catch((error: Error) => log.warn({ taskId, reason: error.message }, "a task could not be released"))
        .finally(() => {
          tasks.delete(taskId);
          slots.end(owner);
          if (isFull) onCapacity();
        });
      tasks.set(taskId, { stop, done });
      slots.begin(owner);
      if (closed) stop.abort(handOver);
    },
    async stopCancelled(taskId: string | null): Promise<void> {
      const ids = taskId === null ? [...tasks.keys()] : [taskId].filter((id) => tasks.has(id));
      const live = await findLive(deps.database.kysely, ids);
      for (const id of ids) if (!live.has(id)) tasks.get(id)?.stop.abort(new Error("the task was cancelled"));
    },
    refuseMore: (): void => void (closed = true),
    async handOverAfter(graceMs: number): Promise<void> {
      const open = [...tasks.values()];
      const halt = setTimeout(() => open.forEach(({ stop }) => stop.abort(handOver)), graceMs);
      await Promise.all(open.map(({ done }) => done));
      clearTimeout(halt);
    },
  };
}

async function claimWaiting(
  { deps, workerId, now }: InstantiationWorkerOptions,
  running: RunningTasks,
): Promise<void> {
  for (;;) {
    const limit = running.free();
    const full = running.fullOwners();
    if (limit <= 0 || running.isClosed()) return running.setFull(limit <= 0);
    const tasks = await claimOpen(deps.database, { workerId, at: now(), full, limit });
    for (const task of tasks) running.run(task);
    running.setFull(full.length > 0);
    if (tasks.length < limit) return;
  }
}

async function claimFromDeadWorkers(
  { deps, workerId, now }: InstantiationWorkerOptions,
  running: RunningTasks,
): Promise<void> {
  const limit = running.capacity();
  if (limit <= 0) return;
  const query = { workerId, driving: running.ids(), full: running.fullOwners(), limit };
  for (const { id, owner } of await findAbandoned(deps.database, query)) {
    if (running.isClosed() || running.fullOwners().includes(owner)) continue;
    const claim = { workerId, at: now(), recovered: recoveredEvent(now()) };
    const task = await claimAbandoned(deps.database, id, claim);
    if (task) running.run(task);
  }
}

/** Deletes old tasks at intervals, and at once again while there are more of them. */
function createPruner({ deps, now }: InstantiationWorkerOptions): () => Promise<void> {
  const { database, settings } = deps;
  let prunedAt = 0;
  return async () => {
    const at = now().getTime();
    if (at - prunedAt < pruneEveryMs) return;
    prunedAt = at;
    const before = new Date(at - settings.instantiations.retentionDays * dayMs);
    const count = await pruneTasks(database.kysely, before, pruneAtOnce);
    if (count === pruneAtOnce) prunedAt = 0;
    else await prunePlans(database.kysely);
  };
}

const handOver = new Error("this process stops; another process continues the task");

/**
 * Removes the folders of tasks that have ended, or that another worker claimed while this process was down.
 */
async function clearWorkspaces({ deps }: InstantiationWorkerOptions): Promise<void> {
  const folder = join(deps.settings.dataDir, "workspaces");
  const names = await readdir(folder).catch(() => []);
  const uuid = /^[0-9a-f-]{36}(?=-\d+$)/;
  const live = await findLive(
    deps.database.kysely,
    names.flatMap((name) => uuid.exec(name)?.[0] ?? []),
  );
  for (const name of names) {
    const id = uuid.exec(name)?.[0];
    if (id !== undefined && !live.has(id)) await rm(join(folder, name), { recursive: true, force: true });
  }
}
