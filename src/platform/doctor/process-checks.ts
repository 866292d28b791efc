/** The process that makes the checks, and the machine that it runs on. */
import { constants } from "node:fs";
import { access, statfs } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../config/schema/schema.ts";
import type { QueueCounts } from "../jobs/jobs.ts";
import { databaseCheck, ok, problem, sizeOf, warning, type Check, type Finding } from "../lib/check.ts";

/** How long the event loop is looked at. */
const lookMs = 500;
const blockedMs = { warning: 100, problem: 400 };

export const eventLoopCheck: Check = {
  name: "event loop",
  guide: "monitoring.md#plintheventloopblocked",
  async look(signal) {
    const delay = monitorEventLoopDelay({ samplePerIteration: true });
    delay.enable();
    await sleep(lookMs, undefined, { signal });
    delay.disable();
    return eventLoopFinding(delay.max / 1e6);
  },
};

export function eventLoopFinding(longestMs: number): Finding {
  const found = `The longest pause of this process within ${lookMs} ms was ${Math.round(longestMs)} ms.`;
  const advice =
    "Give the process more CPU, or separate API and workers; repeat the check to see whether it stays.";
  if (longestMs < blockedMs.warning) return ok(found);
  return longestMs < blockedMs.problem ? warning(found, advice) : problem(found, advice);
}

const freeBytes = { warning: 2 ** 30, problem: 200 * 2 ** 20 };

/** Processes with a database and a key from elsewhere have no data directory. */
export const dataFolderCheck = ({ dataDir, database, mesh }: Config): Check => ({
  name: "data directory",
  guide: "production.md",
  async look() {
    if (!database.embedded && mesh.builder.instantiations.secretKey !== undefined)
      return ok("This process needs none: its database and its key come from elsewhere.");
    const advice =
      "Look whether its volume is mounted, and give the user of the process the right to write there.";
    try {
      await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch {
      return problem("It is missing, or this process may not write into it.", advice);
    }
    const { bavail, bsize } = await statfs(dataDir);
    return freeFinding(bavail * bsize, database.embedded);
  },
});

export function freeFinding(bytes: number, holdsDatabase: boolean): Finding {
  const found = `It can be written to, and ${sizeOf(bytes)} are free.`;
  const advice = holdsDatabase
    ? "Make room: the embedded database is there, and stops when the disk is full."
    : "Make room on its disk.";
  if (bytes >= freeBytes.warning) return ok(found);
  return bytes >= freeBytes.problem ? warning(found, advice) : problem(found, advice);
}

export const jobsCheck = (count: () => Promise<QueueCounts[]>): Check => ({
  name: "background jobs",
  guide: "monitoring.md#plinthjobsfail",
  needs: databaseCheck,
  async look() {
    const queues = await count();
    const failing = queues.filter(({ failed }) => failed > 0);
    if (failing.length === 0) return ok("None was given up lately.");
    const list = failing.map(({ queue, failed }) => `${failed} of ${queue}`).join(", ");
    return warning(
      `Some were given up after their repeats: ${list}.`,
      'Read the log of workers: "the job queue". What the jobs do is tried again at its next time; the entries go by themselves.',
    );
  },
});

interface Pool {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
}

const poolLooks = 10;

/** A statement that waits while connections are opened is nothing: only one that waits at every look is. */
export const poolCheck = (pool: Pool): Check => ({
  name: "connection pool",
  guide: "monitoring.md#plinthpoolexhausted",
  async look(signal) {
    let waiting = Infinity;
    for (let looks = 0; looks < poolLooks && waiting > 0; looks += 1) {
      await sleep(lookMs / poolLooks, undefined, { signal });
      waiting = Math.min(waiting, pool.waitingCount);
    }
    const { totalCount, idleCount } = pool;
    const found = `Connections of this process in use: ${totalCount - idleCount} of ${totalCount} open ones`;
    return waiting === 0
      ? ok(`${found}.`)
      : warning(
          `${found}; statements that wait for one: ${waiting}.`,
          "Repeat the check; if it stays, look for long statements and locks.",
        );
  },
});
