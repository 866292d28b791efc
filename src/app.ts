/** Starts what a process is to do, wires the areas together, and says in which order all of it stops. */
import about from "../package.json" with { type: "json" };
import { join } from "node:path";
import type { ReplacedParts } from "./assistant/module.ts";
import { coordinatorQueues, createCoordinator, startPlanExecution } from "./coordinator/module.ts";
import { openGovernance, type OpenGovernance } from "./governance/core.ts";
import { governanceConnection } from "./governance/database.ts";
import type { AskAgent } from "./governance/ports.ts";
import { openAuditChain, type AuditChain } from "./platform/audit/seal.ts";
import type { Config } from "./platform/config/schema/schema.ts";
import type { Connection } from "./platform/db/database.ts";
import { openOwnership } from "./governance/ownership/ownership.ts";
import { startFailure } from "./platform/db/start/start-failure.ts";
import { withinStartLimit } from "./platform/db/start/start-limit.ts";
import type { Failure } from "./platform/errors/failure.ts";
import type { PageFolder } from "./platform/http/pages/read-folder.ts";
import type { EarlyListener } from "./platform/http/listening/early-listener.ts";
import type { Check } from "./platform/lib/check.ts";
import type { Logger } from "./platform/lib/logger.ts";
import { createOpened, type Opened } from "./platform/lib/opened.ts";
import type { ReadSealed } from "./platform/runtime/keys/claim-keys.ts";
import type { SealedPlace } from "./platform/runtime/keys/sealed-place.ts";
import * as runtime from "./platform/runtime/open-platform.ts";
import { createDoctor } from "./platform/doctor/doctor.ts";
import type { RetentionRule } from "./platform/jobs/retention.ts";
import type { AreaModule, Platform, PlatformBase } from "./platform/runtime/platform.ts";
import type { Reloads } from "./platform/runtime/reloads.ts";
import { failedStart, stopLimits } from "./platform/runtime/stop-limits.ts";

export const areaNames = ["builder", "assistant", "coordinator", "governance", "data-layer"] as const;
export type AreaName = (typeof areaNames)[number];

export interface ProcessRole {
  /** Interfaces that this process serves. */
  areas: readonly AreaName[];
  /** Whether it does background work: also (on), not (off), or nothing else (only). */
  workers: "on" | "off" | "only";
}

export interface Running {
  /** Where it listens; null for a process of workers only, unless `server.workersListen` is set. */
  url: string | null;
  /** Where people open the console; null where it is not served. */
  consoleUrl: string | null;
  /** As other programs reach it. */
  database: Connection;
  /** Stops accepting, ends streams, hands running work over, closes the database; in that order. */
  close(): Promise<void>;
  /** Resolves when a newer program needs the database to itself: this process has to end. */
  superseded: Promise<Failure>;
  /** Takes another configuration as far as it can be taken at run time. */
  reloads: Reloads;
}

export interface StartOptions extends ReplacedParts {
  /** Aborting it ends a start that is under way, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Where the parts of the process are registered as they are opened. */
  opened?: Opened | undefined;
  /** Starts the threads that render templates with their first job, as processes of workers do, and not at once. */
  lateThreads?: boolean;
}

/** Starts what the role says. When it rejects, all that it had begun has been ended, or was logged as hanging. */
export async function startPlinth(
  config: Config,
  role: ProcessRole,
  log: Logger,
  { signal, opened = createOpened({ log, signal }), lateThreads, ...replaced }: StartOptions = {},
): Promise<Running> {
  const start = { config, log, signal, opened };
  try {
    await runtime.openDataFolder(start);
    const isSilent = role.workers === "only" && !config.server.workersListen;
    const listener = isSilent ? null : await runtime.openAddress(start);
    const { connection, reachedAt } = await runtime.openPostgres(start);
    const { promise: superseded, resolve: onSuperseded } = Promise.withResolvers<Failure>();
    try {
      const { reloads, hasConsole } = await withinStartLimit(async () => {
        const base = await runtime.openPlatform(start, connection, readSealed);
        const startLate = lateThreads ?? role.workers === "only";
        const governance = await openGovernance(base, { signal, agents: agentsOf(base) });
        const parts = { role, listener, startLate, replaced, onSuperseded, governance };
        return { reloads: base.reloads, ...(await startParts(base, parts)) };
      });
      const url = listener?.address.url ?? null;
      const consoleUrl = hasConsole ? `${(config.server.baseUrl ?? url ?? "").replace(/\/+$/, "")}/` : null;
      const close = (): Promise<void> => opened.close(stopLimits(config));
      return { url, consoleUrl, database: reachedAt, superseded, reloads, close };
    } catch (error) {
      throw startFailure(error, connection, { isEmbedded: config.database.embedded });
    }
  } catch (error) {
    await opened.close(failedStart);
    throw error;
  }
}

interface Parts {
  role: ProcessRole;
  /** Null for a process of workers only that does not listen. */
  listener: EarlyListener | null;
  /** Whether threads that render templates are started with their first job. */
  startLate: boolean;
  replaced: ReplacedParts;
  onSuperseded: (reason: Failure) => void;
  governance: OpenGovernance;
}

interface Served {
  /** Whether the console is built and served. */
  hasConsole: boolean;
}

const atWork = { isAtWork: true };

/** The parts in the order in which they need each other. Requests are served once all of them are there. */
async function startParts(base: PlatformBase, parts: Parts): Promise<Served> {
  const { role, listener, onSuperseded, governance } = parts;
  const { config, opened, schemaVersion } = base;
  const worker =
    role.workers === "off"
      ? null
      : await opened.open(
          "the plan worker",
          () => startPlanExecution(base, coordinatorPorts(base, governance), { schemaVersion, onSuperseded }),
          // A part of the time for calls under way: the worker that takes the plans over waits for it, and may repeat them.
          (started) => started.close(config.server.shutdownGraceMs / 4),
          atWork,
        );
  if (worker && worker.driving() > 0) await opened.wait("the first calls", () => pause(firstCallsMs));
  const platform = await runtime.addJobs(base, {
    queues: coordinatorQueues,
    sendOnly: worker === null,
  });
  if (worker) await opened.wait("the queue of plans", () => worker.takeFrom(platform.jobs));
  const modules = await createModules(platform, parts);
  if (worker) {
    await openRetention(platform, modules, governance);
    for (const [name, module] of Object.entries(modules))
      await opened.open(
        `the work of the ${name}`,
        () => module.start(worker.id),
        () => module.close(),
        atWork,
      );
    await startSealer(platform, governance);
  }
  if (listener === null) return { hasConsole: false };
  return serve(platform, { areas: servedAreas(role), modules, listener, governance });
}

/** Old rows of all areas are deleted by one job, which any process with workers takes. */
async function openRetention(
  platform: Platform,
  modules: Modules,
  governance: OpenGovernance,
): Promise<void> {
  const { config, database, jobs, log, now, opened } = platform;
  const rules = await rulesOf(platform, modules, governance);
  const { startRetention } = await import("./platform/jobs/retention.ts");
  const { batchRows, busyPercent } = config.retention;
  await opened.open(
    "the deletion of old rows",
    () => startRetention({ database, jobs, log, now, rules, batchRows, busyPercent }),
    (started) => started.close(),
    atWork,
  );
}

async function rulesOf(
  platform: Platform,
  modules: Record<string, AreaModule>,
  governance: OpenGovernance,
): Promise<RetentionRule[]> {
  const { auditRetention } = await import("./platform/audit/retention.ts");
  const { config, now } = platform;
  const keepDays = config.retention.auditDays;
  const ofAreas = await Promise.all(Object.values(modules).map((module) => module.retentionRules()));
  return [...ofAreas.flat(), ...auditRetention(auditsOf(platform, governance), { keepDays, now })];
}

/** Of the platform and of all areas, in the order in which they are shown. */
async function checksOf(
  platform: Platform,
  modules: Record<string, AreaModule>,
  governance: OpenGovernance,
): Promise<Check[]> {
  const { auditChecks, installationChecks, processChecks } =
    await import("./platform/doctor/platform-checks.ts");
  const { database, jobs } = platform;
  const now = (): number => platform.now().getTime();
  const ofAreas = await Promise.all(Object.values(modules).map((module) => module.checks()));
  return [
    // The settings as they are now, after reloads.
    ...installationChecks({ ...platform, config: platform.reloads.config(), now, places: sealedPlaces }),
    ...auditChecks(auditsOf(platform, governance), now),
    ...processChecks(database, jobs),
    ...ofAreas.flat(),
  ];
}

/** After the areas have started: what they change of older audit rows is done by then. */
async function startSealer(platform: Platform, governance: OpenGovernance): Promise<void> {
  const { config, log, now, opened } = platform;
  const { startAuditSealer } = await import("./platform/audit/sealer.ts");
  const chains = auditsOf(platform, governance);
  const sealer = startAuditSealer({ chains, log, now, everyMs: config.audit.sealEveryMs });
  opened.add("the audit's chain", () => sealer.close(), atWork);
}

/** A process of workers only has its health and its metrics to show. */
const servedAreas = ({ areas, workers }: ProcessRole): readonly AreaName[] =>
  workers === "only" ? [] : areas;

type Modules = Awaited<ReturnType<typeof createModules>>;

/** The areas, each with what it needs from the others. They are loaded here, so that plans resume before that. */
async function createModules(platform: Platform, parts: Parts) {
  const { role, listener, startLate, replaced } = parts;
  /** Where the areas are reached; nowhere at a process of workers only. */
  const url = role.workers === "only" ? null : (listener?.address.url ?? null);
  const { createBuilder } = await import("./builder/module.ts");
  const { createAssistant } = await import("./assistant/module.ts");
  const { createGovernance } = await import("./governance/module.ts");
  const { openInProcessClient } = await import("./platform/runtime/in-process-client.ts");
  const coordinator = createCoordinator(platform, {
    ...coordinatorPorts(platform, parts.governance),
    guardians: parts.governance.guardians,
    audits: auditsOf(platform, parts.governance),
    openApproval: (ctx, tx, wanted) => builder.openApproval(ctx, tx, wanted),
    closeApproval: (ctx, tx, actionId, reason) => builder.closeApproval(ctx, tx, actionId, reason),
    people: peopleIn(platform),
    notices: () => [builder.notices, assistant.notices, governance.notices],
    waiting: [
      { kind: "HOOK", list: (ctx, page) => builder.listWaiting(ctx, page) },
      { kind: "APPROVAL", list: (ctx, page) => assistant.listWaiting(ctx, page) },
      { kind: "EXCEPTION", list: (ctx, page) => governance.listWaiting(ctx, page) },
    ],
    // The modules are made below; a search comes when they are there.
    search: () => [...builder.search, governance.search, ...assistant.search],
    retentionRules: () => rulesOf(platform, modules, parts.governance),
    doctor: createDoctor({
      checks: () => checksOf(platform, modules, parts.governance),
      log: platform.log,
      now: platform.now,
      version: about.version,
    }),
  });
  const governance = createGovernance(platform, {
    core: await parts.governance.core(),
    deployedUnits: coordinator.deployedUnits,
    readApprovals: coordinator.readApprovals,
    readOwners: coordinator.readOwners,
    readGroups: groupsIn(platform),
    readOwnership: coordinator.readOwnership,
    decideOwnership: ownershipOf(platform, parts.governance),
  });
  const builder = await createBuilder(
    platform,
    {
      techAdapters: { register: coordinator.registerAdapter },
      access: coordinator.access,
      reverseProvisioning: coordinator.reverseProvisioning,
      decideApproval: coordinator.decideApproval,
      readPlanDiff: coordinator.readPlanDiff,
      deployedUnits: coordinator.deployedUnits,
    },
    { startLate, url },
  );
  const assistant = await createAssistant(
    platform,
    {
      callPlatform: openInProcessClient(platform, () =>
        Promise.all([builder.area(), coordinator.area(), governance.area(), assistant.searchArea()]),
      ),
      decideAction: async (ctx, action) => (await parts.governance.core()).decideAction(ctx, action),
      feeds: { entities: builder.entities, descriptors: coordinator.descriptors },
    },
    {
      ...replaced,
      needsTools: role.workers !== "off" || role.areas.includes("assistant"),
      url,
    },
  );
  const { createAuth } = await import("./auth/module.ts");
  const auth = createAuth(platform, { readGroups: groupsIn(platform), version: about.version, url });
  const { createDataLayer } = await import("./data-layer/module.ts");
  const own = platform.database.connection;
  const dataLayer = createDataLayer(platform, {
    connections: { coordinator: own, governance: governanceConnection(platform.config, own) },
    isAlone: role.areas.length === 1 && role.workers === "off",
  });
  const modules = { governance, coordinator, builder, assistant, "data-layer": dataLayer, auth };
  return modules;
}

interface Serving {
  areas: readonly AreaName[];
  modules: Modules;
  listener: EarlyListener;
  governance: OpenGovernance;
}

async function serve(platform: Platform, { areas, modules, listener, governance }: Serving): Promise<Served> {
  const { config, log } = platform;
  const { openHttpServer } = await import("./platform/runtime/http-server.ts");
  const { createDatabaseNumbers } = await import("./platform/telemetry/database-numbers.ts");
  const { createMetrics } = await import("./platform/telemetry/metrics.ts");
  const { registerRetentionMetrics } = await import("./platform/jobs/retention-metrics.ts");
  const { describeArea } = await import("./reference/describe-area.ts");
  const { techAdapterDocument } = await import("./reference/tech-adapter.ts");
  const { readPlatformNumbers } = await import("./platform/jobs/worker-store.ts");
  const { registerPlatformMetrics, registerPools } = await import("./platform/runtime/platform-metrics.ts");
  const metrics = createMetrics({ instruments: platform.instruments });
  registerPools(platform.instruments, {
    coordinator: platform.database.pool,
    governance: governance.database.pool,
  });
  const numbers = createDatabaseNumbers(platform.instruments, config.metrics, log);
  registerPlatformMetrics({
    ...platform,
    numbers,
    version: about.version,
    now: () => Date.now(),
    read: () => readPlatformNumbers(platform.database.db),
    countJobs: () => platform.jobs.count(),
  });
  const all: AreaModule[] = Object.values(modules);
  registerRetentionMetrics(numbers, platform.database.db);
  for (const module of all) await module.registerMetrics(numbers);
  const served = [];
  // Whoever serves anything says who the caller is, and makes tokens.
  for (const name of [...areas, ...(areas.length === 0 ? [] : (["auth"] as const))])
    served.push(describeArea(await modules[name].area()));
  const pages = areas.length === 0 ? undefined : await openConsole(platform);
  const server = await openHttpServer(platform, {
    areas: served,
    console: pages,
    otherDocuments: [techAdapterDocument],
    metrics,
    earlyListener: listener,
    governance: { database: governance.database, isAlone: areas.length === 1 && areas[0] === "governance" },
    notReady: () => modules["data-layer"].notReady(),
  });
  await server.listen();
  return { hasConsole: pages != null };
}

/** The built console; null where it was not built, undefined where it is not served. */
async function openConsole({ config, log }: Platform): Promise<PageFolder | null | undefined> {
  const { enabled, folder = shippedConsole } = config.console;
  if (!enabled) return undefined;
  const { readPageFolder } = await import("./platform/http/pages/read-folder.ts");
  const found = await readPageFolder(folder);
  if (found === null && config.console.folder !== undefined)
    log.warn({ folder }, "console.folder has no index.html: the console is not served");
  return found;
}

const shippedConsole = join(import.meta.dirname, "../console/dist");

/** Who did what: in the database of the platform, and of governance in its own. */
export const auditsOf = (
  { database, secrets }: Pick<PlatformBase, "database" | "secrets">,
  governance: Pick<OpenGovernance, "database">,
): AuditChain[] => [
  openAuditChain("platform", { database, secrets }),
  openAuditChain("governance", { database: governance.database, secrets }),
];

/** The agents of the assistant; loaded when the first policy asks one. */
const agentsOf = (base: PlatformBase): AskAgent => ({
  problemOf: async (agentId) => (await import("./assistant/module.ts")).agentProblem(base, agentId),
  ask: async (question) => (await import("./assistant/module.ts")).askAgentOnce(base, question),
});

const ownershipOf = ({ config, database }: PlatformBase, { readOwnershipRules: readRules }: OpenGovernance) =>
  openOwnership(config, { groupsOf: groupsIn({ database }), readRules });

const coordinatorPorts = (base: PlatformBase, governance: OpenGovernance) => ({
  policies: governance.policies,
  ownership: ownershipOf(base, governance),
  readComponentTypes: async () => {
    const { readComponentTypes } = await import("./builder/module.ts");
    return readComponentTypes(base.database.db);
  },
});

/** The groups of people, as the catalogue knows them. */
const groupsIn =
  ({ database }: Pick<PlatformBase, "database">) =>
  async (ref: string): Promise<string[]> => {
    const { groupsOf } = await import("./builder/module.ts");
    return groupsOf(database.db, ref);
  };

/** How they can be reached, and what groups they are in. */
const peopleIn = ({ database }: Pick<PlatformBase, "database">) => ({
  groupsOf: groupsIn({ database }),
  contacts: async (refs: readonly string[]) => {
    const { readContacts } = await import("./builder/module.ts");
    return readContacts(database.db, refs);
  },
});

/** Some of each kind are enough: they are all of one key, or nobody can say which is the right one. */
const maxSamples = 20;

export const readSealed: ReadSealed = async (db) => {
  const samples = [];
  for (const place of await sealedPlaces()) {
    const found = await place.read(db, {
      head: headOfNone,
      after: null,
      limit: Math.min(place.atOnce, maxSamples),
    });
    samples.push(...found.map(({ id, sealed }) => ({ sealed, about: place.aboutOf(id) })));
  }
  return samples;
};

/** No value begins so. */
const headOfNone = Buffer.alloc(12);

/** Everything that is sealed with a key of the installation. */
export async function sealedPlaces(): Promise<SealedPlace[]> {
  const areas = [
    await import("./assistant/module.ts"),
    await import("./builder/module.ts"),
    await import("./auth/module.ts"),
  ];
  return areas.flatMap((area) => area.sealedPlaces);
}

/**
 * How long the rest of a start waits for plans that were taken over to make their first calls. Loading the rest would
 * keep the process busy for about as long.
 */
const firstCallsMs = 500;

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
