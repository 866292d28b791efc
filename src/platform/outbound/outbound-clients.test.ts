import { expect, it } from "vitest";
import { inspect } from "../config/testdata.ts";
import { silentLogger } from "../lib/logger.ts";
import { openOutboundClients } from "./outbound-clients.ts";

/** The purposes for which an address of a private network may be called. */
async function opened(outbound: object, env: Record<string, string> = {}): Promise<string[]> {
  const { config } = inspect(JSON.stringify({ outbound }), env);
  if (config === undefined || config === null) throw new Error("The configuration is not sound.");
  const { clients: outboundClients, close } = openOutboundClients(config.outbound, silentLogger);
  await close();
  return Object.entries(outboundClients)
    .filter(([, client]) => client.check("http://10.0.0.1") === null)
    .map(([purpose]) => purpose);
}

const ofOperators = [
  "adapters",
  "models",
  "mcpServers",
  "agents",
  "services",
  "webhooks",
  "notices",
  "issuers",
  "integrations",
];
const ofOthers = ["agentCards", "hooks", "templates", "locations"];

it("lets what operators name be private, and nothing else", async () => {
  expect(await opened({})).toEqual(ofOperators);
});

it("has a setting for each, and the older one for all that are not given", async () => {
  expect(await opened({ privateNetworks: { templates: true, models: false } })).toEqual(
    [...ofOperators, "templates"].filter((each) => each !== "models"),
  );
  expect(await opened({ allowPrivateNetworks: true })).toEqual([...ofOperators, ...ofOthers]);
  expect(await opened({ allowPrivateNetworks: false })).toEqual([]);
  expect(await opened({ allowPrivateNetworks: false, privateNetworks: { adapters: true } })).toEqual([
    "adapters",
  ]);
  expect(await opened({}, { PLINTH_OUTBOUND_PRIVATE_NETWORKS_HOOKS: "true" })).toContain("hooks");
  expect(await opened({}, { PLINTH_OUTBOUND_ALLOW_PRIVATE_NETWORKS: "false" })).toEqual([]);
});
