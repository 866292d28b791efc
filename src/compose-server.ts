/**
 * The serving half of the composition: the only file that knows every area. It is loaded by processes that
 * serve; one that only drives plans starts in half the time without it.
 */
import { assistantArea } from "./assistant/area.ts";
import { registerIndexMetrics } from "./assistant/retrieval/metrics.ts";
import { bringShipped } from "./assistant/shipped/service.ts";
import { recordPlatformTools } from "./assistant/mcp-clients/platform-rows.ts";
import { builderArea, createProbe } from "./builder/area.ts";
import { readComponentTypes, readTaxonomy } from "./builder/catalogue/reading/taxonomy-store.ts";
import { registerHookMetrics } from "./builder/hooks/metrics.ts";
import { accessCoordinator, actionHandlers, type BuilderParts } from "./compose-builder.ts";
import { listOpenApprovals } from "./assistant/runs/approval-store.ts";
import { listHooksToAnswer } from "./builder/hooks/waiting.ts";
import type { WaitingSource } from "./coordinator/ports.ts";
import type { AssistantDeps } from "./assistant/context.ts";
import type { AreaName, Deps, ProcessRole } from "./compose.ts";
import { coordinatorArea } from "./coordinator/area.ts";
import type { CoordinatorDeps } from "./coordinator/context.ts";
import { coordinatorSettings } from "./coordinator/settings.ts";
import { registerTechAdapter } from "./coordinator/tech-adapters/service.ts";
import { registerWatchingMetrics } from "./coordinator/watching-metrics.ts";
import { createAuthenticator } from "./platform/auth/authenticator.ts";
import { challengeOf } from "./platform/auth/errors.ts";
import { authorize, isPolicyId, isPublic, type PolicyId } from "./platform/auth/policy.ts";
import { isLoopbackHost } from "./platform/config/rules/loopback.ts";
import { ping, type Database } from "./platform/db/database.ts";
import { databaseFailure } from "./platform/db/failures.ts";
import { readOldestProgram } from "./platform/db/migration-table.ts";
import type { EarlyListener } from "./platform/http/door.ts";
import type { AccessControl } from "./platform/http/kit.ts";
import type { Area } from "./platform/http/operation.ts";
import type { Readiness } from "./platform/http/health.ts";
import { createHttpServer, type HttpServer } from "./platform/http/server.ts";
import { systemActor } from "./platform/lib/actor.ts";
import { newId, newTraceparent } from "./platform/lib/ids.ts";
import type { Logger } from "./platform/lib/logger.ts";
import type { Opened } from "./platform/lib/opened.ts";
import type { RequestContext } from "./platform/lib/request-context.ts";
import { createMetrics } from "./platform/telemetry/metrics.ts";

type PlatformDeps = Deps & { builder: BuilderParts };
type ServerDeps = PlatformDeps & { assistant: AssistantDeps };

/** Everything but the first request: `listen` lets it in. */
export async function openHttpServer(
  deps: ServerDeps,
  { role, earlyListener, opened }: { role: ProcessRole; earlyListener: EarlyListener; opened: Opened },
): Promise<HttpServer> {
  const { config, log, database } = deps;
  const areas: Record<AreaName, () => Area> = {
    ...platformAreaMakers(deps, [approvalsOf(deps.assistant)]),
    assistant: () => assistantArea({ deps: deps.assistant }),
  };
  if (role.areas.includes("assistant")) {
    await opened.wait("what is shipped", () => bringShipped(systemContext(log), database));
    await opened.wait("the tools of the platform", () =>
      recordPlatformTools(deps.assistant, { servers: config.assistant.mcpServers, at: new Date() }),
    );
  }
  const metrics = createMetrics();
  registerWatchingMetrics(metrics.registry, database, () => new Date());
  registerHookMetrics(metrics.registry, database);
  registerIndexMetrics(metrics.registry, database);
  for (const { metric } of Object.values(deps.assistant.metrics)) metrics.registry.registerMetric(metric);
  const options = {
    server: config.server,
    earlyListener,
    ...areaOptions(deps),
    areas: role.areas.map((name) => areas[name]()),
    metrics,
    access: accessControl(deps),
    isBehind: () => database.pool.waitingCount > 0,
  };
  return opened.open(
    "the HTTP server",
    () => createHttpServer(options),
    (server) => server.close(),
    { isAtWork: true },
  );
}

/** The areas whose operations the assistant offers as tools. */
function platformAreaMakers(
  deps: PlatformDeps,
  waiting: readonly WaitingSource[] = [],
): Record<"builder" | "coordinator", () => Area> {
  const coordinator: CoordinatorDeps = {
    database: deps.database,
    hub: deps.builder.deps.hub,
    jobs: deps.jobs,
    outbound: deps.outboundClients.adapters,
    adapters: deps.adapters,
    readComponentTypes: () => readComponentTypes(deps.database.kysely),
    settings: coordinatorSettings(deps.config),
    waiting: [hooksOf(deps.builder), ...waiting],
  };
  const atRoot = deps.config.coordinator.rootPaths;
  return {
    builder: () => wireBuilder(deps, coordinator),
    coordinator: () => coordinatorArea(coordinator, { atRoot }),
  };
}

export const platformAreas = (deps: PlatformDeps): Area[] =>
  Object.values(platformAreaMakers(deps)).map((make) => make());

/** Tool calls of the caller's runs that wait for approval, for the list of what waits. */
const approvalsOf =
  ({ database }: AssistantDeps): WaitingSource =>
  async ({ actor, now }, limit) => {
    const rows = await listOpenApprovals(database.kysely, { owner: actor.ref, at: now(), limit });
    return rows.map(({ id, runId, server, tool, createdAt, expiresAt }) => ({
      kind: "APPROVAL",
      id,
      title: `A run of the assistant asks whether it may call ${tool} of ${server}.`,
      since: createdAt,
      expiresAt,
      path: `/api/assistant/v2/runs/${runId}`,
    }));
  };

/** Hooks that the caller may answer. */
const hooksOf =
  ({ deps: builder }: BuilderParts): WaitingSource =>
  async (ctx, limit) => {
    const rows = await listHooksToAnswer({ ...ctx, builder }, limit);
    return rows.map(({ id, name, actionName, requester, createdAt, expiresAt }) => ({
      kind: "HOOK",
      id,
      title: `${requester} asks for ${actionName} (${name}).`,
      since: createdAt,
      expiresAt,
      path: `/api/builder/hooks/${id}`,
    }));
  };

/** What every server of these areas is made with. */
export const areaOptions = ({ log, database, schemaVersion }: Deps) => ({
  log,
  readiness: () => readiness(database, schemaVersion),
  translate: databaseFailure,
});

/** Of what the process does by itself. */
const systemContext = (log: Logger): RequestContext => ({
  actor: systemActor,
  now: () => new Date(),
  log,
  signal: new AbortController().signal,
  requestId: newId(),
  traceparent: newTraceparent(),
});

/** The builder registers adapters in the coordinator's catalogue; here that is a call of its service. */
function wireBuilder(deps: PlatformDeps, coordinator: CoordinatorDeps): Area {
  const { config, outboundClients, builder } = deps;
  const { environments, namespace } = builder.deps.settings;
  return builderArea({
    ...builder,
    environments,
    namespace,
    archive: config.mesh.builder.archive,
    catalogue: {
      register: (ctx, registration) => registerTechAdapter({ ...ctx, coordinator }, registration),
    },
    access: accessCoordinator(deps),
    actionHandlers,
    checkUrl: (url) => outboundClients.adapters.check(url),
    probeUrl: createProbe(outboundClients.adapters),
    renderer: builder.deps.renderer,
    readTaxonomy: () => readTaxonomy(deps.database.kysely),
  });
}

function accessControl({ config, log, outboundClients }: Deps): AccessControl {
  const authenticate = createAuthenticator({
    auth: config.auth,
    mode: config.mode,
    loopbackOnly: isLoopbackHost(config.server.host),
    log,
    async fetchJson(url) {
      const headers = { accept: "application/json" };
      const answer = await outboundClients.issuers.request({ method: "GET", url, headers });
      if (answer.status !== 200) throw new Error(`${new URL(url).host} answered ${answer.status}`);
      return JSON.parse(answer.body.toString("utf8")) as unknown;
    },
  });
  return { ...accessRules, authenticate: (headers, remote) => authenticate(headers, remote) };
}

/** Who may do what, whoever they are and however that is known. */
export const accessRules: Omit<AccessControl, "authenticate"> = {
  authorize: (actor, rule) => authorize(actor, rule as PolicyId),
  hasRule: isPolicyId,
  isPublic: (rule) => isPolicyId(rule) && isPublic(rule),
  challengeOf,
};

/** Also checks the schema version: a process without workers has no other way to notice that a newer program migrated. */
async function readiness(database: Database, schemaVersion: number): Promise<Readiness> {
  const name = "database";
  const oldest = await ping(database)
    .then(() => readOldestProgram(database.pool))
    .catch(() => null);
  if (oldest === null)
    return { ready: false, checks: [{ name, ok: false, reason: "The database does not answer." }] };
  const ok = oldest <= schemaVersion;
  const schema = ok ? { ok } : { ok, reason: "The database's schema takes newer programs only." };
  return {
    ready: ok,
    checks: [
      { name, ok: true },
      { name: "schema", ...schema },
    ],
  };
}
