/** A worker as a process would have it, with everything of its own, that can be killed inside this process. */
import { createPlanMetrics } from "../../src/coordinator/plan-metrics.ts";
import { createInstruments } from "../../src/platform/telemetry/instruments.ts";
import { createAdapterClient } from "../../src/coordinator/adapters/protocol/client.ts";
import { createServiceClient } from "../../src/coordinator/adapters/protocol/service-client.ts";
import { createGroupWriter } from "../../src/coordinator/execution/group-writer.ts";
import type { ExecutionLimits, PolicyStage } from "../../src/coordinator/execution/tasks/plan-run.ts";
import type { Engine } from "../../src/coordinator/execution/run.ts";
import { createPollPace } from "../../src/coordinator/execution/tasks/poll-pace.ts";
import { createSlots } from "../../src/coordinator/execution/slots.ts";
import { startPlanWorker, type PlanWorker } from "../../src/coordinator/execution/worker.ts";
import type { Connection } from "../../src/platform/db/database.ts";
import type { Jobs } from "../../src/platform/jobs/jobs.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { createOutbound } from "../../src/platform/outbound/outbound.ts";
import type { OutboundPolicy } from "../../src/platform/outbound/policy.ts";
import { createPolicyStub } from "./policy-stub.ts";
import { killableDatabase, type KillableDatabase } from "./killable-database.ts";

export const outboundPolicy: OutboundPolicy = {
  allowedSchemes: ["http"],
  blockedHosts: [],
  allowPrivateNetworks: true,
  maxResponseBytes: 1024 * 1024,
  timeoutMs: 5_000,
};

export const fastLimits: ExecutionLimits = {
  callTimeoutMs: 3_000,
  taskTimeoutMs: 10_000,
  pollInitialMs: 5,
  pollFactor: 1.5,
  pollMaxMs: 40,
  callAttempts: 3,
  retryDelayMs: 5,
  connectRetryMs: 30,
  terminateGraceMs: 1_000,
};

export interface TestEngine {
  worker: PlanWorker;
  killable: KillableDatabase;
  /** Hands it a plan, as the job queue does. */
  drive(planId: string): Promise<void>;
  /** As kill -9. */
  kill(): void;
  /** As SIGTERM. */
  close(graceMs?: number): Promise<void>;
}

export interface EngineOptions {
  limits?: Partial<ExecutionLimits>;
  leaseMs?: number;
  /** How long a write is tried again while the database is away. */
  retryForMs?: number;
  slots?: { total: number; perAdapter: number };
  policies?: PolicyStage;
  beginQueuedStarts?: (signal: AbortSignal) => Promise<string[]>;
}

export async function startEngine(connection: Connection, options: EngineOptions = {}): Promise<TestEngine> {
  const killable = killableDatabase(connection);
  const { database } = killable;
  const log = silentLogger;
  const now = (): Date => new Date();
  const outbound = createOutbound(outboundPolicy, log);
  const engine: Engine = {
    database,
    log,
    now,
    limits: { ...fastLimits, ...options.limits },
    metrics: createPlanMetrics(createInstruments(), 100),
    writer: createGroupWriter({ pool: database.pool, log, retryForMs: options.retryForMs ?? 10_000 }),
    pace: createPollPace(),
    slots: createSlots(options.slots ?? { total: 16, perAdapter: 16 }),
    adapters: createAdapterClient({ outbound, now }),
    services: createServiceClient({ outbound, now, secretOf: () => undefined }),
    policies: { onUnavailable: "block", ...(options.policies ?? createPolicyStub()) },
  };
  let take: (data: { planId: string }) => Promise<void> = async () => {};
  const jobs: Jobs = {
    async send() {},
    async work(_queue, handler) {
      take = handler;
    },
    async schedule() {},
    async unschedule() {},
    count: async () => [],
    async close() {},
  };
  const worker = await startPlanWorker(engine, {
    leaseMs: options.leaseMs ?? 15_000,
    parallelPlans: 50,
    ...(options.beginQueuedStarts && { beginQueuedStarts: options.beginQueuedStarts }),
  });
  await worker.takeFrom(jobs);
  let dead = false;
  // The connections to the adapters go with the process too.
  void killable.death.then(() => {
    dead = true;
    return outbound.close();
  });
  return {
    worker,
    killable,
    drive: (planId) => take({ planId }),
    kill: () => killable.kill(),
    async close(graceMs = 1_000) {
      // It may die while it closes, and nothing that it awaits then ever comes.
      if (!dead) await Promise.race([worker.close(graceMs), killable.death]);
      await outbound.close();
      await killable.dispose();
    },
  };
}
