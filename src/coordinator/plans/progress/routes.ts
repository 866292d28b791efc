import { Type } from "typebox";
import { route, type AreaApp } from "../../../platform/http/operation.ts";
import type { CoordinatorExtra } from "../../context.ts";
import { environmentQuery, unitParams } from "../../units/schema.ts";
import { tokenParams } from "../schema.ts";
import { terminationPreview } from "./termination-schema.ts";
import { getTerminationPreview, getUnitTerminationPreview } from "./termination-service.ts";
import { planTiming } from "./timing-schema.ts";
import { getPlanTiming } from "./timing-service.ts";

export function addTimingRoute(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "getPlanTiming",
    method: "GET",
    path: "/v1/execution-plans/{token}/timing",
    summary: "Get the times of an execution plan",
    description:
      "Where the time of each task went, which chain of tasks decides how long the plan takes, and how long the rest may " +
      "take by what earlier tasks of the same adapters took.",
    tags: ["Execution plans"],
    rule: "getPlanTiming",
    params: tokenParams,
    response: { 200: planTiming },
    errors: [404],
    handler: (ctx, { params }) => getPlanTiming(ctx, params.token),
  });
}

const description =
  "For each mode and each task that has not ended: whether it finishes, is stopped, is cut off or never begins; which components " +
  "may end CORRUPT, and what stays as it is. Nothing is ended.";

export function addTerminationPreviewRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "getTerminationPreview",
    method: "GET",
    path: "/v1/execution-plans/{token}/termination",
    summary: "Preview the termination of an execution plan",
    description,
    tags: ["Execution plans"],
    rule: "getTerminationPreview",
    params: tokenParams,
    response: { 200: terminationPreview },
    errors: [404],
    handler: (ctx, { params }) => getTerminationPreview(ctx, params.token),
  });
  route(app, {
    id: "getUnitTerminationPreview",
    method: "GET",
    path: "/v2/deployment-units/{deployment-unit-id}/provisioning/termination",
    summary: "Preview the termination of a deployment unit's operation",
    description,
    tags: ["Deployment units"],
    rule: "getUnitTerminationPreview",
    params: unitParams,
    query: Type.Object({ environment: environmentQuery }),
    response: { 200: terminationPreview },
    handler: (ctx, { params, query }) =>
      getUnitTerminationPreview(ctx, {
        unitId: params["deployment-unit-id"],
        environment: query.environment,
      }),
  });
}
