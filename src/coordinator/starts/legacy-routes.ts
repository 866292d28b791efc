import { descriptorWrapper, legacyStatus } from "./acceptance/request-schema.ts";
import { Type } from "typebox";
import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { CoordinatorExtra } from "../context.ts";
import { tokenParams } from "../plans/schema.ts";
import { startHeader, readStartHeaders } from "./headers.ts";
import { getLegacyStatus, startLegacy } from "./legacy-service.ts";

const tags = ["Deprecated"];
const successor = "/v2/deployment-units/{deployment-unit-id}/provisioning";
/** Fits a unit of ten thousand components as YAML within JSON. */
const bodyLimitBytes = 64 * 1024 * 1024;

const starts = [
  {
    id: "provisionDescriptor",
    path: "/v1/provision",
    summary: "Start provisioning of all components",
    target: "DEPLOYED",
  },
  {
    id: "unprovisionDescriptor",
    path: "/v1/unprovision",
    summary: "Start unprovisioning of all components",
    target: "NOT_DEPLOYED",
  },
] as const;

export function addLegacyRoutes(app: AreaApp<CoordinatorExtra>): void {
  for (const { target, ...named } of starts) {
    route(app, {
      ...named,
      method: "POST",
      description: `Replaced by \`POST ${successor}\`.`,
      deprecated: true,
      tags,
      rule: named.id,
      body: descriptorWrapper,
      bodyLimitBytes,
      response: { 202: Type.String() },
      errors: [409],
      headers: Type.Object(startHeader),
      handler: (ctx, { body, raw }) => {
        const { idempotencyKey } = readStartHeaders(raw.headers);
        return startLegacy(ctx, { body, target, operation: named.id, idempotencyKey });
      },
    });
  }
  route(app, {
    id: "getProvisionStatus",
    method: "GET",
    path: "/v1/provision/{token}/status",
    summary: "Get status",
    description:
      "Replaced by `GET /v1/execution-plans/{token}/status`. It shows private information of the adapters, so it is for " +
      "the control plane and operators.",
    deprecated: true,
    tags,
    rule: "getProvisionStatus",
    params: tokenParams,
    response: { 200: legacyStatus },
    async handler(ctx, { params, reply }) {
      reply.sendJson(await getLegacyStatus(ctx, params.token));
    },
  });
}
