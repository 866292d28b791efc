import { route, type AreaApp } from "../../../platform/http/operation.ts";
import type { CoordinatorExtra } from "../../context.ts";
import { deploymentParams } from "../../adapters/schema.ts";
import { callList, callListQuery, healthList, healthQuery } from "./schema.ts";
import { listAdapterCalls, listAdapterHealth } from "./service.ts";

const tags = ["Tech adapters"];

export function addAdapterCallRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "listAdapterCalls",
    method: "GET",
    path: "/v1/tech-adapters/{id}/deployments/{environment}/calls",
    summary: "List calls of a tech adapter",
    description:
      "Tasks that have ended with what became of their calls, the last one first, and whether the adapter answers by them.",
    tags,
    rule: "listAdapterCalls",
    params: deploymentParams,
    query: callListQuery,
    response: { 200: callList },
    errors: [404],
    handler: (ctx, { params, query }) =>
      listAdapterCalls(ctx, params, { limit: query.limit, cursor: query.cursor }),
  });
  route(app, {
    id: "listAdapterHealth",
    method: "GET",
    path: "/v1/adapter-health",
    summary: "List whether tech adapters answer",
    description:
      "Of each address of an adapter, by the calls that happened; nothing is called for it. In the order of adapters and environments.",
    tags,
    rule: "listAdapterHealth",
    query: healthQuery,
    response: { 200: healthList },
    handler: (ctx, { query }) =>
      listAdapterHealth(ctx, {
        environment: query.environment,
        limit: query.limit,
        cursor: query.cursor,
      }),
  });
}
