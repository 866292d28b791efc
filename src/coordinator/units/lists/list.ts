/** Lists of deployment units and of environments. */
import type { EnvironmentList, UnitList, UnitListRequest } from "../schema.ts";
import { pageOf, readPageCursor } from "../../../platform/lib/page-cursor.ts";
import type { CoordinatorContext } from "../../context.ts";
import { requireEnvironments } from "../../environments.ts";
import { brokenCursor } from "../../errors.ts";
import {
  countByEnvironment,
  listUnits as readPage,
  type UnitFilters,
  type UnitListRow,
} from "./list-store.ts";

const longestPage = 500;

export async function listUnits(ctx: CoordinatorContext, request: UnitListRequest): Promise<UnitList> {
  requireEnvironments(ctx, request.environment);
  const limit = Math.min(request.limit, longestPage);
  const rows = await readPage(ctx.coordinator.database.db, {
    ...filtersOf(request),
    limit: limit + 1,
    after: request.cursor === undefined ? null : readAfter(request.cursor),
    hasRoots: ctx.coordinator.settings.rootProvisioning,
  });
  const { page, next } = pageOf(rows, limit, ({ unitKey, environment }) => [unitKey, environment]);
  return { data: page.map(unitView), meta: { pagination: { limit, next } } };
}

/** What both the list and its facets are narrowed by. */
export const filtersOf = (request: Omit<UnitListRequest, "limit" | "cursor">): UnitFilters => ({
  environments: [...new Set(request.environment)],
  statuses: [...new Set(request.status)],
  search: request.search,
  owner: request.owner,
  domain: request.domain,
  kind: request.kind?.toLowerCase(),
});

function readAfter(text: string): { unitKey: string; environment: string } {
  const [unitKey, environment] = readPageCursor(text, 2) ?? [];
  if (unitKey === undefined || environment === undefined) throw brokenCursor(text, "cursor");
  return { unitKey, environment };
}

const unitView = (row: UnitListRow): UnitList["data"][number] => ({
  deploymentUnitId: row.unitId,
  environment: row.environment,
  name: row.name,
  kind: row.kind,
  owner: row.owner,
  domain: row.domain,
  status: row.status,
  descriptorVersion: row.descriptorVersion ?? "",
  executionPlanId: row.lastPlanId,
  executionPlanStatus: row.lastPlanStatus,
  updatedAt: row.updatedAt.toISOString(),
});

/** Lists the environments in the order of the configuration. */
export async function listEnvironments(ctx: CoordinatorContext): Promise<EnvironmentList> {
  const { database, settings } = ctx.coordinator;
  const counts = await countByEnvironment(database.db, settings.environments);
  return {
    data: settings.environments.map((name) => {
      const { units = 0, activeOperations = 0 } = counts.get(name) ?? {};
      return { name, deploymentUnits: units, activeOperations };
    }),
  };
}
