import { Type } from "typebox";
import { route, type AreaApp } from "../../../platform/http/operation.ts";
import type { CoordinatorExtra } from "../../context.ts";
import { readWhenClosed } from "../../windows/gate.ts";
import { closedQuery } from "../../windows/schema.ts";
import { reconcile, reconcileList, reconcileListQuery, reconcileParams, refuseBody } from "./schema.ts";
import { approveReconcile, getReconcile, listReconciles, refuseReconcile } from "./service.ts";

const tags = ["Drift"];
const path = "/v1/reconciles/{reconcile-id}";

export function addReconcileRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "listReconciles",
    method: "GET",
    path: "/v1/reconciles",
    summary: "List plans that repair drift",
    description: "Those that wait, those that were started and how they ended; the latest first.",
    tags,
    rule: "listReconciles",
    query: reconcileListQuery,
    response: { 200: reconcileList },
    handler: (ctx, { query }) =>
      listReconciles(ctx, {
        environment: query.environment,
        unitId: query["deployment-unit-id"],
        status: query.status,
        limit: query.limit,
        after: query.after,
      }),
  });
  route(app, {
    id: "getReconcile",
    method: "GET",
    path,
    summary: "Get a plan that repairs drift",
    description: "With what it would do.",
    tags,
    rule: "getReconcile",
    params: reconcileParams,
    response: { 200: reconcile },
    errors: [404],
    handler: (ctx, { params }) => getReconcile(ctx, params["reconcile-id"]),
  });
  route(app, {
    id: "approveReconcile",
    method: "POST",
    path: `${path}/approve`,
    summary: "Approve a plan that repairs drift",
    description:
      "Starts exactly the plan that was previewed. What holds for the caller's starts holds here; the rules may ask for a further approval.",
    tags,
    rule: "approveReconcile",
    params: reconcileParams,
    query: Type.Object(closedQuery),
    response: { 200: reconcile },
    errors: [404, 409],
    handler: (ctx, { params, query }) => approveReconcile(ctx, params["reconcile-id"], readWhenClosed(query)),
  });
  route(app, {
    id: "refuseReconcile",
    method: "POST",
    path: `${path}/refuse`,
    summary: "Refuse a plan that repairs drift",
    description: "A later check that finds drift asks again.",
    tags,
    rule: "refuseReconcile",
    params: reconcileParams,
    body: refuseBody,
    response: { 200: reconcile },
    errors: [404, 409],
    handler: (ctx, { params, body }) => refuseReconcile(ctx, params["reconcile-id"], body.reason),
  });
}
