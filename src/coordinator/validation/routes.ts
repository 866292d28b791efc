import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { CoordinatorExtra } from "../context.ts";
import { Type } from "typebox";
import { inTransaction } from "../../platform/db/database.ts";
import { tokenParams } from "../plans/schema.ts";
import { validateBody, validationResult, validationStatusResponse } from "./schema.ts";
import { getValidationStatus, startValidation, validateDescriptor } from "./service.ts";

export function validationRoutes(app: AreaApp<CoordinatorExtra>): void {
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
