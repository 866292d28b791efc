/** Lists deployed descriptors, and the feed of accepted ones. */
import type { Static } from "typebox";
import type { CoordinatorContext } from "../context.ts";
import { bareDescriptor } from "./compare.ts";
import { descriptorText } from "../execution/tasks/descriptor-text.ts";
import { idKey } from "../ids.ts";
import { requireEnvironment } from "../environments.ts";
import { readInstant } from "../../platform/lib/instant.ts";
import {
  maxDescriptors,
  type descriptorsQuery,
  type PreDeployedDescriptors,
  type ResourceList,
  type resourcesQuery,
} from "./deployed-schema.ts";
import { listResources as readPage, readAccepted } from "./deployed-store.ts";

export async function listResources(
  ctx: CoordinatorContext,
  query: Static<typeof resourcesQuery>,
): Promise<ResourceList> {
  const { environment, id, offset, limit } = query;
  requireEnvironment(ctx, environment);
  const { descriptors, count } = await readPage(ctx.coordinator.database.db, {
    environment,
    kinds: query["resource-types"],
    unitKey: id === undefined ? undefined : idKey(id),
    offset,
    limit,
  });
  return { content: descriptors.map(descriptorText), page: { offset, limit, count } };
}

export async function listPreDeployedDescriptors(
  ctx: CoordinatorContext,
  { lastDeploymentTime, limit }: Static<typeof descriptorsQuery>,
): Promise<PreDeployedDescriptors> {
  const asked = lastDeploymentTime === undefined ? undefined : readInstant(lastDeploymentTime);
  const after = asked ?? new Date(0);
  const accepted = await readAccepted(ctx.coordinator.database.db, {
    after,
    limit: Math.min(limit, maxDescriptors),
  });
  return {
    descriptors: accepted.map(({ action, descriptor }) => ({
      descriptor: descriptorText(bareDescriptor(descriptor)),
      operation: action === "UNPROVISION" ? "Unprovision" : "Provision",
    })),
    lastDeploymentTime: (accepted.at(-1)?.acceptedAt ?? after).toISOString(),
  };
}
