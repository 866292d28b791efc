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
      "Hooks that the caller may answer, tool calls of the caller's runs that wait for approval, units whose last " +
      "operation failed, and plans that wait for their environment to open: those that the caller started, for operators all. And plans that would repair drift, for whoever may start the unit.",
    tags: ["Waiting"],
    rule: "listWaiting",
    query: waitingQuery,
    response: { 200: waitingList },
    handler: (ctx, { query }) => listWaiting(ctx, query.limit),
  });
}
