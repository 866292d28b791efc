/** Lists provisioning operations. */
import type { Static } from "typebox";
import type { CoordinatorContext } from "../context.ts";
import { idKey } from "../ids.ts";
import { requireEnvironments } from "../environments.ts";
import { readInstant } from "../../platform/lib/instant.ts";
import { operationLimits, type operationsQuery } from "./operation-schema.ts";
import { listOperations as readPage } from "./operation-store.ts";

/** A page as JSON text. */
export async function listOperations(
  ctx: CoordinatorContext,
  query: Static<typeof operationsQuery>,
): Promise<string> {
  requireEnvironments(ctx, query.environment);
  const unitId = query["deployment-unit-id"];
  const after = query["start-time-after"];
  const before = query["start-time-before"];
  return readPage(ctx.coordinator.database.db, {
    unitKey: unitId === undefined ? undefined : idKey(unitId),
    planId: query["execution-plan-id"],
    environments: [...new Set(query.environment)],
    statuses: [...new Set(query.status)],
    after: after === undefined ? undefined : readInstant(after),
    before: before === undefined ? undefined : readInstant(before, "later"),
    order: query["sort-order"],
    limit: Math.min(query.limit, operationLimits.page),
    withDescriptors: query["include-descriptors"],
    withProgress: query["include-progress"],
  });
}
