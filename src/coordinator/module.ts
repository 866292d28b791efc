/** The coordinator as a part of a process: its HTTP interface, its workers, and what other areas may ask of it. */
import type { compareComponents } from "./units/diff.ts";
import type { AuditChain } from "../platform/audit/seal.ts";
import { inTransaction, type Db } from "../platform/db/database.ts";
import type { WorkerProgram } from "../platform/jobs/worker-lease.ts";
import type { Doctor } from "../platform/doctor/doctor.ts";
import { openTogether } from "../platform/lib/opened.ts";
import { systemContext, type RequestContext } from "../platform/lib/request-context.ts";
import type { RetentionRule } from "../platform/jobs/retention.ts";
import type { AreaModule, Platform, PlatformBase } from "../platform/runtime/platform.ts";
import type { Reloads } from "../platform/runtime/reloads.ts";
import type { AccessChange, AccessTarget } from "./starts/adapter-requests/access-change.ts";
import { createAdapterClient } from "./adapters/protocol/client.ts";
import type { CoordinatorDeps, WorkerContext } from "./context.ts";
import { createGroupWriter } from "./execution/group-writer.ts";
import { createPollPace } from "./execution/tasks/poll-pace.ts";
import { planQueue } from "./execution/types.ts";
import type { Engine } from "./execution/run.ts";
import { idKey } from "./ids.ts";
import type { UnitApproval } from "./execution/approval-store.ts";
import { createSlots } from "./execution/slots.ts";
import { startPlanWorker, type PlanWorker } from "./execution/worker.ts";
import { createServiceClient } from "./adapters/protocol/service-client.ts";
import { accessSyncId } from "./starts/adapter-requests/tasks.ts";
import type {
  ApprovalDecision,
  CloseApproval,
  NoticeSource,
  OpenApproval,
  Ownership,
  People,
  Policies,
  PolicyGuardians,
  ReadComponentTypes,
  SearchSource,
  WaitingSource,
} from "./ports.ts";
import { deployedUnits, descriptorFeed } from "./units/deployed-store.ts";
import { unitReader } from "./units/store.ts";
import type { ReverseProvisioningBody } from "./starts/adapter-requests/schema.ts";
import { countCalls, createPlanMetrics, watchDrivenPlans } from "./plan-metrics.ts";
import { coordinatorSettings } from "./settings.ts";
import { createQueuedStarts } from "./starts/acceptance/start-queued.ts";
import { eventReaders } from "./watching/unread.ts";
import { createNotices } from "./watching/notices/notices.ts";
import type { registerTechAdapter } from "./adapters/service.ts";

export const coordinatorQueues = [planQueue];

export interface CoordinatorPorts {
  readComponentTypes: ReadComponentTypes;
  /** Undefined where governance is off. */
  policies?: Policies | undefined;
  guardians?: PolicyGuardians | undefined;
  ownership?: Ownership;
  openApproval?: OpenApproval;
  closeApproval?: CloseApproval;
  /** Of all areas. */
  audits: readonly AuditChain[];
  /** What waits for people in other areas. */
  waiting: readonly WaitingSource[];
  /** What the search over everything finds in other areas. */
  search: () => readonly SearchSource[];
  /** By which rules old rows of all areas are deleted. */
  retentionRules: () => Promise<RetentionRule[]>;
  doctor: Doctor;
  /** The same for all of them, for notices. */
  notices: () => readonly NoticeSource[];
  people: People;
}

/** How long a group of writes is tried again while the database is away; longer than most restarts take. */
const writeRetryMs = 60_000;

/**
 * Drives plans. It starts before anything else of the process does work, so that plans of a dead process resume within a
 * second; `takeFrom` adds the job queue when that is there.
 */
export async function startPlanExecution(
  platform: PlatformBase,
  { readComponentTypes, policies }: Pick<CoordinatorPorts, "readComponentTypes" | "policies">,
  program: WorkerProgram,
): Promise<PlanWorker> {
  const { config, database, log, now, limits, instruments } = platform;
  const { execution } = config.coordinator;
  const settings = coordinatorSettings(config);
  const metrics = createPlanMetrics(instruments, config.metrics.adapters);
  const slots = createSlots(
    { ...execution, total: execution.parallelTasks, perAdapter: execution.parallelTasksPerAdapter },
    (source) => limits.atOnce(source),
  );
  const engine: Engine = {
    database,
    log,
    now,
    policies: {
      evaluate: policies && ((ctx, request) => policies.evaluate(ctx, request)),
      onUnavailable: settings.policiesOnUnavailable,
    },
    limits: execution,
    metrics,
    writer: createGroupWriter({ pool: database.pool, log, retryForMs: writeRetryMs, metrics }),
    pace: createPollPace(),
    slots,
    ...clientsOf(platform),
  };
  const worker = await startPlanWorker(engine, {
    leaseMs: execution.leaseMs,
    parallelPlans: execution.parallelPlans,
    program,
    beginQueuedStarts: createQueuedStarts({ database, log, now, settings, readComponentTypes, policies }),
  });
  limits.liveAs(worker.id);
  watchDrivenPlans(instruments, {
    lease: worker.lease,
    plans: () => worker.driving(),
    tasks: () => worker.tasks(),
    slots() {
      const { total, waitingTasks: waiting } = slots.state();
      return { ...total, waiting };
    },
  });
  return worker;
}

export interface CoordinatorModule extends AreaModule {
  /** Deployed descriptors, for the search of another area. */
  descriptors: ReturnType<typeof descriptorFeed>;
  /** What is deployed, for the evaluations of another area. */
  deployedUnits: ReturnType<typeof deployedUnits>;
  /** Who owns what is deployed, of each unit that has it. */
  readOwners: (query: { id: string; environment: string }) => Promise<string[][]>;
  /** Of the last descriptor of a unit, also while nothing of it is deployed; null for a unit that was never started there. */
  readOwnership: (query: {
    id: string;
    environment: string;
  }) => Promise<{ owners: string[]; domain: string | null } | null>;
  registerAdapter: (ctx: RequestContext, registration: Registration) => Promise<void>;
  access: ReturnType<typeof accessOf>;
  reverseProvisioning: ReturnType<typeof reverseProvisioningOf>;
  /** Approvals of the unit's plans, the latest first. */
  readApprovals: (ctx: RequestContext, unitId: string) => Promise<UnitApproval[]>;
  /** Tells plans how the approval ended that they wait for; in the transaction that decides. */
  decideApproval: (ctx: RequestContext, tx: Db, decision: ApprovalDecision) => Promise<void>;
  /** What the descriptor of a plan changes of what is deployed. */
  readPlanDiff: (planId: string) => Promise<PlanDiff | null>;
}

type PlanDiff = ReturnType<typeof compareComponents>;
type Services = WorkerContext["coordinator"];
type Registration = Parameters<typeof registerTechAdapter>[1];

export function createCoordinator(platform: Platform, ports: CoordinatorPorts): CoordinatorModule {
  const { config, database, jobs, outbound } = platform;
  const settings = coordinatorSettings(config);
  const services: Services = { database, jobs, settings };
  const deps = dependenciesOf(platform, services, ports);
  const notices = createNotices(platform, deps, ports.notices);
  let stopWatching = async (): Promise<void> => undefined;
  return {
    async area() {
      const { coordinatorArea } = await import("./area.ts");
      return coordinatorArea(deps, { atRoot: config.coordinator.rootPaths });
    },
    async registerMetrics(numbers) {
      const { registerWatchingMetrics } = await import("./watching/metrics.ts");
      registerWatchingMetrics(numbers, database.db, eventReaders(config));
      const { registerNoticeMetrics } = await import("./watching/notices/metrics.ts");
      registerNoticeMetrics(numbers, database.db);
    },
    async retentionRules() {
      const { coordinatorRetention } = await import("./watching/retention/rules.ts");
      return coordinatorRetention(config, database);
    },
    async checks() {
      const { adaptersCheck, coordinatorChecks } = await import("./watching/checks.ts");
      const { db } = database;
      return [...coordinatorChecks(db, eventReaders(config)), adaptersCheck(db, outbound.adapters)];
    },
    async start(workerId) {
      stopWatching = await openTogether(platform.log, async (opened) => {
        const stop = await opened.open(
          "the drift checks and webhooks",
          () => startWatching(platform, deps, workerId),
          (close) => close(),
        );
        const stopNotices = await notices.start(workerId);
        return async () => void (await Promise.all([stop(), stopNotices()]));
      });
      const { guardians } = ports;
      if (guardians === undefined) return;
      const { registerGuardians } = await import("./adapters/guardians.ts");
      const ctx = systemContext(platform.log, platform.now);
      await jobs.schedule("policy-guardians", "* * * * *", () =>
        registerGuardians(ctx, database.db, guardians),
      );
    },
    close: () => stopWatching(),
    async registerAdapter(ctx, registration) {
      const service = await import("./adapters/service.ts");
      await service.registerTechAdapter({ ...ctx, coordinator: deps }, registration);
    },
    descriptors: descriptorFeed(database.db),
    deployedUnits: deployedUnits(database.db),
    async readOwners(query) {
      const { ownerFields, ownersOf } = await import("./starts/ownership/owners.ts");
      return (await deployedUnits(database.db).findFields(query, ownerFields)).map(ownersOf);
    },
    async readOwnership({ id, environment }) {
      const { domainOf, ownersOf } = await import("./starts/ownership/owners.ts");
      const { loadStartedDescriptor } = await import("./units/store.ts");
      const descriptor = await loadStartedDescriptor(database.db, { unitKey: idKey(id), environment });
      return descriptor && { owners: ownersOf(descriptor), domain: domainOf(descriptor) };
    },
    access: accessOf(services),
    async readApprovals(_ctx, unitId) {
      const { readUnitApprovals } = await import("./execution/approval-store.ts");
      return readUnitApprovals(database.db, idKey(unitId));
    },
    async decideApproval(ctx, tx, decision) {
      const { decideApproval } = await import("./starts/ownership/decide-approval.ts");
      await decideApproval(ctx, { tx, jobs, openApproval: ports.openApproval }, decision);
    },
    async readPlanDiff(planId) {
      const { readPlanDiff } = await import("./units/diff.ts");
      return readPlanDiff(database.db, planId);
    },
    reverseProvisioning: reverseProvisioningOf(services),
  };
}

const dependenciesOf = (
  platform: Platform,
  services: Services,
  ports: CoordinatorPorts,
): CoordinatorDeps => ({
  ...services,
  ...ports,
  adapters: clientsOf(platform).adapters,
  outbound: platform.outbound.adapters,
  hub: platform.hub,
  audit: { chains: ports.audits, verifiedRows: platform.config.audit.verifiedRows },
  readUnit: unitReader(platform.database.pool),
});

const clientsOf = ({ config, reloads, outbound, now, instruments }: PlatformBase) =>
  countCalls(
    {
      adapters: createAdapterClient({
        outbound: outbound.adapters,
        now,
        secrets() {
          const { secret, formerSecret } = reloads.config().adapters;
          return [secret, formerSecret];
        },
      }),
      services: createServiceClient({ outbound: outbound.services, now, secretOf: serviceSecrets(reloads) }),
    },
    instruments,
    config.metrics.adapters,
  );

/** What calls to external services are signed with. */
const serviceSecrets =
  ({ config }: Reloads) =>
  (serviceId: string) =>
    serviceId === accessSyncId
      ? config().coordinator.accessSync.secret
      : config()["marketplace-compliant-services"].services.find(({ id }) => id === serviceId)?.secret;

/** What messages to webhooks are signed with. */
const webhookSecrets =
  ({ config }: Reloads) =>
  (webhook: string): readonly string[] =>
    config().coordinator.webhooks.find(({ name }) => name === webhook)?.secrets ?? [];

/** How long calls of webhooks that are under way may take at a stop; what is cut off is sent again. */
const webhookGraceMs = 2_000;

/** The work besides plans: drift checks, unknown outcomes, plans that wait too long, and webhooks. */
async function startWatching(
  { config, reloads, log, database, now, outbound }: Platform,
  coordinator: CoordinatorDeps,
  workerId: string,
): Promise<() => Promise<void>> {
  const { webhooks, drift, execution, rootProvisioning } = config.coordinator;
  const { startDriftWorker } = await import("./watching/drift/worker.ts");
  const limits = { ...drift, pollMs: execution.pollInitialMs };
  const shared = { database, log, now, workerId };
  const { reconcile } = coordinator.settings;
  const { createReconcileRounds } = await import("./watching/reconcile/round.ts");
  const { startRetries } = await import("./watching/outcomes/retries.ts");
  const { startEndingHeld } = await import("./starts/acceptance/end-held.ts");
  const { startEndingRemoved } = await import("./watching/webhooks/end-removed.ts");
  return openTogether(log, async (opened) => {
    const checks = await opened.open(
      "the drift checks",
      () =>
        startDriftWorker({
          ...shared,
          adapters: coordinator.adapters,
          limits,
          callTimeoutMs: coordinator.settings.adapterCallTimeoutMs,
          schedules: drift.schedules,
          askMs: (environment) => (reconcile.modeOf(environment) === "off" ? null : reconcile.askMs),
          reconcile: createReconcileRounds({ coordinator, log, now }),
        }),
      (started) => started.close(),
    );
    const retries = await opened.open(
      "the retries of unknown outcomes",
      () => startRetries({ coordinator, log, now }),
      (started) => started.close(),
    );
    const held = await opened.open(
      "the end of plans that wait too long",
      () => startEndingHeld({ coordinator, log, now }),
      (started) => started.close(),
    );
    const removed = await opened.open(
      "the end of deliveries to webhooks that are removed",
      () => startEndingRemoved({ database, log, now, webhooks }),
      (started) => started.close(),
    );
    const closeAll = async (): Promise<void> =>
      void (await Promise.all([checks.close(), retries.close(), held.close(), removed.close()]));
    if (webhooks.length === 0) return closeAll;
    const source = `${config.server.baseUrl?.replace(/\/+$/, "") ?? ""}/api/coordinator`;
    const { startOutgoing } = await import("./watching/webhooks/worker.ts");
    const outgoing = await startOutgoing({
      ...shared,
      outbound: outbound.webhooks,
      source,
      webhooks,
      secretsOf: webhookSecrets(reloads),
      rootProvisioning,
    });
    return async () => void (await Promise.all([closeAll(), outgoing.close(webhookGraceMs)]));
  });
}

/** Access of consumers, for the area that takes their requests. */
const accessOf = (coordinator: Services) => ({
  describe: async (ctx: RequestContext, target: AccessTarget) => {
    const { describeTarget } = await import("./starts/adapter-requests/access-change.ts");
    return describeTarget({ ...ctx, coordinator }, target);
  },
  change: async (ctx: RequestContext, change: AccessChange) => {
    const { changeAccess } = await import("./starts/adapter-requests/access-change.ts");
    return changeAccess({ ...ctx, coordinator }, change);
  },
  readEnd: async (ctx: RequestContext, planId: string) => {
    const { readAccessEnd } = await import("./starts/adapter-requests/access-change.ts");
    return readAccessEnd({ ...ctx, coordinator }, planId);
  },
});

/** Adapters are asked about what exists, for the area that turns their answers into entities. */
const reverseProvisioningOf = (coordinator: Services) => ({
  start: async (ctx: RequestContext, request: ReverseProvisioningBody) => {
    const { startReverseProvisioning } = await import("./starts/adapter-requests/reverse-service.ts");
    return inTransaction(coordinator.database, (tx) =>
      startReverseProvisioning({ ...ctx, coordinator }, tx, request),
    );
  },
  readEnd: async (ctx: RequestContext, planId: string) => {
    const { readReverseEnd } = await import("./starts/adapter-requests/reverse-service.ts");
    return readReverseEnd({ ...ctx, coordinator }, planId);
  },
});
