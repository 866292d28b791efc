/** Governance as a part of a process: its HTTP interface, its background work, and what other areas may ask of it. */
import type { Database } from "../platform/db/database.ts";
import { systemContext } from "../platform/lib/request-context.ts";
import type { AreaModule, Platform } from "../platform/runtime/platform.ts";
import type { GovernanceDeps } from "./context.ts";
import { createEngines } from "./engines/engines.ts";
import { governanceSettings } from "./settings.ts";

export interface GovernanceParts {
  /** Governance's own. */
  database: Database;
}

export function createGovernance(platform: Platform, { database }: GovernanceParts): AreaModule {
  const { config, opened, outbound, jobs, log, now } = platform;
  const { threads, timeoutMs, memoryMb } = config.governance.engines;
  const engines = createEngines({
    outbound: outbound.adapters,
    threads,
    stepTimeoutMs: timeoutMs,
    maxMemoryMb: memoryMb,
    startLate: true,
  });
  opened.add("the policy engines", () => engines.close());
  const deps: GovernanceDeps = { database, engines, settings: governanceSettings(config) };
  return {
    async area() {
      const { governanceArea } = await import("./area.ts");
      return governanceArea(deps, { legacyPaths: config.governance.legacyPaths });
    },
    registerMetrics: async () => undefined,
    async start() {
      const ctx = systemContext(log, now);
      if (config.startupActions.governance.policies) {
        const { installFirstPolicies } = await import("./policies/first-policies.ts");
        await installFirstPolicies(ctx, database);
      }
      const { expireExceptions } = await import("./exceptions/service.ts");
      await jobs.schedule("governance-exceptions", "* * * * *", () =>
        expireExceptions(systemContext(log, now), database),
      );
    },
    close: async () => undefined,
  };
}
