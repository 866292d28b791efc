import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { CoordinatorExtra } from "../context.ts";
import { resourceList, resourcesQuery } from "./schema.ts";
import { listResources } from "./service.ts";

export function resourceRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "listResources",
    method: "GET",
    path: "/v1/resources",
    summary: "List resources",
    description: "Descriptors of the units of which something is deployed in the environment.",
    tags: ["Resources"],
    rule: "listResources",
    query: resourcesQuery,
    response: { 200: resourceList },
    handler: (ctx, { query }) => listResources(ctx, query),
  });
}
