import { Type } from "typebox";
import { idempotencyHeader, readIdempotencyKey } from "../../../platform/http/input/idempotency-key.ts";
import { route, type AreaApp } from "../../../platform/http/operation.ts";
import type { BuilderExtra } from "../../context.ts";
import type { AccessCoordinator } from "../../ports.ts";
import { accessRequest, accessRequestBody, accessRequestList, accessRequestQuery } from "./schema.ts";
import {
  getAccessRequest,
  listAccessRequests,
  openAccessRequest,
  retryAccessRequest,
  withdrawAccessRequest,
} from "./service.ts";

const tags = ["Access requests"];
/** Enough for a thousand identities and fifty ports of the longest form. */
const bodyLimitBytes = 1024 * 1024;
const byId = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 256, description: "Id of the access request." }),
});

export function addAccessRequestRoutes(app: AreaApp<BuilderExtra>, access: AccessCoordinator): void {
  route(app, {
    id: "requestAccess",
    method: "POST",
    path: "/access-requests",
    summary: "Request access",
    description:
      "Opens a request that access to output ports is granted or revoked. It is carried out once every configured hook is OK.",
    tags,
    rule: "requestAccess",
    headers: Type.Object(idempotencyHeader()),
    body: accessRequestBody,
    bodyLimitBytes,
    response: { 201: accessRequest },
    errors: [409],
    handler(ctx, { body, raw }) {
      return openAccessRequest(ctx, access, { body, idempotencyKey: readIdempotencyKey(raw.headers) });
    },
  });
  route(app, {
    id: "listAccessRequests",
    method: "GET",
    path: "/access-requests",
    summary: "List access requests",
    description: "The latest first. Operators see all, others their own and those about what they own.",
    tags,
    rule: "listAccessRequests",
    query: accessRequestQuery,
    response: { 200: accessRequestList },
    handler: (ctx, { query }) =>
      listAccessRequests(ctx, { status: query.status, limit: query.limit, after: query.after }),
  });
  route(app, {
    id: "getAccessRequest",
    method: "GET",
    path: "/access-requests/{id}",
    summary: "Get an access request",
    tags,
    rule: "getAccessRequest",
    params: byId,
    response: { 200: accessRequest },
    errors: [404],
    handler: (ctx, { params }) => getAccessRequest(ctx, params.id),
  });
  route(app, {
    id: "retryAccessRequest",
    method: "POST",
    path: "/access-requests/{id}/retry",
    summary: "Try a failed access request again",
    description:
      "Its hooks are not asked again; ports that are done already are left alone. One that grants access is refused (409) when a request that was approved later revokes the same access, or 7 days after its approval.",
    tags,
    rule: "retryAccessRequest",
    params: byId,
    response: { 200: accessRequest },
    errors: [404, 409],
    handler: (ctx, { params }) => retryAccessRequest(ctx, params.id),
  });
  route(app, {
    id: "withdrawAccessRequest",
    method: "POST",
    path: "/access-requests/{id}/withdraw",
    summary: "Withdraw an access request",
    description: "One that is not decided yet. Its hooks can't be answered any more.",
    tags,
    rule: "withdrawAccessRequest",
    params: byId,
    response: { 200: accessRequest },
    errors: [404, 409],
    handler: (ctx, { params }) => withdrawAccessRequest(ctx, params.id),
  });
}
