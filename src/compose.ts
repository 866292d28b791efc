/** Makes the means of a process, starts its halves, and says in which order all of it stops. */
import { accessQueue } from "./builder/access-requests/queue.ts";
import { hookQueue } from "./builder/hooks/queue.ts";
import { createAdapterClient, type AdapterClient } from "./coordinator/adapter-protocol/client.ts";
import { createServiceClient } from "./coordinator/external-services/client.ts";
import { accessSyncId } from "./coordinator/external-services/tasks.ts";
import { createGroupWriter } from "./coordinator/execution/record/group-writer.ts";
import { driftQueue } from "./coordinator/drift/queue.ts";
import { planQueue } from "./coordinator/execution/queue.ts";
import type { Engine } from "./coordinator/execution/run.ts";
import { createPollPace } from "./coordinator/execution/poll-pace.ts";
import { createSlots } from "./coordinator/execution/slots.ts";
import { startPlanWorker, type PlanWorker } from "./coordinator/execution/worker.ts";
import { coordinatorSettings } from "./coordinator/settings.ts";
import { findDueTurns } from "./coordinator/starting/queue-store.ts";
import type { TurnMeans } from "./coordinator/starting/turns.ts";
import type { ReplacedParts } from "./compose-assistant.ts";
import type { Config } from "./platform/config/schema.ts";
import { openDatabase, type Connection, type Database } from "./platform/db/database.ts";
import { startEmbedded } from "./platform/db/embedded.ts";
import { migrate } from "./platform/db/migrate.ts";
import { openInstallationKey } from "./compose-key.ts";
import type { Failure } from "./platform/errors/failure.ts";
import { startJobs, type Jobs } from "./platform/jobs/jobs.ts";
import { expelOlderWorkers } from "./platform/jobs/older-workers.ts";
import type { WorkerProgram } from "./platform/jobs/worker-lease.ts";
import type { Logger } from "./platform/lib/logger.ts";
import type { SecretBox } from "./platform/lib/secret-box.ts";
import { openDoors, type OutboundDoors } from "./platform/outbound/doors.ts";

export const areaNames = ["builder", "assistant", "coordinator"] as const;
export type AreaName = (typeof areaNames)[number];

export interface ProcessRole {
  /** Interfaces that this process serves. */
  areas: readonly AreaName[];
  /** Whether it drives plans: also (on), not (off), or nothing else (only). */
  workers: "on" | "off" | "only";
}

export interface Running {
  /** Where it listens; null for a process of workers only. */
  url: string | null;
  /** As other programs reach it. */
  database: Connection;
  /** Stops accepting, ends streams, hands running work over, closes the database; in that order. */
  close(): Promise<void>;
  /** Resolves when a newer program needs the database to itself: this process has to end. */
  superseded: Promise<Failure>;
}

export type Closer = () => Promise<void>;

export async function startPlinth(
  config: Config,
  role: ProcessRole,
  log: Logger,
  replaced: ReplacedParts = {},
): Promise<Running> {
  const closers: Closer[] = [];
  const close = async (): Promise<void> => {
    for (let next = closers.pop(); next; next = closers.pop()) {
      await next().catch((error: unknown) => log.error({ error }, "a part did not stop cleanly"));
    }
  };
  try {
    const { database, address: reachedAt, schemaVersion } = await startDatabase(config, log, closers);
    // Before anything is begun: what another key has sealed, this process could only misread.
    const secrets = await openInstallationKey(config, database.kysely, log);
    const { promise: superseded, resolve: onSuperseded } = Promise.withResolvers<Failure>();
    const { doors, close: closeDoors } = openDoors(config.outbound, log);
    closers.push(closeDoors);
    const queue: { jobs?: Jobs } = {};
    closers.push(async () => queue.jobs?.close(1_000));
    // The worker comes first: what a dead process has left waits for nothing else.
    const adapters = createAdapterClient({
      outbound: doors.adapters,
      now: clock,
      secret: config.adapters.secret,
    });
    const worker =
      role.workers === "off"
        ? null
        : await startWorker({ config, log, database, doors, adapters }, { schemaVersion, onSuperseded });
    // A part of the time for calls under way: whoever goes on with the plans waits for it, and may repeat them.
    const stopWorker = once(async () => worker?.close(config.server.shutdownGraceMs / 4));
    closers.push(stopWorker);
    if (worker && worker.driving() > 0) await pause(firstCallsMs);
    const jobs = await startJobs({
      database,
      log,
      queues: [planQueue, driftQueue, hookQueue, accessQueue],
      sendOnly: worker === null,
    });
    queue.jobs = jobs;
    await worker?.takeFrom(jobs);
    const means: Means = { config, log, database, schemaVersion, jobs, doors, adapters, secrets };
    const stopWatching = worker ? await startWatching(means, worker.id) : idle;
    closers.push(stopWatching);
    // Loaded late: what a dead process has left of plans waits for nothing else.
    const { createBuilderParts, startBuilderWork } = await import("./compose-builder.ts");
    const builder = await createBuilderParts(means, closers, role.workers === "only");
    const startBuilding = async (): Promise<Closer> => {
      const stop = worker ? once(await startBuilderWork(means, builder, worker.id)) : idle;
      closers.push(stop);
      return stop;
    };
    const { createAssistantMeans, startAssistantWork } = await import("./compose-assistant.ts");
    const needsTools = worker !== null || role.areas.includes("assistant");
    const assistant = await createAssistantMeans({ ...means, builder, needsTools }, replaced, closers);
    const stopAnswering = worker ? once(await startAssistantWork(means, assistant, worker.id)) : idle;
    closers.push(stopAnswering);
    if (role.workers === "only") {
      await startBuilding();
      return { url: null, database: reachedAt, close, superseded };
    }
    const { startServer } = await import("./compose-server.ts");
    const server = await startServer({ ...means, builder, assistant }, role, closers);
    const address = await server.listen();
    // Repositories and answers of hooks are told by the address that is really listened on, which port 0 leaves open.
    if (config.server.baseUrl === undefined) builder.means.settings.baseUrl = address.url;
    const stopBuilding = await startBuilding();
    // Both halves at once: plans are handed over while the last requests are answered.
    closers.push(
      async () =>
        void (await Promise.all([
          server.close(),
          stopWatching(),
          stopBuilding(),
          stopAnswering(),
          stopWorker(),
        ])),
    );
    return { url: address.url, database: reachedAt, close, superseded };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * How long the rest of a start waits for plans that were taken over to make their first calls. Loading the rest would
 * keep the process busy for about as long.
 */
const firstCallsMs = 500;

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => (done ??= work());
}

/** How long calls of webhooks that are under way may take at a stop; what is cut off is sent again. */
const webhookGraceMs = 2_000;

/** What a worker does besides plans: drift checks, and telling the webhooks. */
async function startWatching(means: Means, workerId: string): Promise<Closer> {
  const { config, log, database, jobs, doors, adapters } = means;
  const { webhooks, drift, execution } = config.coordinator;
  const { startDriftWorker } = await import("./coordinator/drift/worker.ts");
  const { callTimeoutMs, pollInitialMs: pollMs } = execution;
  const limits = { ...drift, callTimeoutMs, pollMs };
  const { schedules } = drift;
  const checks = await startDriftWorker({
    database,
    adapters,
    log,
    now: clock,
    workerId,
    limits,
    jobs,
    schedules,
  });
  if (webhooks.length === 0) return once(() => checks.close());
  const source = `${config.server.baseUrl?.replace(/\/+$/, "") ?? ""}/api/coordinator`;
  const { startOutgoing } = await import("./coordinator/outgoing-events/worker.ts");
  const outbound = doors.webhooks;
  const outgoing = await startOutgoing({ database, outbound, log, now: clock, workerId, source, webhooks });
  return once(async () => void (await Promise.all([checks.close(), outgoing.close(webhookGraceMs)])));
}

export interface Means {
  config: Config;
  log: Logger;
  database: Database;
  /** Number of the newest migration that this program knows. */
  schemaVersion: number;
  jobs: Jobs;
  doors: OutboundDoors;
  adapters: AdapterClient;
  /** Seals and opens with the key of the installation. */
  secrets: SecretBox;
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
const clock = (): Date => new Date();
const idle: Closer = async () => {};

interface StartedDatabase {
  database: Database;
  /** Over TCP. */
  address: Connection;
  /** That this program knows. */
  schemaVersion: number;
}

async function startDatabase(config: Config, log: Logger, closers: Closer[]): Promise<StartedDatabase> {
  const { host, port, user, password, dbname, schema } = config.database.coordinator;
  let address: Connection = { host: host ?? "127.0.0.1", port, user, password, dbname, schema };
  let connection = address;
  if (config.database.embedded) {
    const embedded = await startEmbedded({ dataDir: config.dataDir });
    closers.push(() => embedded.stop());
    address = { ...address, port: embedded.port, user: embedded.user, password: embedded.password };
    connection = { ...address, host: embedded.socket ?? embedded.host };
    log.info(
      { port: embedded.port, adopted: embedded.adopted, dataDir: config.dataDir },
      "embedded PostgreSQL runs",
    );
  }
  const database = openDatabase({ connection, log });
  closers.push(() => database.close());
  const { applied, schemaVersion } = await migrate(database, {
    newSchema: config.database.coordinator.newSchema,
    expelOlder: (required, migration) => expelOlderWorkers(database, { required, migration, log }),
  });
  if (applied.length > 0) log.info({ applied }, "database migrated");
  return { database, address, schemaVersion };
}

/** Most turns that one look takes. */
const turnsAtATime = 20;

/** The planner is loaded when the first turn comes: a process that only drives plans starts sooner without it. */
function turnTaker(means: TurnMeans): () => Promise<string[]> {
  return async () => {
    const due = await findDueTurns(means.database.kysely, turnsAtATime);
    if (due.length === 0) return [];
    const { takeTurn } = await import("./coordinator/starting/turns.ts");
    const begun: string[] = [];
    for (const turn of due) {
      const hasBegun = await takeTurn(means, turn).catch((error: Error) => {
        means.log.warn({ planId: turn.planId, reason: error.message }, "a turn can't be taken yet");
        return false;
      });
      if (hasBegun) begun.push(turn.planId);
    }
    return begun;
  };
}

/** How long a group of writes is tried again while the database is away; longer than most restarts take. */
const writeRetryMs = 60_000;

type WorkerMeans = Omit<Means, "jobs" | "secrets" | "schemaVersion">;

function startWorker(
  { config, log, database, doors, adapters }: WorkerMeans,
  program: WorkerProgram,
): Promise<PlanWorker> {
  const { execution } = config.coordinator;
  const engine: Engine = {
    database,
    log,
    now: clock,
    limits: execution,
    writer: createGroupWriter({ pool: database.pool, log, retryForMs: writeRetryMs }),
    pace: createPollPace(),
    slots: createSlots({
      ...execution,
      total: execution.parallelTasks,
      perAdapter: execution.parallelTasksPerAdapter,
    }),
    adapters,
    services: createServiceClient({ outbound: doors.services, now: clock, secrets: serviceSecrets(config) }),
  };
  return startPlanWorker(engine, {
    leaseMs: execution.leaseMs,
    parallelPlans: execution.parallelPlans,
    program,
    takeTurns: turnTaker({ database, log, now: clock, settings: coordinatorSettings(config) }),
  });
}

/** What calls to external services are signed by. */
function serviceSecrets(config: Config): Map<string, string> {
  const { services } = config["marketplace-compliant-services"];
  const sync = { id: accessSyncId, secret: config.coordinator.accessSync.secret };
  return new Map([...services, sync].flatMap(({ id, secret }) => (secret ? [[id, secret]] : [])));
}
