/** The builder's share of the composition that every process needs, serving or not. */
import { accessRequestHandler } from "./builder/access-requests/handler.ts";
import { startAccessWorker } from "./builder/access-requests/worker.ts";
import { startHookWorker } from "./builder/hooks/worker.ts";
import type { ActionHandlers } from "./builder/hooks/handlers.ts";
import type { AccessCoordinator } from "./builder/ports.ts";
import { builderSettings } from "./builder/settings.ts";
import type { Closer, Means } from "./compose.ts";
import { changeAccess, describeTarget, readAccessEnd } from "./coordinator/access/change.ts";
import type { WorkerContext } from "./coordinator/context.ts";
import { coordinatorSettings } from "./coordinator/settings.ts";

export const actionHandlers: ActionHandlers = { accessRequest: accessRequestHandler };

/** The builder changes access through the coordinator; here that is a call of its service. */
export function accessCoordinator({ database, jobs, config }: Means): AccessCoordinator {
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

/** How long calls of third parties that are under way may take at a stop; what is cut off is made again. */
const hookGraceMs = 2_000;

/** Tells third parties, and carries out what was approved. */
export async function startBuilderWork(means: Means, workerId: string): Promise<Closer> {
  const { config, log, database, jobs, outbound } = means;
  const now = (): Date => new Date();
  const builder = { database, jobs, outbound, settings: builderSettings(config) };
  const hooks = await startHookWorker({ builder, handlers: actionHandlers, log, now, workerId });
  const access = accessCoordinator(means);
  const requests = await startAccessWorker({ builder, access, log, now, workerId });
  return async () => void (await Promise.all([hooks.close(hookGraceMs), requests.close()]));
}
