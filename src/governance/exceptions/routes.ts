import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { GovernanceExtra } from "../context.ts";
import {
  decisionBody,
  exceptionList,
  exceptionParams,
  exceptionQuery,
  exceptionView,
  newExceptionBody,
} from "./schema.ts";
import * as service from "./service.ts";

const tags = ["Exceptions"];

export function addExceptionRoutes(app: AreaApp<GovernanceExtra>): void {
  route(app, {
    id: "listExceptions",
    method: "GET",
    path: "/exceptions",
    summary: "List exceptions, the newest first",
    tags,
    rule: "listExceptions",
    query: exceptionQuery,
    response: { 200: exceptionList },
    handler: (ctx, { query }) => service.listExceptions(ctx, query),
  });
  route(app, {
    id: "requestException",
    method: "POST",
    path: "/exceptions",
    summary: "Request an exception from a policy",
    tags,
    rule: "requestException",
    body: newExceptionBody,
    response: { 201: exceptionView },
    handler: (ctx, { body }) => service.requestException(ctx, body),
  });
  route(app, {
    id: "decideException",
    method: "POST",
    path: "/exceptions/{id}/decision",
    summary: "Approve or reject an exception that somebody else requested",
    tags,
    rule: "decideException",
    params: exceptionParams,
    body: decisionBody,
    response: { 200: exceptionView },
    errors: [403, 404, 409],
    handler: (ctx, { params, body }) => service.decideException(ctx, params.id, body),
  });
  route(app, {
    id: "revokeException",
    method: "DELETE",
    path: "/exceptions/{id}",
    summary: "Revoke an exception",
    tags,
    rule: "revokeException",
    params: exceptionParams,
    response: { 204: { description: "It is revoked.", noBody: true } },
    errors: [403, 404, 409],
    handler: (ctx, { params }) => service.revokeException(ctx, params.id),
  });
}
