/** Which rules there are: those of the configuration, then the stored ones, then the default ones. */
import type { Config } from "../../platform/config/schema/schema.ts";
import { createOwnership, type DecideOwnership, type OwnershipOptions } from "./decide.ts";
import type { ReadOwnershipRules } from "./rule-reader.ts";
import { defaultRules, type OwnershipRule } from "./rules.ts";

export interface ConfiguredRules {
  configured: readonly OwnershipRule[];
  defaults: readonly OwnershipRule[];
}

export function configuredRules(config: Config): ConfiguredRules {
  const { rules, approvalEnvironments } = config.governance.ownership;
  return { configured: rules, defaults: defaultRules(approvalEnvironments ?? guarded(config)) };
}

export interface OwnershipPorts {
  groupsOf: OwnershipOptions["groupsOf"];
  readRules: ReadOwnershipRules;
}

/** Without the stored rules while they can't be read, where operators have said that plans go on then. */
export function openOwnership(config: Config, { groupsOf, readRules }: OwnershipPorts): DecideOwnership {
  const { configured, defaults } = configuredRules(config);
  const { onUnavailable } = config.governance;
  const readStored = onUnavailable === "warn" ? () => readRules().catch(() => []) : readRules;
  return createOwnership({
    readRules: async () => [...configured, ...(await readStored()), ...defaults],
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
