/** A process's share of the instantiations: takes new tasks from the job queue, and those whose worker is gone. */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Jobs } from "../../../platform/jobs/jobs.ts";
import { instantiationQueue } from "../queue.ts";
import {
  claimTask,
  controlChannel,
  findAbandoned,
  findLive,
  prunePlans,
  pruneTasks,
  releaseTask,
} from "../store.ts";
import { recoveredEvent } from "../task-events.ts";
import { driveTask, type DriveMeans } from "./drive.ts";
import { createTurns } from "./turns.ts";

export interface InstantiationWorkerOptions extends DriveMeans {
  jobs: Jobs;
  /** The process's lease as a worker, see platform/jobs/worker-lease.ts. */
  workerId: string;
  /** How often it looks for tasks that nobody drives; tests look more often. */
  sweepMs?: number;
}

export interface InstantiationWorker {
  driving(): number;
  /** Takes nothing more, gives actions under way `graceMs` to finish, and gives the other tasks back. */
  close(graceMs: number): Promise<void>;
}

const usualSweepMs = 1_000;
/** Tasks that are asked for at a time. */
const batch = 16;
const pruneEveryMs = 60_000;
const pruneAtOnce = 200;
const dayMs = 24 * 60 * 60_000;

interface Driven {
  stop: AbortController;
  done: Promise<void>;
}

export async function startInstantiationWorker(
  options: InstantiationWorkerOptions,
): Promise<InstantiationWorker> {
  const { means, jobs, log, workerId, now } = options;
  const { database, settings } = means;
  const { parallel, parallelPerUser, retentionDays } = settings.instantiations;
  const turns = createTurns(parallelPerUser === 0 ? parallel : parallelPerUser);
  const driven = new Map<string, Driven | null>();
  const waitingForRoom: (() => void)[] = [];
  let closed = false;

  /** Resolves when the task is taken or can't be, not when it has ended. */
  const take = async (taskId: string, owner: string): Promise<void> => {
    if (closed || driven.has(taskId) || !turns.begin(owner, taskId)) return;
    const goOn = (): void => {
      const next = turns.end(owner);
      if (next !== undefined)
        take(next, owner).catch(reportTo("a task whose turn it was could not be taken"));
    };
    driven.set(taskId, null);
    const claim = { workerId, at: now(), recovered: recoveredEvent(now()) };
    const task = await claimTask(database, taskId, claim).catch((error: unknown) => {
      driven.delete(taskId);
      goOn();
      throw error;
    });
    if (task === null) {
      driven.delete(taskId);
      return goOn();
    }
    const stop = new AbortController();
    const done = driveTask(options, task, stop)
      .catch(async (error: unknown) => {
        if (!stop.signal.aborted) {
          const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
          log.error({ taskId, reason }, "a task can't be driven; it will be tried again");
        }
        if (stop.signal.reason === handOver) await releaseTask(database, taskId, task.fence);
      })
      .catch((error: Error) => log.warn({ taskId, reason: error.message }, "a task could not be given back"))
      .finally(() => {
        driven.delete(taskId);
        goOn();
        waitingForRoom.shift()?.();
      });
    driven.set(taskId, { stop, done });
    if (closed) stop.abort(handOver);
  };
  const sweep = async (): Promise<void> => {
    const limit = parallel - driven.size;
    if (limit <= 0) return;
    const query = { workerId, driving: [...driven.keys()], full: turns.full(), limit };
    const found = await findAbandoned(database, query);
    await Promise.all(found.map(({ id, owner }) => take(id, owner)));
  };
  let prunedAt = 0;
  const prune = async (): Promise<void> => {
    const at = now().getTime();
    if (at - prunedAt < pruneEveryMs) return;
    prunedAt = at;
    const before = new Date(at - retentionDays * dayMs);
    const count = await pruneTasks(database.kysely, before, pruneAtOnce);
    if (count === pruneAtOnce) prunedAt = 0;
    else await prunePlans(database.kysely);
  };
  const reportTo = (what: string) => (error: Error) => {
    if (!closed) log.warn({ reason: error.message }, what);
  };
  const stopCancelled = async (taskId: string | null): Promise<void> => {
    const ids = taskId === null ? [...driven.keys()] : [taskId].filter((id) => driven.has(id));
    const live = await findLive(database.kysely, ids);
    for (const id of ids) if (!live.has(id)) driven.get(id)?.stop.abort(new Error("the task was cancelled"));
  };

  await clearWorkspaces(options).catch(reportTo("what old tasks have left on the disk could not be deleted"));
  const stopListening = await database.listener.listen(controlChannel, (taskId) => {
    stopCancelled(taskId).catch(reportTo("a cancellation could not be read"));
  });
  let timer: NodeJS.Timeout | null = null;
  const sweepOn = async (): Promise<void> => {
    await sweep().catch(reportTo("the sweep for abandoned tasks failed"));
    await prune().catch(reportTo("old tasks could not be deleted"));
    if (!closed) timer = setTimeout(() => void sweepOn(), options.sweepMs ?? usualSweepMs);
  };
  await sweepOn();
  await jobs.work(
    instantiationQueue,
    async (data) => {
      const { taskId, owner } = data as { taskId: string; owner: string };
      while (driven.size >= parallel && !closed) {
        await new Promise<void>((next) => waitingForRoom.push(next));
      }
      await take(taskId, owner);
    },
    { batch },
  );

  return {
    driving: () => driven.size,
    async close(graceMs) {
      closed = true;
      if (timer) clearTimeout(timer);
      stopListening();
      for (const next of waitingForRoom) next();
      const open = [...driven.values()].filter((task) => task !== null);
      const halt = setTimeout(() => open.forEach(({ stop }) => stop.abort(handOver)), graceMs);
      await Promise.all(open.map(({ done }) => done));
      clearTimeout(halt);
    },
  };
}

const handOver = new Error("this process stops; another one goes on with the task");

/** Folders of tasks that have ended, or that another worker has taken over while this process was down. */
async function clearWorkspaces({ means }: InstantiationWorkerOptions): Promise<void> {
  const folder = join(means.settings.dataDir, "workspaces");
  const names = await readdir(folder).catch(() => []);
  const uuid = /^[0-9a-f-]{36}(?=-\d+$)/;
  const live = await findLive(
    means.database.kysely,
    names.flatMap((name) => uuid.exec(name)?.[0] ?? []),
  );
  for (const name of names) {
    const id = uuid.exec(name)?.[0];
    if (id !== undefined && !live.has(id)) await rm(join(folder, name), { recursive: true, force: true });
  }
}
