/** Routes of custom views, and of the page of data contracts. */
import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { BuilderExtra } from "../context.ts";
import type { ListDeployedUnits } from "../ports.ts";
import { contractPage, contractsQuery, customView, putViewBody, viewParams } from "./schema.ts";
import { getCustomView, listDataContracts, putCustomView } from "./service.ts";

/** Path prefix of what the marketplace shows. */
export const marketplaceBase = "/api/marketplace";

const tags = ["Pages"];

export function addPageRoutes(app: AreaApp<BuilderExtra>, deployedUnits: ListDeployedUnits): void {
  route(app, {
    id: "getCustomView",
    method: "GET",
    path: "/custom-views/{pageId}",
    summary: "Get a custom view",
    description:
      "What a page shows of an entity, and where: as somebody has published it, else the page's own.",
    tags,
    rule: "getCustomView",
    params: viewParams,
    response: { 200: customView },
    errors: [404],
    handler: (ctx, { params }) => getCustomView(ctx, params.pageId),
  });
  route(app, {
    id: "putCustomView",
    method: "PUT",
    path: "/custom-views/{pageId}",
    summary: "Publish a custom view",
    description: "Replaces the view of the page and its draft. With `revision` only where nobody was faster.",
    tags,
    rule: "putCustomView",
    params: viewParams,
    body: putViewBody,
    response: { 200: customView },
    errors: [404, 409],
    handler: (ctx, { params, body }) => putCustomView(ctx, params.pageId, body),
  });
  route(app, {
    id: "listDataContracts",
    method: "GET",
    base: marketplaceBase,
    path: "/v1/data-contracts",
    summary: "List data contracts",
    description: "The contracts of all output ports that are deployed in an environment, by data product.",
    tags,
    rule: "listDataContracts",
    query: contractsQuery,
    response: { 200: contractPage },
    errors: [404],
    handler: (ctx, { query }) => listDataContracts(ctx, query, { deployedUnits }),
  });
}
