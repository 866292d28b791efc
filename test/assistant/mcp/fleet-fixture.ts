/** A server whose catalogue has the fleet example and whose adapters are all the mock. */
import { cp, readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Config } from "../../../src/platform/config/schema/schema.ts";
import { startCatalogueFixture, type CatalogueFixture } from "../../builder/catalogue-fixture.ts";
import type { WholeServerOptions } from "../../support/server.ts";

export const fleetSystem = "system:default/mobility.fleet-positions.0";

const everybody: Config["governance"]["ownership"]["rules"][number] = {
  name: "everybody",
  operations: [],
  environments: [],
  domains: [],
  owners: "any",
  effect: "allow",
  groups: [],
};

interface FleetOptions {
  onConfig?: (config: Config) => void;
  replaced?: WholeServerOptions["replaced"];
}

export async function startFleetFixture(options: FleetOptions = {}): Promise<CatalogueFixture> {
  const fixture = await startCatalogueFixture({
    workers: "on",
    ...options,
    onConfig(config) {
      // The developers of these tests are programs, which no group of the example has as members.
      config.governance.ownership.rules = [everybody];
      options.onConfig?.(config);
    },
  });
  const example = fileURLToPath(new URL("../../../examples/fleet-positions", import.meta.url));
  await cp(example, join(fixture.folder, "fleet"), { recursive: true });
  const { status, text } = await fixture.register("fleet");
  if (status !== 201) throw new Error(`The example was not registered: ${status} ${text}`);
  for (const id of await adaptersOf(example)) await fixture.server.registerMock(id);
  return fixture;
}

async function adaptersOf(folder: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const path of await readdir(folder, { recursive: true })) {
    if (!path.endsWith("catalog-info.yaml")) continue;
    const text = await readFile(join(folder, path), "utf8");
    const id = /infrastructureTemplateId: *"?([^"\s]+)/.exec(text)?.[1];
    if (id !== undefined) ids.add(id);
  }
  return ids;
}
