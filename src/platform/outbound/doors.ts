/** One outbound door for each purpose: who names the addresses that go through it decides how far it leads. */
import { privateNetworksByDefault, type OutboundPurpose } from "../config/schema-platform.ts";
import type { Config } from "../config/schema.ts";
import type { Logger } from "../lib/logger.ts";
import { createOutbound, type Outbound } from "./outbound.ts";

export type OutboundDoors = Readonly<Record<OutboundPurpose, Outbound>>;

/** Those through which people go who are no operators: they are told no details, so the log has them. */
const quietDoors: ReadonlySet<OutboundPurpose> = new Set([
  "hooks",
  "templates",
  "locations",
  "integrations",
  "agentCards",
]);

export function openDoors(
  { privateNetworks, allowPrivateNetworks, ...policy }: Config["outbound"],
  log: Logger,
): { doors: OutboundDoors; close: () => Promise<void> } {
  const open = (purpose: OutboundPurpose): Outbound =>
    createOutbound(
      {
        ...policy,
        allowPrivateNetworks:
          privateNetworks[purpose] ?? allowPrivateNetworks ?? privateNetworksByDefault[purpose],
        privateNetworksSetting: `outbound.privateNetworks.${purpose}`,
      },
      log,
      { failureLevel: quietDoors.has(purpose) ? "info" : "debug" },
    );
  const doors: OutboundDoors = {
    adapters: open("adapters"),
    models: open("models"),
    mcpServers: open("mcpServers"),
    agents: open("agents"),
    services: open("services"),
    webhooks: open("webhooks"),
    issuers: open("issuers"),
    integrations: open("integrations"),
    agentCards: open("agentCards"),
    hooks: open("hooks"),
    templates: open("templates"),
    locations: open("locations"),
  };
  return {
    doors,
    close: async () => void (await Promise.all(Object.values(doors).map((door) => door.close()))),
  };
}
