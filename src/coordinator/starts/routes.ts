import { Type } from "typebox";
import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { CoordinatorExtra } from "../context.ts";
import { environmentQuery, unitParams } from "../units/schema.ts";
import { previewProvisioning, startProvisioning } from "./service.ts";
import { tokenParams } from "../plans/schema.ts";
import { startHeader, pinHeader, readStartHeaders } from "./headers.ts";
import { provisioningBody, provisioningPlan, rollbackBody } from "./acceptance/request-schema.ts";
import { readWhenClosed } from "../windows/gate.ts";
import { closedQuery } from "../windows/schema.ts";
import { resumePlan } from "./resume.ts";
import { rollbackRequest } from "./rollback.ts";

const queueQuery = Type.Boolean({
  default: false,
  description: "When the unit has an active operation, queue this one instead of refusing it.",
});

/** Fits a unit of ten thousand components with its target statuses. */
const bodyLimitBytes = 32 * 1024 * 1024;

export function addStartRoutes(app: AreaApp<CoordinatorExtra>): void {
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
      ...closedQuery,
    }),
    headers: Type.Object({ ...startHeader, ...pinHeader }),
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
        { ...readStartHeaders(raw.headers, body.planHash), queue: query.queue, ...readWhenClosed(query) },
      ),
  });
}

export function addRollbackRoutes(app: AreaApp<CoordinatorExtra>): void {
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
    summary: "Preview a rollback",
    description: "Says what a rollback to an earlier successful operation would do. Changes nothing.",
    rule: "previewRollback",
    query: Type.Object({ environment: environmentQuery }),
    response: { 200: provisioningPlan },
    errors: [404],
    async handler(ctx, { params, query, body, reply }) {
      const unitId = params["deployment-unit-id"];
      const request = await rollbackRequest(ctx, { unitId, environment: query.environment, body });
      const preview = await previewProvisioning(ctx, request, "rollBack");
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
    query: Type.Object({ environment: environmentQuery, queue: queueQuery, ...closedQuery }),
    headers: Type.Object({ ...startHeader, ...pinHeader }),
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
        ...readWhenClosed(query),
        operation: "rollBack",
        detail,
      });
    },
  });
}

export function addResumeRoute(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "resumePlan",
    method: "POST",
    path: "/v1/execution-plans/{token}/resume",
    summary: "Resume a plan",
    description:
      "Starts a new plan, under a new token, for the tasks that a failed or terminated plan did not complete; `originPlan` names the old one.",
    tags: ["Execution plans"],
    rule: "resumePlan",
    params: tokenParams,
    query: Type.Object(closedQuery),
    headers: Type.Object(startHeader),
    response: { 202: Type.String() },
    errors: [404, 409],
    handler: (ctx, { params, query, raw }) =>
      resumePlan(ctx, params.token, { ...readStartHeaders(raw.headers), ...readWhenClosed(query) }),
  });
}
