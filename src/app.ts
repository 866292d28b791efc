/** Starts what a process is to do, and says in which order all of it stops. */
import about from "../package.json" with { type: "json" };
import type { ReplacedParts } from "./assistant/module.ts";
import { agentsOf, auditsOf, coordinatorPorts, createAreas, readSealed, type ProcessRole } from "./areas.ts";
import { coordinatorQueues, startPlanExecution } from "./coordinator/module.ts";
import { openGovernance, type OpenGovernance } from "./governance/core.ts";
import type { Config } from "./platform/config/schema/schema.ts";
import type { Connection } from "./platform/db/database.ts";
import { startFailure } from "./platform/db/start/start-failure.ts";
import { withinStartLimit } from "./platform/db/start/start-limit.ts";
import type { Failure } from "./platform/errors/failure.ts";
import type { EarlyListener } from "./platform/http/listening/early-listener.ts";
import type { Logger } from "./platform/lib/logger.ts";
import { createOpened, type Opened } from "./platform/lib/opened.ts";
import * as runtime from "./platform/runtime/open-platform.ts";
import type { PlatformBase } from "./platform/runtime/platform.ts";
import type { Reloads } from "./platform/runtime/reloads.ts";
import type { Served } from "./platform/runtime/serve.ts";
import { failedStart, stopLimits } from "./platform/runtime/stop-limits.ts";

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
  const listensAt = listener?.address.url ?? null;
  const modules = await createAreas(platform, { ...parts, listensAt });
  if (worker) {
    const { openRetention, startSealer } = await import("./platform/runtime/upkeep.ts");
    const upkeep = { modules: Object.values(modules), audits: auditsOf(platform, governance) };
    await openRetention(platform, upkeep);
    for (const [name, module] of Object.entries(modules))
      await opened.open(
        `the work of the ${name}`,
        () => module.start(worker.id),
        () => module.close(),
        atWork,
      );
    // After the areas have started: what they change of older audit rows is done by then.
    startSealer(platform, upkeep);
  }
  if (listener === null) return { hasConsole: false };
  // A process with `--workers only` serves health and metrics, and no area.
  const names = role.workers === "only" ? [] : role.areas;
  const { serve } = await import("./platform/runtime/serve.ts");
  const { describeArea } = await import("./reference/describe-area.ts");
  const { techAdapterDocument } = await import("./reference/tech-adapter.ts");
  // Whoever serves anything says who the caller is, and makes tokens.
  const served = names.length === 0 ? [] : [...names, "auth" as const];
  return serve(platform, {
    areas: await Promise.all(served.map(async (name) => describeArea(await modules[name].area()))),
    modules: Object.values(modules),
    listener,
    version: about.version,
    otherDocuments: [techAdapterDocument],
    governance: { database: governance.database, isAlone: names.length === 1 && names[0] === "governance" },
    notReady: () => modules["data-layer"].notReady(),
  });
}

/**
 * How long the rest of a start waits for plans that were taken over to make their first calls. Loading the rest would
 * keep the process busy for about as long.
 */
const firstCallsMs = 500;

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
