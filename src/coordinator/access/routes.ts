import { Type } from "typebox";
import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { CoordinatorExtra } from "../context.ts";
import { idempotencyHeader, readStartHeaders } from "../starting/headers.ts";
import { startOnce } from "../starting/once.ts";
import { accessRequestBody } from "./schema.ts";
import { sendAccessRequest } from "./service.ts";

/** Ten thousand identities of the longest kind. */
const bodyLimitBytes = 8 * 1024 * 1024;

export function accessRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "sendAccessRequest",
    method: "POST",
    path: "/v1/updateacl",
    summary: "Send access request",
    description:
      "Makes the identities the only ones with access to a deployed component. Requests on one component are carried out one after the other.",
    tags: ["Access"],
    rule: "sendAccessRequest",
    body: accessRequestBody,
    bodyLimitBytes,
    response: { 202: Type.String() },
    errors: [409],
    headers: Type.Object(idempotencyHeader),
    handler(ctx, { body, raw }) {
      const under = { operation: "sendAccessRequest", key: readStartHeaders(raw.headers).idempotencyKey };
      return startOnce(ctx, { under, request: body }, (tx) => sendAccessRequest(ctx, tx, body));
    },
  });
}
