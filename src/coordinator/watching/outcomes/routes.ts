import { route, type AreaApp } from "../../../platform/http/operation.ts";
import type { CoordinatorExtra } from "../../context.ts";
import { outcomeListQuery, outcomeParams, settleBody, unknownOutcome, unknownOutcomeList } from "./schema.ts";
import { listUnknownOutcomes, pollOutcome, settleManually } from "./service.ts";

const tags = ["Unknown outcomes"];
const path = "/v1/unknown-outcomes/{plan}/{task}";

export function addUnknownOutcomeRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "listUnknownOutcomes",
    method: "GET",
    path: "/v1/unknown-outcomes",
    summary: "List unknown outcomes",
    description: "Tasks whose adapter call may have acted while its outcome is not known, the oldest first.",
    tags,
    rule: "listUnknownOutcomes",
    query: outcomeListQuery,
    response: { 200: unknownOutcomeList },
    handler: (ctx, { query }) =>
      listUnknownOutcomes(ctx, {
        environment: query.environment,
        unitId: query["deployment-unit-id"],
        settled: query.settled,
        limit: query.limit,
        after: query.after,
      }),
  });
  route(app, {
    id: "settleUnknownOutcome",
    method: "POST",
    path: `${path}/settle`,
    summary: "Settle an unknown outcome",
    description:
      "With the outcome that somebody has found out in the target system. Sets the component's status; audited.",
    tags,
    rule: "settleUnknownOutcome",
    params: outcomeParams,
    body: settleBody,
    response: { 200: unknownOutcome },
    errors: [404, 409],
    handler: (ctx, { params, body }) => settleManually(ctx, params, body),
  });
  route(app, {
    id: "pollUnknownOutcome",
    method: "POST",
    path: `${path}/poll`,
    summary: "Poll an unknown outcome",
    description: "Asks the adapter once more under the task's token; a final answer settles it.",
    tags,
    rule: "pollUnknownOutcome",
    params: outcomeParams,
    response: { 200: unknownOutcome },
    errors: [404, 409],
    handler: (ctx, { params }) => pollOutcome(ctx, params),
  });
}
