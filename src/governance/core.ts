/** What the services of governance and the plans of the coordinator have in common; made once in a process. */
import type { Database } from "../platform/db/database.ts";
import { sharedRead } from "../platform/db/shared-read.ts";
import type { PlatformBase } from "../platform/runtime/platform.ts";
import type { GovernanceDeps } from "./context.ts";
import { openGovernanceDatabase } from "./database.ts";
import type { RequestContext } from "../platform/lib/request-context.ts";
import type { Guardian } from "./policies/guardians.ts";
import type { actionPolicies } from "./evaluation-work.ts";
import { createRuleReader, type ReadOwnershipRules } from "./ownership/rule-reader.ts";
import { readRevision } from "./policies/store.ts";
import type { AskAgent } from "./ports.ts";
import type { PlanPolicies } from "./reports/plan-policies.ts";

/** What other areas answer. */
type PortsOfOthers = Pick<
  GovernanceDeps,
  "decideOwnership" | "deployedUnits" | "readApprovals" | "readGroups" | "readOwners" | "readOwnership"
>;

export interface GovernanceCore {
  deps: Omit<GovernanceDeps, keyof PortsOfOthers>;
  policies: PlanPolicies;
  decideAction: ReturnType<typeof actionPolicies>;
}

export interface OpenGovernance {
  /** Its own; the audit of its changes is there too. */
  database: Database;
  core: () => Promise<GovernanceCore>;
  /** The policies of deployments, for plans. */
  policies: PlanPolicies;
  /** The stored rules about who may touch whose unit. */
  readOwnershipRules: ReadOwnershipRules;
  /** The policies that adapters bring. */
  guardians: { register: (ctx: RequestContext, guardians: readonly Guardian[]) => Promise<void> };
}

/** Its engines are loaded when they are needed: a worker that takes plans over begins before that. */
export async function openGovernance(
  platform: PlatformBase,
  { signal, agents }: { signal: AbortSignal | undefined; agents: AskAgent },
): Promise<OpenGovernance> {
  const database = await openGovernanceDatabase(platform, signal);
  let made: Promise<GovernanceCore> | undefined;
  const revision = sharedRead(() => readRevision(database.db));
  const core = (): Promise<GovernanceCore> => (made ??= createCore(platform, { database, agents, revision }));
  return {
    database,
    core,
    policies: {
      evaluate: async (ctx, request) => (await core()).policies.evaluate(ctx, request),
      fingerprint: async (ctx, environment) => (await core()).policies.fingerprint(ctx, environment),
    },
    readOwnershipRules: createRuleReader(database, revision),
    guardians: {
      async register(ctx, guardians) {
        const { registerGuardians } = await import("./policies/guardians.ts");
        await registerGuardians(ctx, database, guardians);
      },
    },
  };
}

async function createCore(
  { config, opened, outbound, instruments }: PlatformBase,
  { database, agents, revision }: { database: Database; agents: AskAgent; revision: () => Promise<string> },
): Promise<GovernanceCore> {
  const { createEngines } = await import("./engines/engines.ts");
  const { actionPolicies, planPolicies } = await import("./evaluation-work.ts");
  const { createPolicyReader } = await import("./evaluations/policy-reader.ts");
  const { governanceSettings } = await import("./settings.ts");
  const { threads, timeoutMs, memoryMb, cue, model } = config.governance.engines;
  const { countEvaluations } = await import("./engines/counted-engines.ts");
  const made = createEngines({
    outbound: outbound.adapters,
    threads,
    stepTimeoutMs: timeoutMs,
    maxMemoryMb: memoryMb,
    startLate: true,
    cue,
    agents: model ? agents : undefined,
  });
  opened.add("the policy engines", () => made.close());
  const engines = countEvaluations(made, instruments);
  const settings = governanceSettings(config);
  const deps = { database, engines, settings, policies: createPolicyReader(database, revision) };
  return { deps, policies: planPolicies(deps), decideAction: actionPolicies(deps) };
}
