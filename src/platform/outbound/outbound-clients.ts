/** One outbound client for each purpose; who may name its addresses decides whether it may reach private networks. */
import { privateNetworksByDefault, type OutboundPurpose } from "../config/schema/schema-platform.ts";
import type { Config } from "../config/schema/schema.ts";
import type { Logger } from "../lib/logger.ts";
import { createOutbound, type Outbound } from "./outbound.ts";

export type OutboundClients = Readonly<Record<OutboundPurpose, Outbound>>;

/** Users who are not operators cause these calls. They get no details of a failure, so the log has them at level info. */
const userFacingPurposes: ReadonlySet<OutboundPurpose> = new Set([
  "hooks",
  "templates",
  "locations",
  "integrations",
  "agentCards",
]);

export function openOutboundClients(
  { privateNetworks, allowPrivateNetworks, ...policy }: Config["outbound"],
  log: Logger,
): { clients: OutboundClients; close: () => Promise<void> } {
  const open = (purpose: OutboundPurpose): Outbound =>
    createOutbound(
      {
        ...policy,
        allowPrivateNetworks:
          privateNetworks[purpose] ?? allowPrivateNetworks ?? privateNetworksByDefault[purpose],
        privateNetworksSetting: `outbound.privateNetworks.${purpose}`,
      },
      log,
      {
        purpose,
        failureLevel: userFacingPurposes.has(purpose) ? "info" : "debug",
        // The path of a chat's address is its credential.
        hidesPaths: purpose === "notices",
      },
    );
  const clients: OutboundClients = {
    adapters: open("adapters"),
    models: open("models"),
    mcpServers: open("mcpServers"),
    agents: open("agents"),
    services: open("services"),
    webhooks: open("webhooks"),
    notices: open("notices"),
    issuers: open("issuers"),
    integrations: open("integrations"),
    agentCards: open("agentCards"),
    hooks: open("hooks"),
    templates: open("templates"),
    locations: open("locations"),
  };
  return {
    clients,
    close: async () => void (await Promise.all(Object.values(clients).map((client) => client.close()))),
  };
}
