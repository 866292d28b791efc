import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { CoordinatorExtra } from "../context.ts";
import { waitingList, waitingQuery } from "./waiting-schema.ts";
import { listWaiting } from "./waiting-service.ts";

export function addWaitingRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "listWaiting",
    method: "GET",
    path: "/v1/waiting",
    summary: "List what waits for the caller",
    description:
      "Hooks that the caller may answer (access requests, approvals of deployments and of the removal of data), tool calls of the caller's runs, " +
      "exceptions from policies, plans that would repair drift, unknown outcomes to settle, units whose last operation failed, and plans that wait " +
      "for their environment to open: those that the caller started or may decide about, for operators all. Each says why it waits, who may act, " +
      "and until when. Only of the kinds that the caller's roles and scopes let it read.",
    tags: ["Waiting"],
    rule: "listWaiting",
    query: waitingQuery,
    response: { 200: waitingList },
    handler: (ctx, { query }) => listWaiting(ctx, query),
  });
}
