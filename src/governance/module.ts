/** Governance as a part of a process: its HTTP interface, its background work, and what other areas may ask of it. */
import { systemContext } from "../platform/lib/request-context.ts";
import type { AreaModule, Platform } from "../platform/runtime/platform.ts";
import type { GovernanceDeps } from "./context.ts";
import type { GovernanceCore } from "./core.ts";
import type { DeployedUnits, ReadApprovals, ReadGroups, ReadOwners } from "./ports.ts";

export interface GovernanceParts {
  core: GovernanceCore;
  deployedUnits: DeployedUnits;
  readApprovals: ReadApprovals;
  readOwners: ReadOwners;
  readGroups: ReadGroups;
}

export function createGovernance(platform: Platform, { core, ...ports }: GovernanceParts): AreaModule {
  const { config, jobs, log, now } = platform;
  const deps: GovernanceDeps = { ...core.deps, ...ports };
  let stopWork = async (): Promise<void> => undefined;
  return {
    async area() {
      const { governanceArea } = await import("./area.ts");
      return governanceArea(deps, { legacyPaths: config.governance.legacyPaths });
    },
    registerMetrics: async () => undefined,
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
  };
}
