import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { CoordinatorExtra } from "../context.ts";
import { searchGroups, searchQuery } from "./schema.ts";
import { searchEverything } from "./service.ts";

export function addSearchRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "searchEverything",
    method: "GET",
    path: "/v1/search",
    summary: "Search everything",
    description:
      "Units, plans, adapters, entities and templates of the catalogue, policies, agents and pages of the documentation, while somebody types. " +
      "Finds what the caller may read. A kind that could not be searched says why, and the others are answered.",
    tags: ["Search"],
    rule: "searchEverything",
    query: searchQuery,
    response: { 200: searchGroups },
    handler: (ctx, { query }) => searchEverything(ctx, query),
  });
}
