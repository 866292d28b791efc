/** Durable background jobs: pg-boss on our own database, woken by NOTIFY, enqueued in the caller's transaction. */
import type { Job, PgBoss, StopOptions } from "pg-boss";
import { connectionLimits } from "../db/connection-limits.ts";
import { retire, type Database, type Db } from "../db/database.ts";
import { LimitedClient, type LimitedConfig } from "../db/limited-client.ts";
import type { Logger } from "../lib/logger.ts";
import { inSpan, noParent } from "../telemetry/spans.ts";

export interface Jobs {
  /** Enqueues inside the transaction of the state change that needs the job. */
  send(db: Db, queue: string, data: object): Promise<void>;
  /** Takes jobs of a queue with a few fetchers in this process; a job that rejects is tried again. */
  work(queue: string, handler: (data: object) => Promise<void>): Promise<void>;
  /**
   * Runs a clean-up at the times of a cron expression (UTC, to the minute), in one process at a time. What fails is tried
   * again, at the latest at the next time.
   */
  schedule(name: string, cron: string, cleanUp: () => Promise<void>): Promise<void>;
  /** Ends a schedule that an older release has left. */
  unschedule(name: string): Promise<void>;
  /** As the queue has counted them last. */
  count(): Promise<QueueCounts[]>;
  close(graceMs: number): Promise<void>;
}

export interface QueueCounts {
  queue: string;
  /** May begin now, are under way, and were given up lately. */
  ready: number;
  active: number;
  failed: number;
}

export interface JobsOptions {
  database: Database;
  log: Logger;
  queues: readonly string[];
  /** A process that only sends needs no listener, no maintenance and fewer connections. */
  sendOnly: boolean;
}

/** Each polls and is woken by itself, so a few suffice; a handler should hand long work on and return. */
const fetchers = 4;

/** The longest that pg-boss allows; a plan's own deadline ends it earlier, and its lease outlives the job. */
const longestJobSeconds = 24 * 3600 - 1;

export async function startJobs(options: JobsOptions): Promise<Jobs> {
  const { connection } = options.database;
  // Loaded late, because a worker takes over plans of dead workers before it needs this module.
  const { PgBoss: Boss } = await import("pg-boss");
  /** The connections of pg-boss's pool, so that none outlives it. */
  const open = new Set<LimitedClient>();
  class JobsClient extends LimitedClient {
    /** A property of pg's Client that its types do not declare. */
    declare readonly connectionParameters: { query_timeout: number };
    constructor(config?: LimitedConfig) {
      super(config);
      // These have the limits of LimitedClient, which cancels the statement as well.
      this.connectionParameters.query_timeout = 0;
      open.add(this);
      this.once("end", () => open.delete(this));
    }
  }
  options.database.listener.onMoved((openedBefore) => retire(open, openedBefore));
  const boss = new Boss({
    host: connection.host,
    port: connection.port,
    user: connection.user,
    password: connection.currentPassword ?? connection.password,
    database: connection.dbname,
    schema: `${connection.schema}_jobs`,
    application_name: "plinth-jobs",
    max: options.sendOnly ? connectionLimits.jobs.sendOnly : connectionLimits.jobs.worker,
    maintenanceIntervalSeconds: deleteEverySeconds,
    flowIntervalSeconds: unusedSeconds,
    cronWorkerIntervalSeconds: cronSeconds,
    schedule: !options.sendOnly,
    supervise: !options.sendOnly,
    useListenNotify: !options.sendOnly,
    ...ofPool(JobsClient),
  });
  boss.on("error", (error) => options.log.warn({ reason: error.message }, "the job queue reported an error"));
  boss.on("warning", ({ message }) => options.log.warn({ reason: message }, "the job queue warns"));
  const stop = async (how: StopOptions, withinMs: number): Promise<void> => {
    // pg-boss writes to the database when it stops; when that fails its connections are closed anyway.
    const timer = setTimeout(() => open.forEach((client) => client.abandon()), withinMs);
    try {
      await boss.stop({ ...how, close: true });
    } catch (error) {
      options.log.warn({ reason: (error as Error).message }, "the job queue did not stop cleanly");
    } finally {
      clearTimeout(timer);
      open.forEach((client) => client.abandon());
    }
  };
  try {
    await boss.start();
    for (const queue of options.queues) await openQueue(boss, queue, queueOptions);
  } catch (error) {
    await stop({ graceful: false }, failedStartMs);
    throw error;
  }
  const schedule = createSchedule(boss);
  return {
    schedule,
    unschedule: (name) => boss.unschedule(cleanUpQueue, name),
    async send(db, queue, data) {
      await boss.send(queue, data, { db: sqlOf(db) });
    },
    async work(queue, handler) {
      await boss.work(
        queue,
        {
          localConcurrency: fetchers,
          pollingIntervalSeconds: 2,
          notifyPollingIntervalSeconds,
        },
        async (jobs: Job[]) => {
          await Promise.all(jobs.map((job) => inJob(queue, () => handler(job.data))));
        },
      );
    },
    count: () => countJobs(boss, options.queues),
    async close(graceMs) {
      await stop({ graceful: true, timeout: graceMs }, graceMs + stopMs);
    },
  };
}

async function countJobs(boss: PgBoss, names: readonly string[]): Promise<QueueCounts[]> {
  const queues = await boss.getQueues([...names, cleanUpQueue]);
  return queues.map(({ name, readyCount, activeCount, failedCount }) => ({
    queue: name,
    ready: readyCount,
    active: activeCount,
    failed: failedCount,
  }));
}

const inJob = (queue: string, work: () => Promise<void>): Promise<void> =>
  inSpan(
    "job",
    { name: `job ${queue}`, parent: noParent, attributes: () => ({ "plinth.job.queue": queue }) },
    work,
  );

/** For jobs whose notice was lost and for repeated ones: those who queue a job also find its work in their sweeps. */
const notifyPollingIntervalSeconds = 60;

/** How long ended jobs are kept. Only the metric of failed jobs reads them; plans and logs say how work ended. */
const endedJobSeconds = 600;
/** How often ended jobs are deleted. The default of pg-boss is once a day, which is millions of rows at many starts a second. */
const deleteEverySeconds = 300;

/** No job of ours depends on another one, which pg-boss would look for every 5 seconds. */
const unusedSeconds = 3_600;
/** Longer than the time between two looks at the schedule, so that an idle process does not open connections for each. */
const idleTimeoutMillis = 60_000;
/** How late a scheduled clean-up may begin. The default of 5 seconds costs an idle process as much as all clean-ups. */
const cronSeconds = 30;

const queueOptions = {
  notify: true,
  retryLimit: 100,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 30,
  heartbeatSeconds: 30,
  expireInSeconds: longestJobSeconds,
  deleteAfterSeconds: endedJobSeconds,
};

/** A queue that an older release has made gets the options of this one; only its policy stays. */
async function openQueue(
  boss: PgBoss,
  name: string,
  options: NonNullable<Parameters<PgBoss["createQueue"]>[1]>,
): Promise<void> {
  await boss.createQueue(name, options);
  const { policy: _, ...others } = options;
  await boss.updateQueue(name, others);
}

const cleanUpQueue = "clean-up";
/** `exclusive`: one job of a key is queued or running at a time. */
const cleanUpOptions = {
  policy: "exclusive" as const,
  notify: true,
  retryLimit: 3,
  retryDelay: 10,
  retryBackoff: true,
  // A clean-up whose process has sent no heartbeat for this long is given to another process.
  heartbeatSeconds: 30,
  expireInSeconds: 600,
  deleteAfterSeconds: endedJobSeconds,
};

/** All clean-ups share one queue, which is looked at seldom: an idle process is to cost next to nothing. */
function createSchedule(boss: PgBoss): Jobs["schedule"] {
  const cleanUps = new Map<string, () => Promise<void>>();
  let working: Promise<unknown> | undefined;
  const begin = async (): Promise<void> => {
    await openQueue(boss, cleanUpQueue, cleanUpOptions);
    const polling = { pollingIntervalSeconds: 60, notifyPollingIntervalSeconds: 60 };
    await boss.work(cleanUpQueue, polling, async (jobs: Job<{ name: string }>[]) => {
      // A name that this process does not know belongs to another release.
      for (const { data } of jobs) {
        const cleanUp = cleanUps.get(data.name);
        if (cleanUp !== undefined) await inJob(data.name, cleanUp);
      }
    });
  };
  return async (name, cron, cleanUp) => {
    cleanUps.set(name, cleanUp);
    working ??= begin();
    await working;
    await boss.schedule(cleanUpQueue, cron, { name }, { key: name, singletonKey: name });
  };
}

/** pg-boss hands these on to its pool, whose connections have no limits otherwise. */
const ofPool = (Client: typeof LimitedClient) => ({
  Client,
  limitMs: 35_000,
  statement_timeout: 30_000,
  query_timeout: listenMs,
  idleTimeoutMillis,
});
/**
 * For the one connection that pg-boss opens beside its pool: where the database never answers its LISTEN, a start would wait
 * for ever. pg-boss warns and polls then.
 */
const listenMs = 5_000;

/** How long its last statements may take: after a start that failed, and after the grace of a stop. */
const failedStartMs = 1_000;
const stopMs = 2_000;

const sqlOf = (db: Db) => ({
  executeSql: (text: string, values: unknown[] = []) => db.query<Record<string, unknown>>(text, values),
});
