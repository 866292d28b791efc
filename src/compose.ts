/** Makes the means of a process, starts its halves, and says in which order all of it stops. */
import { accessQueue } from "./builder/access-requests/queue.ts";
import { hookQueue } from "./builder/hooks/queue.ts";
import { createAdapterClient, type AdapterClient } from "./coordinator/adapter-protocol/client.ts";
import { driftQueue } from "./coordinator/drift/queue.ts";
import { planQueue } from "./coordinator/execution/queue.ts";
import type { ReplacedParts } from "./compose-assistant.ts";
import { openInstallationKey } from "./compose-key.ts";
import { startWatching, startWorker } from "./compose-workers.ts";
import type { Config } from "./platform/config/schema.ts";
import { openDatabase, type Connection, type Database } from "./platform/db/database.ts";
import { startEmbedded } from "./platform/db/embedded.ts";
import { migrate } from "./platform/db/migrate.ts";
import { startFailure } from "./platform/db/start-failure.ts";
import { withinStartLimit } from "./platform/db/start-limit.ts";
import type { Failure } from "./platform/errors/failure.ts";
import type { EarlyListener } from "./platform/http/door.ts";
import { startJobs, type Jobs } from "./platform/jobs/jobs.ts";
import { expelOlderWorkers } from "./platform/jobs/older-workers.ts";
import { prepareDataFolder } from "./platform/lib/data-folder.ts";
import type { Logger } from "./platform/lib/logger.ts";
import { createOpened, type CloseLimits, type Opened } from "./platform/lib/opened.ts";
import type { SecretBox } from "./platform/lib/secret-box.ts";
import { openOutboundClients, type OutboundClients } from "./platform/outbound/doors.ts";

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

export interface StartOptions extends ReplacedParts {
  /** Its abortion ends a start under way, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Where the parts of the process are registered as they are opened. */
  opened?: Opened | undefined;
}

interface Start {
  config: Config;
  role: ProcessRole;
  log: Logger;
  signal: AbortSignal | undefined;
  opened: Opened;
  replaced: ReplacedParts;
}

/** Starts what the role says. When it rejects, all that it had begun has been ended, or was logged as hanging. */
export async function startPlinth(
  config: Config,
  role: ProcessRole,
  log: Logger,
  { signal, opened = createOpened({ log, signal }), ...replaced }: StartOptions = {},
): Promise<Running> {
  const start: Start = { config, role, log, signal, opened, replaced };
  try {
    if (needsDataFolder(config))
      await opened.wait("the data directory", () => prepareDataFolder(config.dataDir));
    const earlyListener = role.workers === "only" ? null : await openAddress(start);
    const { connection, reachedAt } = await openServer(start);
    const { promise: superseded, resolve: onSuperseded } = Promise.withResolvers<Failure>();
    try {
      await withinStartLimit(() => startParts(start, { connection, earlyListener, onSuperseded }));
    } catch (error) {
      throw startFailure(error, connection, { isEmbedded: config.database.embedded });
    }
    const url = earlyListener?.address.url ?? null;
    return { url, database: reachedAt, superseded, close: () => opened.close(stopLimits(config)) };
  } catch (error) {
    await opened.close(failedStart);
    throw error;
  }
}

/** A start that fails has ended within this time; one part that hangs leaves the others enough of it. */
const failedStart: CloseLimits = { totalMs: 3_500, workMs: 1_000, partMs: 1_000 };

/** What parts at work may take at least, whatever the grace: calls of third parties get two seconds. */
const shortestWorkMs = 2_000;
const afterWorkMs = 1_500;

/** After so long a process that was told to stop has ended, whatever hangs. */
export const longestStopMs = ({ server }: Config): number =>
  Math.max(server.shutdownGraceMs, shortestWorkMs) + afterWorkMs;

const stopLimits = (config: Config): CloseLimits => ({ workMs: longestStopMs(config) - afterWorkMs / 2 });

/** A process that never writes a file starts without a folder for them. */
const needsDataFolder = ({ database, mesh }: Config): boolean =>
  database.embedded || mesh.builder.instantiations.secretKey === undefined;

/** Before anything else is begun: a used port is found while there is nothing to undo. */
async function openAddress({ config, opened }: Start): Promise<EarlyListener> {
  const { openEarlyListener } = await import("./platform/http/door.ts");
  return opened.open(
    "the address",
    () => openEarlyListener(config.server, () => opened.underWay()),
    (earlyListener) => earlyListener.close(),
  );
}

interface StartedServer {
  /** As this process reaches the database. */
  connection: Connection;
  /** As others do, over TCP. */
  reachedAt: Connection;
}

/** PostgreSQL: the configured one, or the embedded one, which is started. */
async function openServer({ config, log, signal, opened }: Start): Promise<StartedServer> {
  const { host, port, user, password, dbname, schema } = config.database.coordinator;
  const reachedAt: Connection = { host: host ?? "127.0.0.1", port, user, password, dbname, schema };
  if (!config.database.embedded) return { connection: reachedAt, reachedAt };
  const embedded = await opened.open(
    "the embedded PostgreSQL",
    () => startEmbedded({ dataDir: config.dataDir, signal }),
    (server) => server.stop(),
    { limitMs: embeddedStopMs },
  );
  const { adopted } = embedded;
  log.info({ port: embedded.port, adopted, dataDir: config.dataDir }, "embedded PostgreSQL runs");
  const own = { ...reachedAt, port: embedded.port, user: embedded.user, password: embedded.password };
  return { connection: { ...own, host: embedded.socket ?? embedded.host }, reachedAt: own };
}

/** It writes down what it has in memory. */
const embeddedStopMs = 10_000;

interface PartsFrom {
  connection: Connection;
  earlyListener: EarlyListener | null;
  onSuperseded: (reason: Failure) => void;
}

/** The parts in the order in which they need each other. Requests are served once all of them are there. */
async function startParts(
  start: Start,
  { connection, earlyListener, onSuperseded }: PartsFrom,
): Promise<void> {
  const { config, role, log, signal, opened, replaced } = start;
  const database = openDatabase({ connection, log });
  opened.add("the database", () => database.close());
  const { applied, schemaVersion } = await opened.wait("the migrations", () =>
    migrate(database, {
      newSchema: config.database.coordinator.newSchema,
      expelOlder: (required, migration) => expelOlderWorkers(database, { required, migration, log }),
      signal,
    }),
  );
  if (applied.length > 0) log.info({ applied }, "database migrated");
  // Before anything is begun: what another key has sealed, this process could only misread.
  const secrets = await opened.wait("the key", () => openInstallationKey(config, database.kysely, log));
  const { clients: outboundClients, close: closeOutboundClients } = openOutboundClients(config.outbound, log);
  opened.add("the outbound connections", closeOutboundClients);
  const { secret } = config.adapters;
  const adapters = createAdapterClient({ outbound: outboundClients.adapters, now: clock, secret });
  const atWork = { isAtWork: true };
  // The worker comes first: what a dead process has left waits for nothing else.
  const worker =
    role.workers === "off"
      ? null
      : await opened.open(
          "the plan worker",
          () =>
            startWorker(
              { config, log, database, outboundClients, adapters },
              { schemaVersion, onSuperseded },
            ),
          // A part of the time for calls under way: whoever goes on with the plans waits for it, and may repeat them.
          (started) => started.close(config.server.shutdownGraceMs / 4),
          atWork,
        );
  if (worker && worker.driving() > 0) await opened.wait("the first calls", () => pause(firstCallsMs));
  const queues = [planQueue, driftQueue, hookQueue, accessQueue];
  const jobs = await opened.open(
    "the job queue",
    () => startJobs({ database, log, queues, sendOnly: worker === null }),
    (started) => started.close(jobsGraceMs),
    { limitMs: 2 * jobsGraceMs },
  );
  const deps: Deps = { config, log, database, schemaVersion, jobs, outboundClients, adapters, secrets };
  if (worker) {
    await opened.wait("the queue of plans", () => worker.takeFrom(jobs));
    await opened.open("the watching", () => startWatching(deps, worker.id), stop, atWork);
  }
  // Loaded late: what a dead process has left of plans waits for nothing else.
  const { createBuilderParts, startBuilderWork } = await import("./compose-builder.ts");
  const builder = await createBuilderParts(deps, opened, role.workers === "only");
  // Repositories and answers of hooks are told by the address that is really listened on, which port 0 leaves open.
  if (earlyListener && config.server.baseUrl === undefined)
    builder.deps.settings.baseUrl = earlyListener.address.url;
  const { createAssistantDeps, startAssistantWork } = await import("./compose-assistant.ts");
  const needsTools = worker !== null || role.areas.includes("assistant");
  const assistant = await createAssistantDeps({ ...deps, builder, needsTools }, replaced, opened);
  if (worker) {
    const { id } = worker;
    await opened.open(
      "the runs of the assistant",
      () => startAssistantWork(deps, assistant, id),
      stop,
      atWork,
    );
    await opened.open("the work of the builder", () => startBuilderWork(deps, builder, id), stop, atWork);
  }
  if (earlyListener) {
    const { openHttpServer } = await import("./compose-server.ts");
    const server = await openHttpServer({ ...deps, builder, assistant }, { role, earlyListener, opened });
    await server.listen();
  }
}

/**
 * How long the rest of a start waits for plans that were taken over to make their first calls. Loading the rest would
 * keep the process busy for about as long.
 */
const firstCallsMs = 500;
const jobsGraceMs = 1_000;

export interface Deps {
  config: Config;
  log: Logger;
  database: Database;
  /** Number of the newest migration that this program knows. */
  schemaVersion: number;
  jobs: Jobs;
  outboundClients: OutboundClients;
  adapters: AdapterClient;
  /** Seals and opens with the key of the installation. */
  secrets: SecretBox;
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
const clock = (): Date => new Date();
const stop = (close: Closer): Promise<void> => close();
