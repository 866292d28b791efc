/** The builder's share of the composition that every process needs, serving or not. */
import { accessRequestHandler } from "./builder/access-requests/handler.ts";
import { startAccessWorker } from "./builder/access-requests/worker.ts";
import { findEntity } from "./builder/catalogue/service.ts";
import { startRefreshWorker } from "./builder/catalogue/locations/refresh-worker.ts";
import type { Action } from "./builder/actions/action.ts";
import { loadModuleActions, type LoadModulesOptions } from "./builder/actions/modules/module-actions.ts";
import { createActions } from "./builder/actions/registry.ts";
import { createEditActions } from "./builder/edits/edit-actions.ts";
import type { Entity } from "./builder/catalogue/entity.ts";
import type { BuilderDeps } from "./builder/context.ts";
import { startInstantiationWorker } from "./builder/instantiations/running/worker.ts";
import { startHookWorker } from "./builder/hooks/worker.ts";
import type { ActionHandlers } from "./builder/hooks/handlers.ts";
import type { AccessCoordinator, ReverseProvisioner } from "./builder/ports.ts";
import { builderSettings } from "./builder/settings.ts";
import { runStartupActions } from "./builder/startup/service.ts";
import { readExtensionModules, type ExtensionModules } from "./builder/templates/module-extensions.ts";
import { createRenderer, type Renderer } from "./builder/templates/renderer.ts";
import type { Closer, Deps } from "./compose.ts";
import {
  changeAccess,
  describeTarget,
  readAccessEnd,
} from "./coordinator/starts/adapter-requests/access-change.ts";
import type { WorkerContext } from "./coordinator/context.ts";
import {
  readReverseEnd,
  startReverseProvisioning,
} from "./coordinator/starts/adapter-requests/reverse-service.ts";
import { coordinatorSettings } from "./coordinator/settings.ts";
import { inTransaction } from "./platform/db/database.ts";
import { createEventHub } from "./platform/events/events.ts";
import { openTogether, type Opened } from "./platform/lib/opened.ts";
import { systemActor } from "./platform/lib/actor.ts";
import type { Logger } from "./platform/lib/logger.ts";
import { newId, newTraceparent } from "./platform/lib/ids.ts";

export const actionHandlers: ActionHandlers = { accessRequest: accessRequestHandler };

/** The builder changes access through the coordinator; here that is a call of its service. */
export function accessCoordinator({ database, jobs, config }: Deps): AccessCoordinator {
  const coordinator: WorkerContext["coordinator"] = {
    database,
    jobs,
    settings: coordinatorSettings(config),
  };
  return {
    describe: (ctx, target) => describeTarget({ ...ctx, coordinator }, target),
    change: (ctx, change) => changeAccess({ ...ctx, coordinator }, change),
    readEnd: (ctx, planId) => readAccessEnd({ ...ctx, coordinator }, planId),
  };
}

/** The builder asks adapters about what exists through the coordinator; here that is a call of its service. */
function reverseProvisioner({ database, jobs, config }: Deps): ReverseProvisioner {
  const coordinator: WorkerContext["coordinator"] = {
    database,
    jobs,
    settings: coordinatorSettings(config),
  };
  return {
    start: (ctx, request) =>
      inTransaction(database, (tx) => startReverseProvisioning({ ...ctx, coordinator }, tx, request)),
    readEnd: (ctx, planId) => readReverseEnd({ ...ctx, coordinator }, planId),
  };
}

/** How long calls of third parties that are under way may take at a stop; what is cut off is made again. */
const hookGraceMs = 2_000;

/** How long actions of templates that are under way may take at a stop; others go on with those that take longer. */
const actionGraceMs = 2_000;

export interface BuilderParts {
  deps: BuilderDeps;
  actions: ReadonlyMap<string, Action>;
  findEntity: (ref: string) => Promise<Entity | null>;
}

/** A process of workers may never render anything and starts the threads for it late. */
export async function createBuilderParts(
  { config, log, database, jobs, doors, secrets }: Deps,
  opened: Opened,
  startLate: boolean,
): Promise<BuilderParts> {
  const { archive } = config.mesh.builder;
  const hub = await opened.open(
    "the event hub",
    () => createEventHub(database),
    (made) => made.close(),
  );
  const settings = builderSettings(config);
  const extensions = await extensionModules(settings.actions.folder, log);
  const renderer = createRenderer({
    stepTimeoutMs: archive.renderTimeoutMs,
    startLate,
    ...(extensions !== null && { extensions }),
  });
  opened.add("the renderer", () => renderer.close());
  if (extensions !== null) logExtensions(renderer, log);
  const deps = { database, jobs, hub, outbound: doors, renderer, settings, secrets };
  const ofModules = await openModules({ settings, log, now: () => new Date() }, opened);
  return {
    deps,
    actions: createActions(deps, ofModules),
    findEntity: (ref) => findEntity(database.kysely, ref),
  };
}

/** Null where the folder of modules names none that bring filters. */
async function extensionModules(folder: string | undefined, log: Logger): Promise<ExtensionModules | null> {
  if (folder === undefined) return null;
  try {
    const named = await readExtensionModules(folder);
    return named.modules.length === 0 ? null : named;
  } catch (error) {
    log.error({ folder, error }, "the folder of modules cannot be read");
    return null;
  }
}

/** In the background: templates that need them wait for them anyway. */
function logExtensions(renderer: Renderer, log: Logger): void {
  renderer.extensions().then(
    ({ filters, functions, values, problems }) => {
      for (const problem of problems) log.error({ problem }, "a module of filters is not as it should be");
      const names = [filters, functions, values].flatMap((each) => Object.keys(each));
      log.info({ names }, "filters and globals of modules are loaded");
    },
    (error: Error) => log.error({ reason: error.message }, "the modules of filters cannot be loaded"),
  );
}

/** Their process is ended when the start is: by a signal of its own, since the start does not wait for it then. */
function openModules(options: Omit<LoadModulesOptions, "signal">, opened: Opened): Promise<Action[]> {
  const halt = new AbortController();
  opened.add("the modules of actions", () => halt.abort());
  return opened.wait("the modules of actions", () => loadModuleActions({ ...options, signal: halt.signal }));
}

/** Instantiates templates, tells third parties, carries out what was approved, and reads the catalogue again. */
export async function startBuilderWork(deps: Deps, parts: BuilderParts, workerId: string): Promise<Closer> {
  const { config, log } = deps;
  const now = (): Date => new Date();
  const builder = parts.deps;
  const access = accessCoordinator(deps);
  const editActions = createEditActions(reverseProvisioner(deps));
  const ctx = {
    actor: systemActor,
    now,
    log,
    signal: new AbortController().signal,
    requestId: newId(),
    traceparent: newTraceparent(),
  };
  return openTogether(log, async (opened) => {
    const tasks = await opened.open(
      "the instantiations",
      () => startInstantiationWorker({ ...parts, editActions, log, now, workerId }),
      (started) => started.close(0),
    );
    const hooks = await opened.open(
      "the hooks",
      () => startHookWorker({ builder, handlers: actionHandlers, log, now, workerId }),
      (started) => started.close(0),
    );
    const requests = await opened.open(
      "the access requests",
      () => startAccessWorker({ builder, access, log, now, workerId }),
      (started) => started.close(),
    );
    await runStartupActions(ctx, { database: builder.database, locations: config.startupActions.catalog });
    const refresh = await startRefreshWorker({ deps: builder, log, now });
    return async () => {
      const taken = [tasks.close(actionGraceMs), hooks.close(hookGraceMs), requests.close(), refresh.close()];
      await Promise.all(taken);
    };
  });
}
