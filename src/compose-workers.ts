/** The workers of the coordinator: plans, drift checks, and telling the webhooks. */
import type { Closer, Deps } from "./compose.ts";
import { readComponentTypes } from "./builder/catalogue/reading/taxonomy-store.ts";
import { createServiceClient } from "./coordinator/external-services/client.ts";
import { accessSyncId } from "./coordinator/external-services/tasks.ts";
import { createGroupWriter } from "./coordinator/execution/record/group-writer.ts";
import type { Engine } from "./coordinator/execution/run.ts";
import { createPollPace } from "./coordinator/execution/poll-pace.ts";
import { createSlots } from "./coordinator/execution/slots.ts";
import { startPlanWorker, type PlanWorker } from "./coordinator/execution/worker.ts";
import { coordinatorSettings } from "./coordinator/settings.ts";
import { findDueTurns } from "./coordinator/starting/queue-store.ts";
import type { TurnDeps } from "./coordinator/starting/turns.ts";
import type { Config } from "./platform/config/schema.ts";
import type { WorkerProgram } from "./platform/jobs/worker-lease.ts";
import { openTogether } from "./platform/lib/opened.ts";

const clock = (): Date => new Date();

/** How long calls of webhooks that are under way may take at a stop; what is cut off is sent again. */
const webhookGraceMs = 2_000;

/** What a worker does besides plans: drift checks, and telling the webhooks. */
export async function startWatching(deps: Deps, workerId: string): Promise<Closer> {
  const { config, log, database, jobs, outboundClients, adapters } = deps;
  const { webhooks, drift, execution, rootProvisioning } = config.coordinator;
  const { startDriftWorker } = await import("./coordinator/drift/worker.ts");
  const { callTimeoutMs, pollInitialMs: pollMs } = execution;
  const limits = { ...drift, callTimeoutMs, pollMs };
  const { schedules } = drift;
  return openTogether(log, async (opened) => {
    const checks = await opened.open(
      "the drift checks",
      () => startDriftWorker({ database, adapters, log, now: clock, workerId, limits, jobs, schedules }),
      (started) => started.close(),
    );
    if (webhooks.length === 0) return () => checks.close();
    const source = `${config.server.baseUrl?.replace(/\/+$/, "") ?? ""}/api/coordinator`;
    const { startOutgoing } = await import("./coordinator/outgoing-events/worker.ts");
    const outbound = outboundClients.webhooks;
    const outgoing = await startOutgoing({
      database,
      outbound,
      log,
      now: clock,
      workerId,
      source,
      webhooks,
      rootProvisioning,
    });
    return async () => void (await Promise.all([checks.close(), outgoing.close(webhookGraceMs)]));
  });
}

/** Most turns that one look takes. */
const turnsAtATime = 20;

/** The planner is loaded when the first turn comes: a process that only drives plans starts sooner without it. */
function turnTaker(deps: TurnDeps): () => Promise<string[]> {
  return async () => {
    const due = await findDueTurns(deps.database.kysely, turnsAtATime);
    if (due.length === 0) return [];
    const { takeTurn } = await import("./coordinator/starting/turns.ts");
    const begun: string[] = [];
    for (const turn of due) {
      const hasBegun = await takeTurn(deps, turn).catch((error: Error) => {
        deps.log.warn({ planId: turn.planId, reason: error.message }, "a turn can't be taken yet");
        return false;
      });
      if (hasBegun) begun.push(turn.planId);
    }
    return begun;
  };
}

/** How long a group of writes is tried again while the database is away; longer than most restarts take. */
const writeRetryMs = 60_000;

export type WorkerDeps = Omit<Deps, "jobs" | "secrets" | "schemaVersion">;

export function startWorker(
  { config, log, database, outboundClients, adapters }: WorkerDeps,
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
    services: createServiceClient({
      outbound: outboundClients.services,
      now: clock,
      secrets: serviceSecrets(config),
    }),
  };
  return startPlanWorker(engine, {
    leaseMs: execution.leaseMs,
    parallelPlans: execution.parallelPlans,
    program,
    takeTurns: turnTaker({
      database,
      log,
      now: clock,
      settings: coordinatorSettings(config),
      readComponentTypes: () => readComponentTypes(database.kysely),
    }),
  });
}

/** What calls to external services are signed by. */
function serviceSecrets(config: Config): Map<string, string> {
  const { services } = config["marketplace-compliant-services"];
  const sync = { id: accessSyncId, secret: config.coordinator.accessSync.secret };
  return new Map([...services, sync].flatMap(({ id, secret }) => (secret ? [[id, secret]] : [])));
}
