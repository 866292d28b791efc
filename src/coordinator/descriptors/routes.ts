import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { CoordinatorExtra } from "../context.ts";
import { descriptorsQuery, preDeployedDescriptors } from "./schema.ts";
import { listPreDeployedDescriptors } from "./service.ts";

export function descriptorRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "listPreDeployedDescriptors",
    method: "GET",
    path: "/v1/descriptors",
    summary: "Get pre-deployed descriptors",
    description: "Descriptors whose plans were accepted after a time, oldest first.",
    tags: ["Resources"],
    rule: "listPreDeployedDescriptors",
    query: descriptorsQuery,
    response: { 200: preDeployedDescriptors },
    handler: (ctx, { query }) => listPreDeployedDescriptors(ctx, query),
  });
}
