import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { CoordinatorExtra } from "../context.ts";
import { environmentList, unitList, unitListQuery } from "./list-schema.ts";
import { listEnvironments, listUnits } from "./list.ts";

export function unitListRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "listUnits",
    method: "GET",
    path: "/v1/deployment-units",
    summary: "List deployment units",
    description:
      "Every unit on which an operation was started, in each environment, with its status; in the order of their ids.",
    tags: ["Deployment units"],
    rule: "listUnits",
    query: unitListQuery,
    response: { 200: unitList },
    handler: (ctx, { query }) => listUnits(ctx, query),
  });
  route(app, {
    id: "listEnvironments",
    method: "GET",
    path: "/v1/environments",
    summary: "List environments",
    description: "The configured environments, in the order of the configuration.",
    tags: ["Deployment units"],
    rule: "listEnvironments",
    response: { 200: environmentList },
    handler: (ctx) => listEnvironments(ctx),
  });
}
