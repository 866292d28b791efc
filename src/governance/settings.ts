/** The settings of governance's services, from the configuration. */
import type { Config } from "../platform/config/schema/schema.ts";
import type { GovernanceSettings } from "./context.ts";
import { configuredRules } from "./ownership/ownership.ts";

export const governanceSettings = (config: Config): GovernanceSettings => ({
  environments: config.mesh.builder.environments.map(({ name }) => name),
  unownedIsMine: config.mode === "development",
  ownership: configuredRules(config),
  pendingReports: config.governance.evaluations.pendingReports,
});
