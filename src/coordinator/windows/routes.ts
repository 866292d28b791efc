import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { CoordinatorExtra } from "../context.ts";
import { windowsBody, windowsList, windowsParams, windowsView } from "./schema.ts";
import { listWindows, putWindows } from "./service.ts";

const tags = ["Maintenance windows"];

export function addWindowRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "listMaintenanceWindows",
    method: "GET",
    path: "/v1/maintenance-windows",
    summary: "List maintenance windows",
    description: "Of each environment: its windows, and whether operations may begin now or from when.",
    tags,
    rule: "listMaintenanceWindows",
    response: { 200: windowsList },
    handler: (ctx) => listWindows(ctx),
  });
  route(app, {
    id: "putMaintenanceWindows",
    method: "PUT",
    path: "/v1/maintenance-windows/{environment}",
    summary: "Replace the maintenance windows of an environment",
    description: "What is under way goes on; plans that wait begin when the new windows let them. Audited.",
    tags,
    rule: "putMaintenanceWindows",
    params: windowsParams,
    body: windowsBody,
    response: { 200: windowsView },
    errors: [409],
    handler: (ctx, { params, body }) => putWindows(ctx, params.environment, body),
  });
}
