import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { CoordinatorExtra } from "../context.ts";
import { validateBody, validationResult } from "./schema.ts";
import { validateDescriptor } from "./service.ts";

export function validationRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "validateDescriptor",
    method: "POST",
    path: "/v1/validate",
    summary: "Validate descriptor",
    tags: ["Validation"],
    rule: "validateDescriptor",
    body: validateBody,
    response: { 200: validationResult },
    handler: (ctx, { body }) => validateDescriptor(ctx, body),
  });
}
