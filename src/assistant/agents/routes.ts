import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { AssistantExtra } from "../context.ts";
import { plainUuid } from "../record-schema.ts";
import { agent, agentBody, agentList, agentParams, agentPatch, agentQuery } from "./schema.ts";
import { changeAgent, createAgent, findAgents, getAgent, removeAgent } from "./service.ts";

const tags = ["Agents"];

export function addAgentRoutes(app: AreaApp<AssistantExtra>): void {
  route(app, {
    id: "getAgents",
    method: "GET",
    path: "/agents",
    summary: "Get agents",
    tags,
    rule: "readAssistant",
    query: agentQuery,
    response: { 200: agentList },
    handler: (ctx, { query }) =>
      findAgents(ctx, {
        search: query.search,
        isPlatformProvided: query.is_platform_provided,
        enabled: query.enabled,
        sortBy: query["sort-by"],
        order: query["sort-order"],
        limit: query.limit,
        offset: query.offset,
      }),
  });
  route(app, {
    id: "createAgent",
    method: "POST",
    path: "/agents",
    summary: "Create agent",
    tags,
    rule: "writeAgents",
    body: agentBody,
    response: { 201: agent },
    errors: [409],
    handler: (ctx, { body }) => createAgent(ctx, body),
  });
  route(app, {
    id: "getAgent",
    method: "GET",
    path: "/agents/{agent_id}",
    summary: "Get an agent",
    tags,
    rule: "readAssistant",
    params: agentParams,
    response: { 200: agent },
    errors: [404],
    handler: (ctx, { params }) => getAgent(ctx, plainUuid(params.agent_id)),
  });
  route(app, {
    id: "updateAgent",
    method: "PATCH",
    path: "/agents/{agent_id}",
    summary: "Update agent",
    description:
      "Fields that are null or left out stay as they are. `mcp_tools` and `skill_ids`, which only create takes, are refused: " +
      "`POST` and `DELETE` below the agent change them. An agent that is shipped with the product can be enabled, " +
      "disabled, made the default and extended, but not rewritten.",
    tags,
    rule: "writeAgents",
    params: agentParams,
    body: agentPatch,
    response: { 200: agent },
    errors: [404, 409],
    handler: (ctx, { params, body }) => changeAgent(ctx, plainUuid(params.agent_id), body),
  });
  route(app, {
    id: "deleteAgent",
    method: "DELETE",
    path: "/agents/{agent_id}",
    summary: "Delete an agent",
    description: "Agents that may call it lose it.",
    tags,
    rule: "writeAgents",
    params: agentParams,
    response: { 204: { description: "It is deleted.", noBody: true } },
    errors: [404, 409],
    handler: (ctx, { params }) => removeAgent(ctx, plainUuid(params.agent_id)),
  });
}
