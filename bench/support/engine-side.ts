/** The engine as one side of a bench: plans of plain tasks stored as a start would, and driven to their end. */
import { createPlanMetrics } from "../../src/coordinator/plan-metrics.ts";
import { createInstruments } from "../../src/platform/telemetry/instruments.ts";
import { insertPlan } from "../../src/coordinator/execution/new-plan-store.ts";
import { createAdapterClient } from "../../src/coordinator/adapters/protocol/client.ts";
import { createServiceClient } from "../../src/coordinator/adapters/protocol/service-client.ts";
import { lockUnit } from "../../src/coordinator/units/store.ts";
import type { NewTask } from "../../src/coordinator/execution/types.ts";
import { createGroupWriter } from "../../src/coordinator/execution/group-writer.ts";
import { drivePlan, type Drive } from "../../src/coordinator/execution/run.ts";
import { createPollPace } from "../../src/coordinator/execution/tasks/poll-pace.ts";
import { createSlots } from "../../src/coordinator/execution/slots.ts";
import { claimPlan, createPlanRows } from "../../src/coordinator/execution/store.ts";
import { inTransaction, type Database } from "../../src/platform/db/database.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { newId, newTraceparent } from "../../src/platform/lib/ids.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import type { Outbound } from "../../src/platform/outbound/outbound.ts";
import type { LayeredTask } from "./fixtures.ts";

export interface EngineSide {
  database: Database;
  outbound: Outbound;
  adapterUrl: string;
  /** Tasks that run at once. */
  width: number;
}

export function newEngine({ database, outbound, width }: EngineSide): Drive {
  const now = (): Date => new Date();
  return {
    rows: createPlanRows(database),
    now,
    log: silentLogger,
    metrics: createPlanMetrics(createInstruments(), 100),
    writer: createGroupWriter({ pool: database.pool, log: silentLogger, retryForMs: 1_000 }),
    pace: createPollPace(),
    slots: createSlots({ total: width, perAdapter: width }),
    adapters: createAdapterClient({ outbound, now }),
    services: createServiceClient({ outbound, now, secretOf: () => undefined }),
    policies: { evaluate: undefined, onUnavailable: "block" },
    limits: {
      callTimeoutMs: 30_000,
      taskTimeoutMs: 600_000,
      pollInitialMs: 1_000,
      pollFactor: 1.5,
      pollMaxMs: 15_000,
      callAttempts: 5,
      retryDelayMs: 500,
      connectRetryMs: 60_000,
      terminateGraceMs: 1_000,
    },
  };
}

/** Seconds from the claim to the end of a plan of these tasks; each call's body carries what is `listed`. */
export async function runEngine(
  side: EngineSide,
  engine: Drive,
  { tasks, listed }: { tasks: LayeredTask[]; listed: LayeredTask[] },
): Promise<number> {
  const { database } = side;
  const planId = await storePlan(side, tasks, listed);
  const started = performance.now();
  const plan = await claimPlan(database, planId, { workerId: newId(), at: new Date() });
  if (!plan) throw new Error("the plan could not be claimed");
  await drivePlan(engine, plan).done;
  const seconds = (performance.now() - started) / 1000;
  const { rows } = await database.pool.query("select status from execution_plans where id = $1", [planId]);
  if (rows[0]?.status !== "COMPLETED") throw new Error(`the plan ended ${rows[0]?.status}`);
  return seconds;
}

export async function storePlan(
  { database, adapterUrl }: EngineSide,
  tasks: LayeredTask[],
  listed: LayeredTask[],
): Promise<string> {
  const planId = newId();
  const at = { unitKey: planId, environment: "development" };
  const rows: NewTask[] = tasks.map(({ id, dependsOn }, position) => ({
    task_id: `provision:${id}`,
    stage: 1,
    action: "PROVISION",
    component_key: id,
    component_id: id,
    component_name: id,
    depends_on: dependsOn.map((other) => `provision:${other}`),
    adapter_id: "adapter",
    adapter_url: adapterUrl,
    snapshot: {
      members: [
        {
          key: id,
          id,
          name: id,
          parentKey: null,
          infrastructureTemplateId: "adapter",
          descriptor: { id },
          hash: "hash",
          dependsOn,
          descriptorVersion: "1",
          position,
        },
      ],
    },
    details: null,
    idempotency_key: `${planId}:${id}`,
  }));
  const now = new Date();
  const descriptor = { id: planId, version: "1", components: listed };
  await inTransaction(database, async (tx) => {
    await lockUnit(tx, at, planId);
    await insertPlan(
      tx,
      {
        id: planId,
        kind: "PROVISIONING",
        ...at,
        unitId: planId,
        action: "PROVISION",
        originator: "user:default/bench",
        request: { descriptor, operations: [], removeData: false, enrichment: {} },
        descriptorVersion: "1",
        traceparent: newTraceparent(),
        origin: { httpRequestId: planId, clientAddress: "127.0.0.1" },
        now,
        deadlineAt: new Date(now.getTime() + 600_000),
        operationAction: "DEPLOY",
        components: [],
      },
      { tasks: rows, audit: sql`select 1` },
    );
  });
  return planId;
}
