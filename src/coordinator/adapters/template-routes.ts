import { Type } from "typebox";
import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { CoordinatorExtra } from "../context.ts";
import { templateBody } from "./template-schema.ts";
import { registerTemplate } from "./template-service.ts";

export function addTemplateRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "registerTemplate",
    method: "POST",
    path: "/v1/templates",
    summary: "Register template metadata",
    description:
      "Stores the record and answers its id. With url and environment it also puts the tech adapter's deployment there.",
    tags: ["Templates"],
    rule: "registerTemplate",
    body: templateBody,
    response: { 200: Type.String() },
    handler: (ctx, { body }) => registerTemplate(ctx, body),
  });
}
