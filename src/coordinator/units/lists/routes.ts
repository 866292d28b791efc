import { route, type AreaApp } from "../../../platform/http/operation.ts";
import type { CoordinatorExtra } from "../../context.ts";
import { environmentList, unitList, unitListQuery, unitParams } from "../schema.ts";
import { listEnvironments, listUnits } from "./list.ts";
import { unitEnvironments, unitFacets, unitFacetsQuery } from "./schema.ts";
import { getUnitEnvironments, getUnitFacets } from "./service.ts";

export function addUnitListRoutes(app: AreaApp<CoordinatorExtra>): void {
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
  route(app, {
    id: "getUnitEnvironments",
    method: "GET",
    path: "/v1/deployment-units/{deployment-unit-id}/environments",
    summary: "Get a deployment unit in all environments",
    description:
      "The status of the unit and of its components in every environment: what is deployed, since when, what works on it, " +
      "what the last drift check found, and what made it CORRUPT.",
    tags: ["Deployment units"],
    rule: "getUnitEnvironments",
    params: unitParams,
    response: { 200: unitEnvironments },
    handler: (ctx, { params }) => getUnitEnvironments(ctx, params["deployment-unit-id"]),
  });
  route(app, {
    id: "getUnitFacets",
    method: "GET",
    path: "/v1/deployment-unit-facets",
    summary: "Count deployment units by facet",
    description: "How many units `listUnits` would list for each value of its filters.",
    tags: ["Deployment units"],
    rule: "getUnitFacets",
    query: unitFacetsQuery,
    response: { 200: unitFacets },
    async handler(ctx, { query, reply }) {
      reply.sendJson(await getUnitFacets(ctx, query));
    },
  });
}
