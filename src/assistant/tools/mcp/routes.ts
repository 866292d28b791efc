import { route, type AreaApp } from "../../../platform/http/operation.ts";
import type { AssistantExtra } from "../../context.ts";
import {
  approvalBody,
  changedQuery,
  changedToolList,
  lookupBody,
  mcpServerList,
  mcpToolList,
  mcpToolQuery,
  mcpTools,
} from "./schema.ts";
import { approve, findChangedTools, findServers, findTools, lookUpTools } from "./service.ts";

const tags = ["MCP tools"];

export function addToolRoutes(app: AreaApp<AssistantExtra>): void {
  route(app, {
    id: "getMcpTools",
    method: "GET",
    path: "/mcp-tools",
    summary: "Get mcp tools",
    description: "Tools that may be used: their servers offer them as they were approved.",
    tags,
    rule: "readAssistant",
    query: mcpToolQuery,
    response: { 200: mcpToolList },
    handler: (ctx, { query: { search, server, limit, offset } }) =>
      findTools(ctx, {
        search,
        servers: server === undefined || server.length === 0 ? null : server,
        limit,
        offset,
      }),
  });
  route(app, {
    id: "lookupMcpTools",
    method: "POST",
    path: "/mcp-tools/lookup",
    summary: "Lookup mcp tools",
    description: "Tools by their ids, in that order. Unknown ids are left out.",
    tags,
    rule: "readAssistant",
    body: lookupBody,
    response: { 200: mcpTools },
    handler: (ctx, { body }) => lookUpTools(ctx, body.ids),
  });
  route(app, {
    id: "getChangedMcpTools",
    method: "GET",
    path: "/mcp-tools/changed",
    summary: "Get mcp tools that wait for an approval",
    description: "Their servers describe them differently from the approved form, so they are not offered.",
    tags,
    rule: "readAssistant",
    query: changedQuery,
    response: { 200: changedToolList },
    handler: (ctx, { query }) => findChangedTools(ctx, query),
  });
  route(app, {
    id: "approveMcpTools",
    method: "POST",
    path: "/mcp-tools/approve",
    summary: "Approve mcp tools that changed",
    description: "Each with the fingerprint of the form that was reviewed; all of them or none.",
    tags,
    rule: "approveMcpTools",
    body: approvalBody,
    response: { 200: mcpTools },
    errors: [409],
    handler: (ctx, { body }) => approve(ctx, body),
  });
  route(app, {
    id: "getMcpServers",
    method: "GET",
    path: "/mcp-servers",
    summary: "Get the health of mcp servers",
    description: "As the process that answers sees them; each process has connections of its own.",
    tags,
    rule: "readAssistant",
    response: { 200: mcpServerList },
    handler: (ctx) => findServers(ctx),
  });
}
