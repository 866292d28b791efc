/** Routes of plans that change no component: access requests, reverse provisioning, validation. */
import { Type } from "typebox";
import { inTransaction } from "../../platform/db/database.ts";
import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { CoordinatorExtra } from "../context.ts";
import { tokenParams } from "../plans/schema.ts";
import { startReverseProvisioning } from "./adapter-requests/reverse-service.ts";
import { startHeader, readStartHeaders } from "./headers.ts";
import { startOnce } from "./once.ts";
import {
  getValidationStatus,
  startValidation,
  validateDescriptor,
} from "./adapter-requests/validation-service.ts";
import {
  accessRequestBody,
  reverseProvisioningBody,
  unitAccess,
  unitAccessQuery,
  validateBody,
  validationResult,
  validationStatusResponse,
} from "./adapter-requests/schema.ts";
import { sendAccessRequest } from "./adapter-requests/access-service.ts";
import { listUnitAccess } from "./adapter-requests/granted-access.ts";
import { unitParams } from "../units/schema.ts";

/** Fits ten thousand identities of the maximum length. */
const bodyLimitBytes = 8 * 1024 * 1024;

export function addAccessRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "sendAccessRequest",
    method: "POST",
    path: "/v1/updateacl",
    summary: "Send access request",
    description:
      "Gives access to a deployed component to exactly these identities. Requests on one component are carried out one after the other.",
    tags: ["Access"],
    rule: "sendAccessRequest",
    body: accessRequestBody,
    bodyLimitBytes,
    response: { 202: Type.String() },
    errors: [409],
    headers: Type.Object(startHeader),
    handler(ctx, { body, raw }) {
      const under = { operation: "sendAccessRequest", key: readStartHeaders(raw.headers).idempotencyKey };
      return startOnce(ctx, { under, request: body }, (tx) => sendAccessRequest(ctx, tx, body));
    },
  });
}

/** Adds the list of who has access to a unit. */
export function addUnitAccessRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "listUnitAccess",
    method: "GET",
    path: "/v1/deployment-units/{deployment-unit-id}/access",
    summary: "List who has access to a deployment unit",
    description:
      "Which user or group may use which output port in which environment, since when and by which request, as adapters have confirmed it. " +
      "Operators and the owners of the unit see all, others what they and their groups have.",
    tags: ["Access"],
    rule: "listUnitAccess",
    params: unitParams,
    query: unitAccessQuery,
    response: { 200: unitAccess },
    handler: (ctx, { params, query }) => listUnitAccess(ctx, params["deployment-unit-id"], query),
  });
}

export function addReverseProvisioningRoutes(app: AreaApp<CoordinatorExtra>): void {
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
    headers: Type.Object(startHeader),
    handler(ctx, { body, raw }) {
      const under = {
        operation: "startReverseProvisioning",
        key: readStartHeaders(raw.headers).idempotencyKey,
      };
      return startOnce(ctx, { under, request: body }, (tx) => startReverseProvisioning(ctx, tx, body));
    },
  });
}

export function addValidationRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "validateDescriptor",
    method: "POST",
    path: "/v1/validate",
    summary: "Validate descriptor",
    description:
      "Also asks the tech adapter of each component, and waits for them at most `coordinator.validation.syncTimeoutMs` (30 s); " +
      "what was not answered by then is a failed phase that says so.",
    tags: ["Validation"],
    rule: "validateDescriptor",
    body: validateBody,
    response: { 200: validationResult },
    handler: (ctx, { body }) => validateDescriptor(ctx, body),
  });
  route(app, {
    id: "startValidation",
    method: "POST",
    path: "/v2/validate",
    summary: "Start asynchronous validation",
    description:
      "The same validation without waiting for it. The token is one of an execution plan as well, which changes no unit.",
    tags: ["Validation"],
    rule: "startValidation",
    body: validateBody,
    response: { 202: Type.String() },
    handler: (ctx, { body }) =>
      inTransaction(ctx.coordinator.database, (tx) => startValidation(ctx, tx, body)),
  });
  route(app, {
    id: "getValidationStatus",
    method: "GET",
    path: "/v2/validate/{token}/status",
    summary: "Get validation status",
    tags: ["Validation"],
    rule: "getValidationStatus",
    params: tokenParams,
    response: { 200: validationStatusResponse },
    errors: [404],
    handler: (ctx, { params }) => getValidationStatus(ctx, params.token),
  });
}
