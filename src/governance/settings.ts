/** The settings of governance's services, from the configuration. */
import type { Config } from "../platform/config/schema/schema.ts";
import type { GovernanceSettings } from "./context.ts";

export const governanceSettings = ({ mesh, governance, mode }: Config): GovernanceSettings => ({
  environments: mesh.builder.environments.map(({ name }) => name),
  unownedIsMine: mode === "development",
  pendingReports: governance.evaluations.pendingReports,
});
