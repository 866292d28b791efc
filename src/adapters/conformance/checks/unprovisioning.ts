/** Unprovisioning, with and without the data, and of what is gone already. */
import type { Check } from "../check.ts";
import { skip } from "../check.ts";
import { completed } from "../operation.ts";

const check = (name: string, title: string, run: Check["run"]): Check => ({
  id: `unprovisioning.${name}`,
  group: "unprovisioning",
  title,
  changes: true,
  run,
});

export const unprovisioningChecks: Check[] = [
  check("keep-data", "unprovisions and keeps the data (removeData false)", async (session) => {
    if ((await session.ensureDeployed()).length > 0) return skip("the component could not be provisioned");
    return { deviations: completed(await session.unprovision(false), "The unprovisioning") };
  }),
  check("again", "unprovisions what is gone already", async (session) => ({
    deviations: completed(await session.unprovision(false), "The second unprovisioning"),
  })),
  check("provision-after", "provisions again over the data that was kept", async (session) => ({
    deviations: completed(await session.provision(), "The provisioning over kept data"),
  })),
  check("remove-data", "unprovisions and removes the data (removeData true)", async (session) => {
    if ((await session.ensureDeployed()).length > 0) return skip("the component could not be provisioned");
    return { deviations: completed(await session.unprovision(true), "The unprovisioning with its data") };
  }),
];
