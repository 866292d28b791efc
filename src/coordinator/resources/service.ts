/** What is deployed in an environment, as descriptors. */
import type { Static } from "typebox";
import type { CoordinatorContext } from "../context.ts";
import { descriptorText } from "../descriptor/descriptor-text.ts";
import { idKey } from "../descriptor/ids.ts";
import { requireEnvironment } from "../environments.ts";
import type { ResourceList, resourcesQuery } from "./schema.ts";
import { listResources as readPage } from "./store.ts";

export async function listResources(
  ctx: CoordinatorContext,
  query: Static<typeof resourcesQuery>,
): Promise<ResourceList> {
  const { environment, id, offset, limit } = query;
  requireEnvironment(ctx, environment);
  const { descriptors, count } = await readPage(ctx.coordinator.database.kysely, {
    environment,
    kinds: query["resource-types"],
    unitKey: id === undefined ? undefined : idKey(id),
    offset,
    limit,
  });
  return { content: descriptors.map(descriptorText), page: { offset, limit, count } };
}
