import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { CoordinatorExtra } from "../context.ts";
import { operationList, operationsQuery } from "./operation-schema.ts";
import { listOperations } from "./operation-service.ts";

export function addOperationRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "listOperations",
    method: "GET",
    path: "/v2/provisioning-operations",
    summary: "List provisioning operations",
    description: "What was started, by start time, with what became of each component.",
    tags: ["Provisioning operations"],
    rule: "listOperations",
    query: operationsQuery,
    response: { 200: operationList },
    async handler(ctx, { query, reply }) {
      reply.sendJson(await listOperations(ctx, query));
    },
  });
}
