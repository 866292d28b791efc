/** Opens what the areas work with, in the order in which the parts need each other. */
import { createProviderClient } from "../auth/browser/provider-client.ts";
import { browserProvider, browserProviders, openBrowserSessions } from "../auth/browser/sessions.ts";
import { openStoredTokens } from "../auth/tokens/stored-tokens.ts";
import type { Config } from "../config/schema/schema.ts";
import { changingPassword } from "../db/changing-password.ts";
import { openDatabase, type Connection } from "../db/database.ts";
import { startEmbedded } from "../db/start/embedded.ts";
import { migrate } from "../db/migrations/migrate.ts";
import { createEventHub } from "../events/events.ts";
import type { EarlyListener } from "../http/listening/early-listener.ts";
import { startJobs, type JobsOptions } from "../jobs/jobs.ts";
import { expelOlderWorkers } from "../jobs/older-workers.ts";
import { DatabaseWait } from "../lib/database-wait.ts";
import { withinDatabaseWait } from "../lib/request-scope.ts";
import { prepareDataFolder } from "../lib/files/data-folder.ts";
import type { Logger } from "../lib/logger.ts";
import type { Opened } from "../lib/opened.ts";
import { openOutboundClients } from "../outbound/outbound-clients.ts";
import { openSharedLimits } from "../shared-limits/shared-limits.ts";
import { createInstruments } from "../telemetry/instruments.ts";
import type { ReadSealed } from "./keys/claim-keys.ts";
import { openInstallationKeys } from "./keys/installation-keys.ts";
import type { Platform, PlatformBase } from "./platform.ts";
import { createReloads } from "./reloads.ts";

export interface ProcessStart {
  config: Config;
  log: Logger;
  /** Aborting it ends the start. */
  signal: AbortSignal | undefined;
  opened: Opened;
}

/** Makes the data directory, unless the process never writes a file. */
export async function openDataFolder({ config, opened }: ProcessStart): Promise<void> {
  const { database, mesh, dataDir } = config;
  if (database.embedded || mesh.builder.instantiations.secretKey === undefined)
    await opened.wait("the data directory", () => prepareDataFolder(dataDir));
}

/** Before anything else is begun: a used port is found while there is nothing to undo. */
export async function openAddress({ config, opened }: ProcessStart): Promise<EarlyListener> {
  const { openEarlyListener } = await import("../http/listening/early-listener.ts");
  return opened.open(
    "the address",
    () => openEarlyListener(config.server, () => opened.underWay()),
    (listener) => listener.close(),
  );
}

export interface StartedPostgres {
  /** As this process reaches the database. */
  connection: Connection;
  /** As other programs reach it, over TCP. */
  reachedAt: Connection;
}

/** The embedded PostgreSQL writes to disk what it has in memory when it stops. */
const embeddedStopMs = 10_000;

/** The configured PostgreSQL, or the embedded one, which is started. */
export async function openPostgres({ config, log, signal, opened }: ProcessStart): Promise<StartedPostgres> {
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

/** How long the keys of a reload wait for the database. */
const reloadMs = 15_000;

/** The database with its schema, the key of the installation, and the outbound connections. */
export async function openPlatform(
  { config, log, signal, opened }: ProcessStart,
  started: Connection,
  readSealed: ReadSealed,
): Promise<PlatformBase> {
  const password = changingPassword(started, (of) => of.database.coordinator.password);
  // The embedded database has a password of its own.
  const connection = config.database.embedded ? started : password.connection;
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
  // Before anything is begun: this process could only misread what another key has sealed.
  const keys = await opened.open(
    "the keys of the installation",
    () => openInstallationKeys(config, { database, log, readSealed }),
    (held) => held.close(),
  );
  const reloads = createReloads(config);
  reloads.add((next) => withinDatabaseWait(new DatabaseWait(reloadMs), () => keys.reload(next)));
  if (!config.database.embedded) reloads.add(password.prepare);
  const { clients: outbound, close } = openOutboundClients(config.outbound, log);
  opened.add("the outbound connections", close);
  const limits = openSharedLimits({ database, log });
  opened.add("the shares of limits", () => limits.close());
  const now = (): Date => new Date();
  const { secrets } = keys;
  const { ownerDays } = config.accessTokens;
  const tokens = openStoredTokens({ database, secrets, ownerDays, now, log });
  const sessions = openBrowserSessions({
    database,
    tokens,
    secrets,
    ownerDays,
    now,
    log,
    providers: browserProviders(config.auth),
    openClient: (provider) =>
      createProviderClient({
        provider,
        clientSecret: () =>
          browserProvider(reloads.config().auth, provider.name)?.settings.browser.clientSecret,
        outbound: outbound.issuers,
        now,
      }),
    limits: config.console.sessions,
    baseUrl: config.server.baseUrl,
  });
  const instruments = createInstruments();
  const opening = { config, reloads, log, now, opened, database, schemaVersion, outbound };
  return { ...opening, secrets, tokens, sessions, limits, instruments };
}

const jobsGraceMs = 1_000;

/** Adds the job queue and the event hub. */
export async function addJobs(
  base: PlatformBase,
  options: Pick<JobsOptions, "queues" | "sendOnly">,
): Promise<Platform> {
  const { opened, database, log } = base;
  const jobs = await opened.open(
    "the job queue",
    () => startJobs({ database, log, ...options }),
    (started) => started.close(jobsGraceMs),
    { limitMs: 2 * jobsGraceMs },
  );
  const hub = await opened.open(
    "the event hub",
    () => createEventHub(database),
    (made) => made.close(),
  );
  return { ...base, jobs, hub };
}
