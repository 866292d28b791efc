import { Type } from "typebox";
import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { CoordinatorExtra } from "../context.ts";
import { terminateUnit } from "../plans/service.ts";
import { terminateMode } from "../plans/schema.ts";
import {
  componentParams,
  componentStatusResponse,
  environmentQuery,
  provisioningBody,
  provisioningPlan,
  rollbackBody,
  unitParams,
  unitStatusResponse,
} from "./schema.ts";
import { idempotencyHeader, pinHeader, readStartHeaders } from "../starting/headers.ts";
import { rollbackRequest } from "../starting/rollback.ts";
import { previewProvisioning, startProvisioning } from "./service.ts";
import { getComponentStatus, getUnitStatus } from "./status.ts";

const statusQuery = Type.Object({
  environment: environmentQuery,
  "include-descriptor": Type.Boolean({ default: false }),
});

export const queueQuery = Type.Boolean({
  default: false,
  description: "Where the unit has an active operation, wait for one's turn instead of being refused.",
});

/** A unit of ten thousand components, with its wanted statuses. */
const bodyLimitBytes = 32 * 1024 * 1024;

export function deploymentUnitRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "getUnitStatus",
    method: "GET",
    path: "/v1/deployment-units/{deployment-unit-id}/provisioning-status",
    summary: "Get deployment unit status",
    tags: ["Deployment units"],
    rule: "getUnitStatus",
    params: unitParams,
    query: statusQuery,
    response: { 200: unitStatusResponse },
    handler: (ctx, { params, query }) =>
      getUnitStatus(ctx, {
        unitId: params["deployment-unit-id"],
        environment: query.environment,
        includeDescriptor: query["include-descriptor"],
      }),
  });
  route(app, {
    id: "getComponentStatus",
    method: "GET",
    path: "/v1/deployment-units/{deployment-unit-id}/components/{component-id}/provisioning-status",
    summary: "Get component status",
    tags: ["Deployment units"],
    rule: "getComponentStatus",
    params: componentParams,
    query: statusQuery,
    response: { 200: componentStatusResponse },
    handler: (ctx, { params, query }) =>
      getComponentStatus(ctx, {
        unitId: params["deployment-unit-id"],
        componentId: params["component-id"],
        environment: query.environment,
        includeDescriptor: query["include-descriptor"],
      }),
  });
  route(app, {
    id: "previewProvisioning",
    method: "POST",
    path: "/v2/deployment-units/{deployment-unit-id}/provisioning/preview",
    summary: "Preview provisioning plan",
    description: "Says what a start would do, and why. Changes nothing.",
    tags: ["Deployment units"],
    rule: "previewProvisioning",
    params: unitParams,
    query: Type.Object({
      environment: environmentQuery,
      "autofill-target-status": Type.Boolean({ default: false }),
    }),
    body: provisioningBody,
    bodyLimitBytes,
    response: { 200: provisioningPlan },
    async handler(ctx, { params, query, body, reply }) {
      const preview = await previewProvisioning(ctx, {
        unitId: params["deployment-unit-id"],
        environment: query.environment,
        mode: query["autofill-target-status"] ? "autofill" : "strict",
        body,
      });
      reply.header("etag", `"${preview.planHash}"`);
      return preview;
    },
  });
  route(app, {
    id: "startProvisioning",
    method: "POST",
    path: "/v2/deployment-units/{deployment-unit-id}/provisioning",
    summary: "Start provisioning",
    description:
      "Answers the token of the execution plan at once; follow it with the execution plan operations.",
    tags: ["Deployment units"],
    rule: "startProvisioning",
    params: unitParams,
    query: Type.Object({
      environment: environmentQuery,
      unsafe: Type.Boolean({ default: false }),
      queue: queueQuery,
    }),
    headers: Type.Object({ ...idempotencyHeader, ...pinHeader }),
    body: provisioningBody,
    bodyLimitBytes,
    response: { 202: Type.String() },
    errors: [409],
    handler: (ctx, { params, query, body, raw }) =>
      startProvisioning(
        ctx,
        {
          unitId: params["deployment-unit-id"],
          environment: query.environment,
          mode: query.unsafe ? "unsafe" : "strict",
          body,
        },
        { ...readStartHeaders(raw.headers, body.planHash), queue: query.queue },
      ),
  });
  rollbackRoutes(app);
  route(app, {
    id: "terminateUnitProvisioning",
    method: "POST",
    path: "/v2/deployment-units/{deployment-unit-id}/provisioning/terminate",
    summary: "Terminate provisioning on a deployment unit",
    tags: ["Deployment units"],
    rule: "terminateUnitProvisioning",
    params: unitParams,
    query: Type.Object({ environment: environmentQuery, mode: terminateMode }),
    urgent: true,
    response: { 202: { description: "The termination was accepted.", noBody: true } },
    handler: (ctx, { params, query }) =>
      terminateUnit(ctx, {
        unitId: params["deployment-unit-id"],
        environment: query.environment,
        mode: query.mode,
      }),
  });
}

function rollbackRoutes(app: AreaApp<CoordinatorExtra>): void {
  const common = {
    method: "POST" as const,
    tags: ["Deployment units"],
    params: unitParams,
    body: rollbackBody,
  };
  route(app, {
    ...common,
    id: "previewRollback",
    path: "/v2/deployment-units/{deployment-unit-id}/provisioning/rollback/preview",
    summary: "Preview a roll back",
    description: "Says what a roll back to an earlier successful operation would do. Changes nothing.",
    rule: "previewRollback",
    query: Type.Object({ environment: environmentQuery }),
    response: { 200: provisioningPlan },
    errors: [404],
    async handler(ctx, { params, query, body, reply }) {
      const unitId = params["deployment-unit-id"];
      const request = await rollbackRequest(ctx, { unitId, environment: query.environment, body });
      const preview = await previewProvisioning(ctx, request);
      reply.header("etag", `"${preview.planHash}"`);
      return preview;
    },
  });
  route(app, {
    ...common,
    id: "rollBack",
    path: "/v2/deployment-units/{deployment-unit-id}/provisioning/rollback",
    summary: "Roll a unit back",
    description: "Starts the unit with the descriptor and the statuses of an earlier successful operation.",
    rule: "rollBack",
    query: Type.Object({ environment: environmentQuery, queue: queueQuery }),
    headers: Type.Object({ ...idempotencyHeader, ...pinHeader }),
    response: { 202: Type.String() },
    errors: [404, 409],
    async handler(ctx, { params, query, body, raw }) {
      const unitId = params["deployment-unit-id"];
      const headers = readStartHeaders(raw.headers, body.planHash);
      const request = await rollbackRequest(ctx, { unitId, environment: query.environment, body });
      const detail = { rolledBackTo: body.operationId ?? body.executionPlanId };
      return startProvisioning(ctx, request, {
        ...headers,
        queue: query.queue,
        operation: "rollBack",
        detail,
      });
    },
  });
}
