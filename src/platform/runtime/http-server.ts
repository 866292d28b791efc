/** What every server of this process is made with: who may call, when it is ready, what a failing database answers. */
import { openAuthenticator } from "../auth/authenticator.ts";
import { challengeOf } from "../auth/errors.ts";
import { authorize, isPolicyId, isPublic, type PolicyId } from "../auth/policy.ts";
import { isLoopbackHost } from "../config/rules/loopback.ts";
import { ping, type Database } from "../db/database.ts";
import { databaseFailure } from "../db/failures.ts";
import { readOldestProgram } from "../db/migrations/migration-table.ts";
import type { EarlyListener } from "../http/listening/early-listener.ts";
import type { Readiness } from "../http/health.ts";
import type { AccessControl } from "../http/kit.ts";
import type { Area } from "../http/operation.ts";
import { createHttpServer, type HttpServer, type HttpServerOptions } from "../http/server.ts";
import { createMetrics, type Metrics } from "../telemetry/metrics.ts";
import type { PlatformBase } from "./platform.ts";

export interface ServerParts {
  areas: readonly Area[];
  otherDocuments: HttpServerOptions["otherDocuments"];
  metrics: Metrics;
  earlyListener: EarlyListener;
  /** The built console; undefined where it is not served. */
  console?: HttpServerOptions["console"];
  /** Why an area is not ready; null where all of them are. */
  notReady?: () => string | null;
  governance: GovernanceCheck;
}

interface GovernanceCheck {
  database: Database;
  /** Whether the process serves nothing else: only then it is not ready without that database. */
  isAlone: boolean;
}

/** The server that callers reach; nothing is served before `listen`. */
export function openHttpServer(platform: PlatformBase, parts: ServerParts): Promise<HttpServer> {
  const { config, opened, database } = platform;
  const options: HttpServerOptions = {
    ...commonOptions(platform),
    ...parts,
    readiness: async () => {
      const [own, ofGovernance] = await Promise.all([
        readiness(database, platform.schemaVersion),
        isThere(parts.governance.database),
      ]);
      return withGovernance(withArea(own, parts.notReady?.() ?? null), ofGovernance, parts.governance);
    },
    server: config.server,
    access: accessControl(platform),
    isBehind: () => database.pool.waitingCount > 0,
    shareRate: (limit) => platform.limits.rate(limit),
  };
  return opened.open(
    "the HTTP server",
    () => createHttpServer(options),
    (server) => server.close(),
    { isAtWork: true },
  );
}

/** Who calls from within the process, and on behalf of whom. */
export interface InnerCallers {
  authenticate: AccessControl["authenticate"];
  clientAddressOf: NonNullable<HttpServerOptions["clientAddressOf"]>;
}

/** A server for calls from within the process, which it has to be given by `adopt`. */
export const createInnerServer = (
  platform: PlatformBase,
  areas: readonly Area[],
  { authenticate, clientAddressOf }: InnerCallers,
): Promise<HttpServer> =>
  createHttpServer({
    ...commonOptions(platform),
    // The rate limit has counted the caller already, and the run that calls was admitted or is a worker's.
    server: { ...platform.config.server, trustProxy: false, rateLimitPerMinute: 0, admission: null },
    areas,
    metrics: createMetrics({ processMetrics: false }),
    access: { ...accessRules, authenticate },
    clientAddressOf,
  });

const commonOptions = ({ log, database, schemaVersion }: PlatformBase) => ({
  log,
  readiness: () => readiness(database, schemaVersion),
  translate: databaseFailure,
});

function accessControl({ config, reloads, log, outbound, tokens, sessions }: PlatformBase): AccessControl {
  const authenticator = openAuthenticator({
    sessions,
    ownOrigin: sessions.ownOrigin,
    auth: config.auth,
    mode: config.mode,
    loopbackOnly: isLoopbackHost(config.server.host),
    log,
    tokens,
    async fetchJson(url) {
      const headers = { accept: "application/json" };
      const answer = await outbound.issuers.request({ method: "GET", url, headers });
      if (answer.status !== 200) throw new Error(`${new URL(url).host} answered ${answer.status}`);
      return JSON.parse(answer.body.toString("utf8")) as unknown;
    },
  });
  reloads.add(({ auth }) => authenticator.reload(auth));
  return { ...accessRules, authenticate: authenticator.authenticate };
}

/** Who may do what, whoever they are and however that is known. */
const accessRules: Omit<AccessControl, "authenticate"> = {
  authorize: (actor, rule) => authorize(actor, rule as PolicyId),
  hasRule: isPolicyId,
  isPublic: (rule) => isPolicyId(rule) && isPublic(rule),
  challengeOf,
};

const withArea = ({ ready, checks }: Readiness, reason: string | null): Readiness =>
  reason === null
    ? { ready, checks }
    : { ready: false, checks: [...checks, { name: "area", ok: false, reason }] };

const isThere = (database: Database): Promise<boolean> =>
  ping(database).then(
    () => true,
    () => false,
  );

/** Nearly everything works without governance's database, so its loss must not take all processes from the traffic. */
function withGovernance({ ready, checks }: Readiness, ok: boolean, { isAlone }: GovernanceCheck): Readiness {
  const name = "governance database";
  if (ok) return { ready, checks: [...checks, { name, ok }] };
  const reason = isAlone
    ? "Governance's database does not answer."
    : "Governance's database does not answer: policies, exceptions and ownership rules cannot be read. Everything else works.";
  return { ready: ready && !isAlone, checks: [...checks, { name, ok, reason }] };
}

/**
 * Checks the database and the schema version: a process without workers has no other way to notice that a newer
 * program migrated.
 */
async function readiness(database: PlatformBase["database"], schemaVersion: number): Promise<Readiness> {
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
