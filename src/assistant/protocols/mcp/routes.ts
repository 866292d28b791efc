import { route, type AreaApp } from "../../../platform/http/operation.ts";
import type { AssistantExtra, AssistantDeps } from "../../context.ts";
import type { McpEndpoint } from "./endpoint.ts";
import { openOnce } from "./open-once.ts";
import { challengeParameters, mcpBase } from "./resource.ts";
import { mcpAnswer, mcpMessage } from "./schema.ts";

const protocolHeaders = /^mcp-/;

/** Adds `POST /mcp`. */
export function addMcpServerRoutes(app: AreaApp<AssistantExtra>): void {
  /** The SDK is loaded at the first request. */
  const open = openOnce(async ({ platformTools, metrics }: AssistantDeps): Promise<McpEndpoint> => {
    const { createMcpEndpoint } = await import("./endpoint.ts");
    return createMcpEndpoint({ tools: platformTools, durations: metrics.tools }, app.area.version);
  });
  route(app, {
    id: "mcp",
    method: "POST",
    base: mcpBase,
    path: "",
    summary: "Call the MCP server",
    description:
      "The platform as an MCP server over streamable HTTP: one message of JSON-RPC a request, without sessions. Tools act " +
      "as the caller, and each checks for itself what the caller may do.",
    tags: ["MCP server"],
    rule: "useMcpServer",
    challenge: () => challengeParameters(app.area.extra!.assistant.settings),
    body: mcpMessage,
    response: {
      200: mcpAnswer,
      202: { description: "A notification was taken.", noBody: true },
      400: mcpAnswer,
      404: mcpAnswer,
    },
    async handler(ctx, { body, raw, reply }) {
      const opened = await open(ctx.assistant);
      const headers = Object.entries(raw.headers).flatMap(([name, value]) =>
        protocolHeaders.test(name) && typeof value === "string" ? [[name, value]] : [],
      );
      const url = `${ctx.assistant.settings.baseUrl}${mcpBase}`;
      const answer = await opened.exchange(ctx, {
        url,
        headers: Object.fromEntries(headers) as Record<string, string>,
        message: body,
      });
      if (answer.body === "") reply.code(202).send();
      else reply.sendJson(answer.body, answer.status);
    },
  });
}
