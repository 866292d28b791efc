import { Type } from "typebox";
import { route, type AreaApp } from "../../../platform/http/operation.ts";
import type { CoordinatorExtra } from "../../context.ts";
import { environmentQuery, unitParams } from "../../units/schema.ts";
import { driftCheck, driftCheckList, driftListQuery, driftParams, driftScheduleList } from "./schema.ts";
import { listDriftSchedules } from "./schedules.ts";
import { getDriftCheck, listDriftChecks, startDriftCheck } from "./service.ts";

const tags = ["Drift"];
const path = "/v1/deployment-units/{deployment-unit-id}/drift-checks";

export function addDriftRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "startDriftCheck",
    method: "POST",
    path,
    summary: "Check a unit for drift",
    description: "Answers the id of the check at once. It reports, and repairs nothing.",
    tags,
    rule: "startDriftCheck",
    params: unitParams,
    query: Type.Object({ environment: environmentQuery }),
    response: { 202: Type.String() },
    handler: (ctx, { params, query }) =>
      startDriftCheck(ctx, { unitId: params["deployment-unit-id"], environment: query.environment }),
  });
  route(app, {
    id: "listDriftChecks",
    method: "GET",
    path,
    summary: "List drift checks of a unit",
    description: "The latest first; the last 100 that have ended are kept.",
    tags,
    rule: "listDriftChecks",
    params: unitParams,
    query: driftListQuery,
    response: { 200: driftCheckList },
    handler: (ctx, { params, query }) =>
      listDriftChecks(ctx, {
        unitId: params["deployment-unit-id"],
        environment: query.environment,
        limit: query.limit,
        after: query.after,
      }),
  });
  route(app, {
    id: "getDriftCheck",
    method: "GET",
    path: "/v1/drift-checks/{drift-check-id}",
    summary: "Get a drift check",
    tags,
    rule: "getDriftCheck",
    params: driftParams,
    response: { 200: driftCheck },
    errors: [404],
    handler: (ctx, { params }) => getDriftCheck(ctx, params["drift-check-id"]),
  });
  route(app, {
    id: "listDriftSchedules",
    method: "GET",
    path: "/v1/drift-schedules",
    summary: "List schedules of drift checks",
    description: "What the configuration has checked when, with the last and the next run.",
    tags,
    rule: "listDriftSchedules",
    response: { 200: driftScheduleList },
    handler: (ctx) => listDriftSchedules(ctx),
  });
}
