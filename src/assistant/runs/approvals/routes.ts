import { route, type AreaApp } from "../../../platform/http/operation.ts";
import type { AssistantExtra } from "../../context.ts";
import { approvalAnswer, approvalBody, approvalList, approvalParams, approvalsQuery } from "./schema.ts";
import { decide, getApprovals } from "./service.ts";

const tags = ["Tasks"];
const rule = "useAssistant";

/** Adds the list of approvals and the decision on one. */
export function addApprovalRoutes(app: AreaApp<AssistantExtra>): void {
  route(app, {
    id: "listApprovals",
    method: "GET",
    path: "/approvals",
    summary: "List the tool calls that wait for you",
    description: "Of your runs, the one that has waited longest first.",
    tags,
    rule,
    query: approvalsQuery,
    response: { 200: approvalList },
    handler: (ctx, { query }) => getApprovals(ctx, query),
  });
  route(app, {
    id: "decideApproval",
    method: "POST",
    path: "/runs/{run_id}/approvals/{approval_id}",
    summary: "Allow or refuse a tool call",
    description:
      "The run goes on with the rights that the caller has now. The model reads the reason of a refusal. With `arguments` the " +
      "tool is called with these. The same decision again changes nothing.",
    tags,
    rule,
    params: approvalParams,
    body: approvalBody,
    response: { 200: approvalAnswer },
    errors: [404, 409],
    async handler(ctx, { params, body }) {
      const { run_id: runId, approval_id: approvalId } = params;
      return { id: approvalId, status: await decide(ctx, { runId, approvalId }, body) };
    },
  });
}
