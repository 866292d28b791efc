import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { GovernanceExtra } from "../context.ts";
import { readCompliance } from "./compliance.ts";
import {
  acceptance,
  compliance,
  complianceQuery,
  countQuery,
  pushedResult,
  resultCount,
  resultList,
  resultsQuery,
  unitParams,
} from "./schema.ts";
import { countMatching, listResults, pushResult } from "./service.ts";

const tags = ["Results"];

export function addResultRoutes(app: AreaApp<GovernanceExtra>): void {
  route(app, {
    id: "pushResult",
    method: "POST",
    path: "/results",
    summary: "Push a result of a passive policy",
    description: "The same result may be sent again. One that is older than the last is not taken in.",
    tags,
    rule: "pushResult",
    body: pushedResult,
    response: { 202: acceptance },
    errors: [404, 409],
    handler: (ctx, { body }) => pushResult(ctx, body),
  });
  route(app, {
    id: "listResults",
    method: "GET",
    path: "/results",
    summary: "List results",
    description: "The latest first.",
    tags,
    rule: "listResults",
    query: resultsQuery,
    response: { 200: resultList },
    handler: (ctx, { query }) => listResults(ctx, query),
  });
  route(app, {
    id: "countResults",
    method: "GET",
    path: "/results/count",
    summary: "Count results",
    tags,
    rule: "countResults",
    query: countQuery,
    response: { 200: resultCount },
    handler: (ctx, { query }) => countMatching(ctx, query),
  });
  route(app, {
    id: "getCompliance",
    method: "GET",
    path: "/units/{id}/compliance",
    summary: "Get the compliance of a unit",
    tags,
    rule: "getCompliance",
    params: unitParams,
    query: complianceQuery,
    response: { 200: compliance },
    errors: [404],
    handler: (ctx, { params, query }) =>
      readCompliance(ctx, { unitId: params.id, environment: query.environment }),
  });
}
