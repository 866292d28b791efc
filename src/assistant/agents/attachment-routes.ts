/** Skills and tools of an agent. */
import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { AssistantExtra } from "../context.ts";
import { plainUuid } from "../record-schema.ts";
import {
  listCapabilities,
  attachSkills,
  attachTools,
  detachSkill,
  detachTool,
} from "./attachment-service.ts";
import {
  agent,
  agentParams,
  agentSkillParams,
  capabilityList,
  capabilityQuery,
  skillsToAdd,
  toolQuery,
  toolsToAdd,
} from "./schema.ts";

const tags = ["Agents"];

export function addAttachmentRoutes(app: AreaApp<AssistantExtra>): void {
  route(app, {
    id: "getCapabilities",
    method: "GET",
    path: "/agents/{agent_id}/capabilities",
    summary: "Get capabilities",
    description:
      "What an agent can do, flattened: its skills, its tools and those that come with its skills.",
    tags,
    rule: "readAssistant",
    params: agentParams,
    query: capabilityQuery,
    response: { 200: capabilityList },
    errors: [404],
    handler: (ctx, { params, query }) =>
      listCapabilities(ctx, plainUuid(params.agent_id), {
        search: query.search,
        types: query.type === undefined || query.type.length === 0 ? null : query.type,
        order: query["sort-order"],
        limit: query.limit,
        offset: query.offset,
      }),
  });
  route(app, {
    id: "addSkills",
    method: "POST",
    path: "/agents/{agent_id}/skills",
    summary: "Add skills",
    tags,
    rule: "writeAgents",
    params: agentParams,
    body: skillsToAdd,
    response: { 200: agent },
    errors: [404],
    handler: (ctx, { params, body }) => attachSkills(ctx, plainUuid(params.agent_id), body.skill_ids),
  });
  route(app, {
    id: "removeSkill",
    method: "DELETE",
    path: "/agents/{agent_id}/skills/{skill_id}",
    summary: "Remove a skill from an agent",
    tags,
    rule: "writeAgents",
    params: agentSkillParams,
    response: { 204: { description: "The agent does not have it any more.", noBody: true } },
    errors: [404],
    handler: (ctx, { params }) => detachSkill(ctx, plainUuid(params.agent_id), plainUuid(params.skill_id)),
  });
  route(app, {
    id: "addMcpTools",
    method: "POST",
    path: "/agents/{agent_id}/mcp-tools",
    summary: "Add mcp tools",
    description: "Tools that a server has offered, whether it can be reached at the moment or not.",
    tags,
    rule: "writeAgents",
    params: agentParams,
    body: toolsToAdd,
    response: { 200: agent },
    errors: [404],
    handler: (ctx, { params, body }) => attachTools(ctx, plainUuid(params.agent_id), body.mcp_tools),
  });
  route(app, {
    id: "removeMcpTool",
    method: "DELETE",
    path: "/agents/{agent_id}/mcp-tools",
    summary: "Remove mcp tool",
    description: "A tool that also comes with a skill of the agent stays available through that skill.",
    tags,
    rule: "writeAgents",
    params: agentParams,
    query: toolQuery,
    response: { 204: { description: "The agent does not have it by itself any more.", noBody: true } },
    errors: [404],
    handler: (ctx, { params, query: { server, name } }) =>
      detachTool(ctx, plainUuid(params.agent_id), { server, name }),
  });
}
