import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { CoordinatorExtra } from "../context.ts";
import { unitParams } from "../deployment-units/schema.ts";
import { diffQuery, unitDiff } from "./schema.ts";
import { getUnitDiff } from "./service.ts";

export function unitDiffRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "getUnitDiff",
    method: "GET",
    path: "/v1/deployment-units/{deployment-unit-id}/diff",
    summary: "Compare a deployment unit between two environments",
    description: "Says of each component what differs in what is deployed. Values of secrets are masked.",
    tags: ["Deployment units"],
    rule: "getUnitDiff",
    params: unitParams,
    query: diffQuery,
    response: { 200: unitDiff },
    handler: (ctx, { params, query }) =>
      getUnitDiff(ctx, {
        unitId: params["deployment-unit-id"],
        environment: query.environment,
        otherEnvironment: query["other-environment"],
      }),
  });
}
