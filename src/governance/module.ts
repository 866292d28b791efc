/** Governance as a part of a process: its HTTP interface, its background work, and what other areas may ask of it. */
import { systemContext, type RequestContext } from "../platform/lib/request-context.ts";
import type { Database, Db } from "../platform/db/database.ts";
import type { TimePosition } from "../platform/db/time-position.ts";
import { beginningsOf } from "../platform/db/word-search.ts";
import {
  ageOf,
  governanceDatabaseCheck,
  ok,
  warning,
  type Check,
  type Finding,
} from "../platform/lib/check.ts";
import { answers, migrationsCheck } from "../platform/doctor/database-checks.ts";
import type { AddNumbers } from "../platform/telemetry/database-numbers.ts";
import type { AreaModule, Platform } from "../platform/runtime/platform.ts";
import type { GovernanceDeps } from "./context.ts";
import { governanceService } from "./database.ts";
import { countUndecided } from "./exceptions/store.ts";
import { readReportNumbers } from "./reports/store.ts";
import type { GovernanceCore } from "./core.ts";
import type { DecideOwnership } from "./ownership/decide.ts";
import type { waitingException } from "./exceptions/undecided.ts";
import { exceptionKinds, type ExceptionNotice } from "./exceptions/notices.ts";
import type { DeployedUnits, ReadApprovals, ReadGroups, ReadOwners, ReadOwnership } from "./ports.ts";

export interface GovernanceParts {
  core: GovernanceCore;
  deployedUnits: DeployedUnits;
  readApprovals: ReadApprovals;
  readOwners: ReadOwners;
  readGroups: ReadGroups;
  readOwnership: ReadOwnership;
  decideOwnership: DecideOwnership;
}

export interface GovernanceModule extends AreaModule {
  /** Exceptions that the caller may decide about, the oldest first. */
  listWaiting: (
    ctx: RequestContext,
    page: { limit: number; after: TimePosition | null },
  ) => Promise<ReturnType<typeof waitingException>[]>;
  /** Policies by what is typed of their names, for the search over everything. */
  search: {
    kind: "POLICY";
    rule: "listPolicies";
    find(ctx: RequestContext, query: { text: string; limit: number }): Promise<PolicyHit[]>;
  };
  /** Those of all, for those who tell people about them. */
  notices: { kinds: typeof exceptionKinds; list(limit: number): Promise<ExceptionNotice[]> };
}

interface PolicyHit {
  id: string;
  title: string;
  subtitle: string;
  environment: null;
  link: { policyId: string };
}

export function createGovernance(platform: Platform, { core, ...ports }: GovernanceParts): GovernanceModule {
  const { config, jobs, log, now } = platform;
  const deps: GovernanceDeps = { ...core.deps, ...ports };
  let stopWork = async (): Promise<void> => undefined;
  return {
    async area() {
      const { governanceArea } = await import("./area.ts");
      return governanceArea(deps, { legacyPaths: config.governance.legacyPaths });
    },
    registerMetrics: async (numbers) => registerGovernanceNumbers(numbers, deps.database.db),
    checks: async () => governanceChecks(deps.database),
    async retentionRules() {
      const { governanceRetention } = await import("./retention.ts");
      return governanceRetention(config, deps.database.db);
    },
    async start() {
      if (config.startupActions.governance.policies) {
        const { installFirstPolicies } = await import("./policies/first-policies.ts");
        await installFirstPolicies(systemContext(log, now), deps.database);
      }
      const { expireExceptions } = await import("./exceptions/service.ts");
      const { startEvaluationWork } = await import("./evaluation-work.ts");
      await jobs.schedule("governance-exceptions", "* * * * *", () =>
        expireExceptions(systemContext(log, now), deps.database),
      );
      const worker = await startEvaluationWork(platform, deps);
      stopWork = () => worker.close();
    },
    close: () => stopWork(),
    search: {
      kind: "POLICY",
      rule: "listPolicies",
      async find(_ctx, { text, limit }) {
        const words = beginningsOf(text);
        if (words === null) return [];
        const { findPolicies } = await import("./policies/store.ts");
        const rows = await findPolicies(deps.database.db, {
          typed: text.trim().toLowerCase(),
          words,
          limit,
        });
        return rows.map(({ id, name, status }) => ({
          id,
          title: name,
          subtitle: `${status} · ${id}`,
          environment: null,
          link: { policyId: id },
        }));
      },
    },
    notices: {
      kinds: exceptionKinds,
      async list(limit) {
        const { listExceptionNotices } = await import("./exceptions/notices.ts");
        return listExceptionNotices({ ...systemContext(log, now), governance: deps }, limit);
      },
    },
    async listWaiting(ctx, page) {
      const { listUndecided, waitingException } = await import("./exceptions/undecided.ts");
      return (await listUndecided({ ...ctx, governance: deps }, page)).map(waitingException);
    },
  };
}

/** What metrics read from governance's database. */
export function registerGovernanceNumbers(numbers: AddNumbers, db: Db): void {
  const governance = numbers("governance", async () => ({
    exceptions: await countUndecided(db),
    reports: await readReportNumbers(db),
  }));
  governance.gauge(
    {
      name: "plinth_policy_exceptions_pending",
      help: "Exceptions from policies that wait for a decision.",
    },
    ({ exceptions }, set) => set(exceptions),
  );
  governance.gauge(
    {
      name: "plinth_policy_reports_pending",
      help: "Evaluations of policies that were asked for or are scheduled and have not ended.",
    },
    ({ reports }, set) => set(reports.count),
  );
  governance.gauge(
    {
      name: "plinth_policy_report_oldest_seconds",
      help: "Age of the oldest evaluation of policies that has not ended; 0 without one.",
    },
    ({ reports }, set) => set(reports.oldestSeconds),
  );
}

/** Its database, and evaluations that wait. */
export const governanceChecks = (database: Database, adviceOf?: (error: unknown) => string): Check[] => [
  {
    ...answers(governanceDatabaseCheck, { database, ...(adviceOf && { adviceOf }) }),
    guide: "monitoring.md#plinthgovernancedatabaseaway",
  },
  migrationsCheck({
    name: "governance migrations",
    database,
    service: governanceService,
    needs: governanceDatabaseCheck,
  }),
  {
    name: "evaluations",
    guide: "monitoring.md#plinthreportslate",
    needs: governanceDatabaseCheck,
    look: async () => reportsFinding(await readReportNumbers(database.db)),
  },
];

const lateSeconds = 3_600;

function reportsFinding({ count, oldestSeconds }: { count: number; oldestSeconds: number }): Finding {
  if (count === 0) return ok("No evaluation of policies waits.");
  const found = `Evaluations of policies that have not ended: ${count}, the oldest for ${ageOf(oldestSeconds)}.`;
  return oldestSeconds < lateSeconds
    ? ok(found)
    : warning(found, "Look whether a worker is alive, and whether engines and agents of policies answer.");
}
