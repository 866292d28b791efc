/** A database and a mock adapter of one's own, in which plans are started as the service starts them. */
import type { ProvisioningBody } from "../../src/coordinator/starts/acceptance/request-schema.ts";
import type { RequestedBehaviour } from "../../src/adapters/mock/behaviour.ts";
import type { JournalEntry } from "../../src/adapters/mock/journal.ts";
import { startMockAdapter, type MockAdapter } from "../../src/adapters/mock/server.ts";
import { createAdapterClient } from "../../src/coordinator/adapters/protocol/client.ts";
import type {
  AccessRequestBody,
  ReverseProvisioningBody,
  ValidationStatusResponse,
} from "../../src/coordinator/starts/adapter-requests/schema.ts";
import { sendAccessRequest } from "../../src/coordinator/starts/adapter-requests/access-service.ts";
import type { CoordinatorContext, ExternalService } from "../../src/coordinator/context.ts";
import {
  previewProvisioning,
  startProvisioning,
  type Preview,
} from "../../src/coordinator/starts/service.ts";
import { endsPlanStream, planStream } from "../../src/coordinator/execution/plan-events.ts";
import type { TerminateMode } from "../../src/coordinator/execution/types.ts";
import type { Policies } from "../../src/coordinator/ports.ts";
import { resumePlan } from "../../src/coordinator/starts/resume.ts";
import { terminatePlan } from "../../src/coordinator/plans/service.ts";
import { settleManually } from "../../src/coordinator/watching/outcomes/service.ts";
import { startReverseProvisioning } from "../../src/coordinator/starts/adapter-requests/reverse-service.ts";
import {
  getValidationStatus,
  startValidation,
} from "../../src/coordinator/starts/adapter-requests/validation-service.ts";
import { inTransaction } from "../../src/platform/db/database.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { createEventHub, type StoredEvent } from "../../src/platform/events/events.ts";
import type { Jobs } from "../../src/platform/jobs/jobs.ts";
import { newId, newTraceparent } from "../../src/platform/lib/ids.ts";
import { unitReader } from "../../src/coordinator/units/store.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { createOutbound } from "../../src/platform/outbound/outbound.ts";
import { waitLimitMs } from "../support/eventually.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { outboundPolicy } from "./engine.ts";
import { asyncTemplateId, environment, templateId } from "./plan-fixtures.ts";
import { startServiceStub, type ServiceStub } from "./service-stub.ts";

const laneSettings = {
  validationTimeoutMs: 30_000,
  queuedOperationsPerUnit: 5,
  idempotencyKeyMs: 60_000,
  polling: { initialMs: 5, factor: 1.5, maxMs: 40 },
};

export interface Lane {
  db: TestDatabase;
  adapter: MockAdapter;
  /** Told at the end of plans that say so, and of every change of access. */
  service: ServiceStub;
  /** Accepts a plan without notifying workers: one has to be given it, or to find it. */
  start(body: ProvisioningBody, limits?: StartLimits): Promise<string>;
  access(body: AccessRequestBody): Promise<string>;
  reverse(body: ReverseProvisioningBody): Promise<string>;
  validate(descriptor: string, limits?: StartLimits): Promise<string>;
  resume(planId: string, limits?: StartLimits): Promise<string>;
  preview(body: ProvisioningBody, limits?: StartLimits): Promise<Preview>;
  validation(planId: string): Promise<ValidationStatusResponse>;
  terminate(planId: string, mode: TerminateMode): Promise<void>;
  /** Says how the call of a task has ended whose plan did not find out. */
  settle(planId: string, taskId: string, outcome: "DEPLOYED" | "NOT_DEPLOYED"): Promise<void>;
  /** Reads the plan's stream to its end and returns everything that was in it. */
  read(planId: string): Promise<StoredEvent[]>;
  setComponentBehaviours(components: Record<string, RequestedBehaviour>, fallback?: RequestedBehaviour): void;
  /** Registers a further adapter; the template id to use for it. */
  register(url: string): Promise<string>;
  /** Calls of the adapter that belong to the plan's tasks, polls left out. */
  calls(planId: string): JournalEntry[];
  close(): Promise<void>;
}

export interface StartLimits {
  operationTimeoutMs?: number;
  services?: readonly ExternalService[] | undefined;
  /** That the plan is checked against. */
  policies?: Policies | undefined;
  policiesOnUnavailable?: "block" | "warn";
}

export async function openLane(): Promise<Lane> {
  const db = await testDatabase();
  const adapter = await startMockAdapter();
  const hub = await createEventHub(db.database);
  const outbound = createOutbound(outboundPolicy, silentLogger);
  const noJobs: Jobs = {
    async send() {},
    async work() {},
    async schedule() {},
    async unschedule() {},
    count: async () => [],
    async close() {},
  };
  const service = await startServiceStub();
  const context = (
    operationTimeoutMs: number,
    { services = [], policies, policiesOnUnavailable = "block" }: StartLimits = {},
  ): CoordinatorContext => ({
    actor: { ref: "user:default/ada", roles: ["admin"], provider: "test" },
    now: () => new Date(),
    log: silentLogger,
    signal: new AbortController().signal,
    requestId: newId(),
    traceparent: newTraceparent(),
    coordinator: {
      database: db.database,
      jobs: noJobs,
      hub,
      outbound,
      adapters: createAdapterClient({ outbound, now: () => new Date() }),
      readComponentTypes: () => Promise.resolve({}),
      readUnit: unitReader(db.database.pool),
      doctor: () => Promise.reject(new Error("nobody checks")),
      policies,
      settings: {
        environments: [environment],
        unitIdPattern: undefined,
        rootProvisioning: true,
        operationTimeoutMs: () => operationTimeoutMs,
        outcomeRetryDelaysMs: [],
        longestHoldMs: 3_600_000,
        driftSchedules: [],
        reconcile: { modeOf: () => "off", parallelPlans: 1, perUnitMs: 1, stopAfterFailures: 1, askMs: 1 },
        adapterCallTimeoutMs: () => 5_000,
        callTimeoutMs: 5_000,
        policiesOnUnavailable,
        services: services.map((each) => ({ ...each, baseUrl: service.url + each.baseUrl })),
        accessSyncUrl: `${service.url}/access`,
        ...laneSettings,
        webhooks: [],
        notices: { mailKinds: null, chats: [] },
      },
    },
  });
  const register = async (url: string): Promise<string> => {
    const id = adapters === 0 ? templateId : `${templateId}:${adapters}`;
    adapters++;
    await sql`insert into tech_adapters (id, version, name) values (${id}, '1', ${id})`.execute(
      db.database.db,
    );
    await sql`insert into adapter_deployments (adapter_id, environment, url)
      values (${id}, ${environment}, ${url})`.execute(db.database.db);
    return id;
  };
  let adapters = 0;
  await register(adapter.url);
  await sql`insert into tech_adapters (id, version, name) values (${asyncTemplateId}, '1', 'Async')`.execute(
    db.database.db,
  );
  await sql`insert into adapter_deployments (adapter_id, environment, url, properties)
    values (${asyncTemplateId}, ${environment}, ${adapter.url}, '{"asyncValidation":true}')`.execute(
    db.database.db,
  );
  const ctx = context(60_000);
  return {
    db,
    adapter,
    service,
    access: (body) => inTransaction(db.database, (tx) => sendAccessRequest(ctx, tx, body)),
    reverse: (body) => inTransaction(db.database, (tx) => startReverseProvisioning(ctx, tx, body)),
    validate: (text, limits) =>
      inTransaction(db.database, (tx) =>
        startValidation(context(60_000, limits), tx, { descriptor: text, removeData: false }),
      ),
    resume: (planId, limits) => resumePlan(context(60_000, limits), planId, {}),
    register,
    start: (body, limits) =>
      startProvisioning(context(limits?.operationTimeoutMs ?? 60_000, limits), requestOf(body), {
        planHash: body.planHash,
      }),
    preview: (body, limits) => previewProvisioning(context(60_000, limits), requestOf(body)),
    validation: (planId) => getValidationStatus(ctx, planId),
    terminate: (planId, mode) => terminatePlan(context(0), planId, mode),
    async settle(plan, task, outcome) {
      await settleManually(context(0), { plan, task }, { outcome, reason: "Somebody looked." });
    },
    async read(planId) {
      const events: StoredEvent[] = [];
      const signal = AbortSignal.timeout(waitLimitMs);
      for await (const event of hub.tail(planStream(planId), { after: 0, signal, isLast: endsPlanStream })) {
        events.push(event);
      }
      if (signal.aborted) throw new Error(`The plan ${planId} did not end within ${waitLimitMs} ms.`);
      return events;
    },
    setComponentBehaviours: (components, fallback) =>
      adapter.setBehaviours({ components, ...(fallback ? { default: fallback } : {}) }),
    calls: (planId) => [...adapter.journal(), ...service.journal].filter((entry) => isCallOf(entry, planId)),
    async close() {
      hub.close();
      await adapter.close();
      await service.close();
      await outbound.close();
      await db.drop();
    },
  };
}

const requestOf = (body: ProvisioningBody) => ({
  unitId: String((body.descriptor as { id?: unknown }).id),
  environment,
  mode: "strict" as const,
  body,
});

const isCallOf = ({ operation, idempotencyKey }: JournalEntry, planId: string): boolean =>
  operation !== "poll" && operation !== "terminate" && idempotencyKey?.startsWith(`${planId}:`) === true;
