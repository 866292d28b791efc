import { Type } from "typebox";
import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { CoordinatorExtra } from "../context.ts";
import { idempotencyHeader, readStartHeaders } from "../starting/headers.ts";
import { startOnce } from "../starting/once.ts";
import { reverseProvisioningBody } from "./schema.ts";
import { startReverseProvisioning } from "./service.ts";

export function reverseProvisioningRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "startReverseProvisioning",
    method: "POST",
    path: "/v1/reverse-provisioning",
    summary: "Start reverse provisioning",
    description:
      "Has an adapter read what exists. The token is an execution plan of one task, whose result is the updates.",
    tags: ["Reverse provisioning"],
    rule: "startReverseProvisioning",
    body: reverseProvisioningBody,
    response: { 202: Type.String() },
    errors: [409],
    headers: Type.Object(idempotencyHeader),
    handler(ctx, { body, raw }) {
      const under = {
        operation: "startReverseProvisioning",
        key: readStartHeaders(raw.headers).idempotencyKey,
      };
      return startOnce(ctx, { under, request: body }, (tx) => startReverseProvisioning(ctx, tx, body));
    },
  });
}
