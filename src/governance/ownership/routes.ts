import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { GovernanceExtra } from "../context.ts";
import { rulesBody, rulesView, whoMayParams, whoMayQuery, whoMayView } from "./schema.ts";
import * as service from "./service.ts";

const tags = ["Ownership"];

export function addOwnershipRoutes(app: AreaApp<GovernanceExtra>): void {
  route(app, {
    id: "getOwnershipRules",
    method: "GET",
    path: "/ownership-rules",
    summary: "Read the rules about who may touch whose unit",
    tags,
    rule: "getOwnershipRules",
    response: { 200: rulesView },
    handler: (ctx) => service.getRules(ctx),
  });
  route(app, {
    id: "putOwnershipRules",
    method: "PUT",
    path: "/ownership-rules",
    summary: "Replace the stored rules about who may touch whose unit",
    tags,
    rule: "putOwnershipRules",
    body: rulesBody,
    response: { 200: rulesView },
    errors: [409],
    handler: (ctx, { body }) => service.putRules(ctx, body),
  });
  route(app, {
    id: "getWhoMay",
    method: "GET",
    path: "/units/{id}/who-may",
    summary: "Say whether the caller may touch a unit, and who may or decides otherwise",
    tags,
    rule: "getWhoMay",
    params: whoMayParams,
    query: whoMayQuery,
    response: { 200: whoMayView },
    errors: [404],
    handler: (ctx, { params, query }) => service.getWhoMay(ctx, params.id, query),
  });
}
