/** The builder as a part of a process: its HTTP interface, its workers, and what other areas may ask of it. */
import type { Db } from "../platform/db/database.ts";
import type { TimePosition } from "../platform/db/time-position.ts";
import { beginningsOf } from "../platform/db/word-search.ts";
import { systemContext, type RequestContext } from "../platform/lib/request-context.ts";
import type { Logger } from "../platform/lib/logger.ts";
import { openTogether } from "../platform/lib/opened.ts";
import type { SealedPlace } from "../platform/runtime/keys/sealed-place.ts";
import type { AreaModule, Platform } from "../platform/runtime/platform.ts";
import { accessRequestHandler } from "./approvals/access-requests/handler.ts";
import { startAccessWorker } from "./approvals/access-requests/worker.ts";
import {
  deploymentHandler,
  closeDeploymentApproval,
  openDeploymentApproval,
  type WantedApproval,
} from "./approvals/deployments.ts";
import type { Action } from "./actions/action.ts";
import { loadModuleActions } from "./actions/modules/module-actions.ts";
import { createActions } from "./actions/registry.ts";
import { entityFeed, findEntities } from "./catalogue/feed-store.ts";
import { startRefreshWorker } from "./catalogue/locations/refresh-worker.ts";
import { readComponentTypes, readTaxonomy } from "./catalogue/descriptor-store.ts";
import { findEntity } from "./catalogue/lookup.ts";
import type { BuilderDeps } from "./context.ts";
import { createEditActions } from "./instantiations/edits/edit-actions.ts";
import type { ActionHandlers } from "./approvals/handlers.ts";
import { hookNotices, listHooksToAnswer } from "./approvals/people.ts";
import { startHookWorker } from "./approvals/worker.ts";
import { createInstantiationMetrics } from "./instantiations/running/metrics.ts";
import { sealedFiles } from "./instantiations/store.ts";
import { sealedSecrets } from "./instantiations/task-store.ts";
import { startInstantiationWorker } from "./instantiations/running/worker.ts";
import type {
  AccessCoordinator,
  DecideApproval,
  ReadPlanDiff,
  ListDeployedUnits,
  ReverseProvisioner,
  TechAdapterCatalogue,
} from "./ports.ts";
import { builderSettings } from "./settings.ts";
import { runStartupActions } from "./catalogue/locations/startup.ts";
import { readExtensionModules, type ExtensionModules } from "./templates/engine/module-extensions.ts";
import { createRenderer, type Renderer } from "./renderer.ts";

export { readComponentTypes };
export { groupsOf, readContacts } from "./catalogue/lookup.ts";

export interface BuilderPorts {
  techAdapters: TechAdapterCatalogue;
  access: AccessCoordinator;
  reverseProvisioning: ReverseProvisioner;
  decideApproval: DecideApproval;
  readPlanDiff: ReadPlanDiff;
  deployedUnits: ListDeployedUnits;
}

export interface BuilderOptions {
  /** A process of workers may never render anything and starts the threads for it late. */
  startLate: boolean;
  /** Where the process listens, when the configuration says nothing else; null for one that does not listen. */
  url: string | null;
}

export interface BuilderModule extends AreaModule {
  /** Entities of the catalogue, for the search of another area. */
  entities: ReturnType<typeof entityFeed>;
  /** Templates, and everything else of the catalogue, for the search over everything. */
  search: ReturnType<typeof catalogueSearch>;
  /** Opens an approval of a deployment in the transaction of its plan. */
  openApproval: (
    ctx: RequestContext,
    tx: Db,
    wanted: WantedApproval,
  ) => ReturnType<typeof openDeploymentApproval>;
  /** Ends an approval that nobody has decided yet. */
  closeApproval: (ctx: RequestContext, tx: Db, actionId: string, reason: string) => Promise<void>;
  /** Hooks that the caller may answer. */
  listWaiting: (
    ctx: RequestContext,
    page: { limit: number; after: TimePosition | null },
  ) => ReturnType<typeof listHooksToAnswer>;
  /** Hooks of all, for those who tell people about them. */
  notices: ReturnType<typeof hookNotices>;
}

const actionHandlersOf = ({ decideApproval }: BuilderPorts): ActionHandlers => ({
  accessRequest: accessRequestHandler,
  deployment: deploymentHandler(decideApproval),
});

export async function createBuilder(
  platform: Platform,
  ports: BuilderPorts,
  options: BuilderOptions,
): Promise<BuilderModule> {
  const { config, database } = platform;
  const deps = await openDeps(platform, options);
  const actions = createActions(deps, await openModuleActions(platform, deps));
  const actionHandlers = actionHandlersOf(ports);
  const findOne = (ref: string) => findEntity(database.db, ref);
  let stopWork = async (): Promise<void> => undefined;
  return {
    async area() {
      const { builderArea, createProbe } = await import("./area.ts");
      const { adapters } = platform.outbound;
      return builderArea({
        deps,
        actions,
        findEntity: findOne,
        environments: deps.settings.environments,
        namespace: deps.settings.namespace,
        archive: config.mesh.builder.archive,
        catalogue: ports.techAdapters,
        access: ports.access,
        readPlanDiff: ports.readPlanDiff,
        deployedUnits: ports.deployedUnits,
        actionHandlers,
        checkUrl: (url) => adapters.check(url),
        probeUrl: createProbe(adapters),
        renderer: deps.renderer,
        readTaxonomy: () => readTaxonomy(database.db),
      });
    },
    async registerMetrics(numbers) {
      const { registerBuilderNumbers } = await import("./numbers.ts");
      registerBuilderNumbers(numbers, database.db);
    },
    async retentionRules() {
      const { builderRetention } = await import("./retention.ts");
      return builderRetention(config, database.db);
    },
    async checks() {
      const { builderChecks } = await import("./numbers.ts");
      return builderChecks(database.db);
    },
    async start(workerId) {
      stopWork = await startWork(platform, ports, { deps, actions, findEntity: findOne, workerId });
    },
    close: () => stopWork(),
    entities: entityFeed(database.db),
    search: catalogueSearch(database.db),
    openApproval: (ctx, tx, wanted) => openDeploymentApproval({ ...ctx, builder: deps }, tx, wanted),
    closeApproval: (ctx, tx, actionId, reason) => closeDeploymentApproval(ctx, tx, { actionId, reason }),
    notices: hookNotices(database.db),
    listWaiting: (ctx, page) => listHooksToAnswer({ ...ctx, builder: deps }, page),
  };
}

interface EntityHit {
  id: string;
  title: string;
  subtitle: string;
  environment: null;
  link: { entityRef: string };
}

const catalogueSearch = (db: Db) =>
  (["ENTITY", "TEMPLATE"] as const).map((kind) => ({
    kind,
    rule: "readCatalogue" as const,
    async find(_ctx: RequestContext, { text, limit }: { text: string; limit: number }): Promise<EntityHit[]> {
      const words = beginningsOf(text);
      if (words === null) return [];
      const typed = text.trim().toLowerCase();
      const rows = await findEntities(db, { typed, words, templates: kind === "TEMPLATE", limit });
      return rows.map(({ ref, kind: ofEntity, name, title, type }) => ({
        id: ref,
        title: title ?? name ?? ref,
        subtitle: [type ?? ofEntity, ref].join(" · "),
        environment: null,
        link: { entityRef: ref },
      }));
    },
  }));

/** What the builder has sealed. */
export const sealedPlaces: readonly SealedPlace[] = [sealedSecrets, sealedFiles].map((column) => ({
  ...column,
  aboutOf: (id) => id,
}));

async function openDeps(platform: Platform, { startLate, url }: BuilderOptions): Promise<BuilderDeps> {
  const { config, reloads, log, database, hub, outbound, secrets, opened } = platform;
  const settings = builderSettings(config, reloads.config);
  // Repositories and answers of hooks are named by the address that is really listened on, which port 0 leaves open.
  if (url !== null && config.server.baseUrl === undefined) settings.baseUrl = url;
  const extensions = await readExtensions(settings.actions.folder, log);
  const renderer = createRenderer({
    stepTimeoutMs: config.mesh.builder.archive.renderTimeoutMs,
    startLate,
    ...(extensions !== null && { extensions }),
  });
  opened.add("the renderer", () => renderer.close());
  if (extensions !== null) logExtensions(renderer, log);
  return { database, hub, outbound, renderer, settings, secrets };
}

/** Null where the folder of modules names none that bring filters. */
async function readExtensions(folder: string | undefined, log: Logger): Promise<ExtensionModules | null> {
  if (folder === undefined) return null;
  try {
    const named = await readExtensionModules(folder);
    return named.modules.length === 0 ? null : named;
  } catch (error) {
    log.error({ folder, error }, "the folder of modules cannot be read");
    return null;
  }
}

/** In the background: templates that need the filters wait for them anyway. */
function logExtensions(renderer: Renderer, log: Logger): void {
  renderer.extensions().then(
    ({ filters, functions, values, problems }) => {
      for (const problem of problems) log.error({ problem }, "a module of filters has problems");
      const names = [filters, functions, values].flatMap((each) => Object.keys(each));
      log.info({ names }, "filters and globals of modules are loaded");
    },
    (error: Error) => log.error({ reason: error.message }, "the modules of filters cannot be loaded"),
  );
}

/** The modules run in a process that is ended by a signal of its own, since a start that ends does not wait for it. */
function openModuleActions({ log, now, opened }: Platform, { settings }: BuilderDeps): Promise<Action[]> {
  const halt = new AbortController();
  opened.add("the modules of actions", () => halt.abort());
  return opened.wait("the modules of actions", () =>
    loadModuleActions({ settings, log, now, signal: halt.signal }),
  );
}

/** How long calls of third parties that are under way may take at a stop; what is cut off is made again. */
const hookGraceMs = 2_000;

/** How long actions of templates that are under way may take at a stop; other workers finish those that take longer. */
const actionGraceMs = 2_000;

interface Work {
  deps: BuilderDeps;
  actions: ReadonlyMap<string, Action>;
  findEntity: (ref: string) => ReturnType<typeof findEntity>;
  workerId: string;
}

/** Runs tasks, calls hooks, carries out what was approved, and refreshes the catalogue. */
async function startWork(
  { config, log, now, instruments }: Platform,
  ports: BuilderPorts,
  { workerId, ...parts }: Work,
): Promise<() => Promise<void>> {
  const metrics = createInstantiationMetrics(instruments);
  const builder = parts.deps;
  const editActions = createEditActions(ports.reverseProvisioning);
  const shared = { log, now, workerId };
  return openTogether(log, async (opened) => {
    const tasks = await opened.open(
      "the instantiations",
      () => startInstantiationWorker({ ...parts, ...shared, editActions, metrics }),
      (started) => started.close(0),
    );
    const hooks = await opened.open(
      "the hooks",
      () => startHookWorker({ ...shared, builder, handlers: actionHandlersOf(ports) }),
      (started) => started.close(0),
    );
    const requests = await opened.open(
      "the access requests",
      () => startAccessWorker({ ...shared, builder, access: ports.access }),
      (started) => started.close(),
    );
    const { database } = builder;
    await runStartupActions(systemContext(log, now), { database, locations: config.startupActions.catalog });
    const refresh = await startRefreshWorker({ deps: builder, log, now });
    return async () => {
      const closing = [
        tasks.close(actionGraceMs),
        hooks.close(hookGraceMs),
        requests.close(),
        refresh.close(),
      ];
      await Promise.all(closing);
    };
  });
}
