/** The feed of accepted descriptors. */
import type { Static } from "typebox";
import type { CoordinatorContext } from "../context.ts";
import { descriptorText } from "../descriptor/descriptor-text.ts";
import { readInstant } from "../instant.ts";
import { bareDescriptor } from "./bare-descriptor.ts";
import { mostDescriptors, type descriptorsQuery, type PreDeployedDescriptors } from "./schema.ts";
import { readAccepted } from "./store.ts";

export async function listPreDeployedDescriptors(
  ctx: CoordinatorContext,
  { lastDeploymentTime, limit }: Static<typeof descriptorsQuery>,
): Promise<PreDeployedDescriptors> {
  const asked = lastDeploymentTime === undefined ? undefined : readInstant(lastDeploymentTime);
  const after = asked ?? new Date(0);
  const accepted = await readAccepted(ctx.coordinator.database.kysely, {
    after,
    limit: Math.min(limit, mostDescriptors),
  });
  return {
    descriptors: accepted.map(({ action, descriptor }) => ({
      descriptor: descriptorText(bareDescriptor(descriptor)),
      operation: action === "UNPROVISION" ? "Unprovision" : "Provision",
    })),
    lastDeploymentTime: (accepted.at(-1)?.acceptedAt ?? after).toISOString(),
  };
}
