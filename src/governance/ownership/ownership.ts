/** The ownership of units as it is configured. */
import type { Config } from "../../platform/config/schema/schema.ts";
import { createOwnership, type DecideOwnership, type OwnershipOptions } from "./decide.ts";
import { defaultRules } from "./rules.ts";

export function configuredOwnership(config: Config, groupsOf: OwnershipOptions["groupsOf"]): DecideOwnership {
  const { rules, approvalEnvironments } = config.governance.ownership;
  return createOwnership({
    rules: rules.length > 0 ? rules : defaultRules(approvalEnvironments ?? guarded(config)),
    unownedIsMine: config.mode === "development",
    groupsOf,
  });
}

/**
 * The environment that is guarded where none is named: production where there is one, else that with the highest
 * priority, where there are several.
 */
function guarded({ mesh }: Config): string[] {
  const environments = mesh.builder.environments;
  const named = environments.find(({ name }) => name.toLowerCase() === "production");
  const highest = environments.toSorted((a, b) => a.priority - b.priority)[0];
  const chosen = named ?? (environments.length > 1 ? highest : undefined);
  return chosen === undefined ? [] : [chosen.name];
}
