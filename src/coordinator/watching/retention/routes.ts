import { route, type AreaApp } from "../../../platform/http/operation.ts";
import type { CoordinatorExtra } from "../../context.ts";
import { retentionQuery, retentionView } from "./schema.ts";
import { readRetention } from "./service.ts";

export function addRetentionRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "readRetention",
    method: "GET",
    path: "/v1/retention",
    summary: "Read what is deleted when",
    description:
      "The rules by which old rows of all areas are deleted, how far each has come, and what would go now.",
    tags: ["Retention"],
    rule: "readRetention",
    query: retentionQuery,
    response: { 200: retentionView },
    handler: (ctx, { query }) => readRetention(ctx, query.counted ?? false),
  });
}
