import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { AssistantExtra, AssistantDeps } from "../context.ts";
import type { McpEndpoint } from "./mcp-endpoint.ts";
import { Type } from "typebox";

/** The path of the platform's own MCP server. */
export const mcpBase = "/mcp";

const protocolHeaders = /^mcp-/;

/** Adds `POST /mcp`. */
export function addMcpServerRoutes(app: AreaApp<AssistantExtra>): void {
  let endpoint: Promise<McpEndpoint> | undefined;
  /** The SDK is loaded at the first request. */
  const open = async ({ platformTools, metrics }: AssistantDeps): Promise<McpEndpoint> => {
    const { createMcpEndpoint } = await import("./mcp-endpoint.ts");
    return createMcpEndpoint({ tools: platformTools, durations: metrics.tools }, app.area.version);
  };
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
    body: mcpMessage,
    response: {
      200: mcpAnswer,
      202: { description: "A notification was taken.", noBody: true },
      400: mcpAnswer,
      404: mcpAnswer,
    },
    async handler(ctx, { body, raw, reply }) {
      const opened = await (endpoint ??= open(ctx.assistant));
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

export const mcpMessage = Type.Object({
  jsonrpc: Type.Literal("2.0"),
  id: Type.Optional(
    Type.Union([
      Type.String({ maxLength: 512 }),
      Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
    ]),
  ),
  method: Type.String({ minLength: 1, maxLength: 256 }),
  params: Type.Optional(Type.Object({}, { additionalProperties: true })),
});

export const mcpAnswer = Type.Object({ jsonrpc: Type.Literal("2.0") }, { additionalProperties: true });
