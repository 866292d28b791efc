/** The settings of governance's services, from the configuration. */
import type { Config } from "../platform/config/schema/schema.ts";
import type { GovernanceSettings } from "./context.ts";

export const governanceSettings = ({ mesh }: Config): GovernanceSettings => ({
  environments: mesh.builder.environments.map(({ name }) => name),
});
