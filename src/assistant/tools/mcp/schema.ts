/** Wire shapes of the tools of MCP servers. */
import { Type, type Static } from "typebox";
import { pageQuery, pagination, searchQuery } from "../../record-schema.ts";

export const mcpTool = Type.Object({
  id: Type.String({ description: "`server:name`." }),
  name: Type.String(),
  description: Type.String(),
  server: Type.String(),
});
export type McpTool = Static<typeof mcpTool>;

export const mcpTools = Type.Array(mcpTool);

export const mcpToolList = Type.Object({ data: mcpTools, meta: Type.Object({ pagination }) });
export type McpToolList = Static<typeof mcpToolList>;

export const mcpToolQuery = Type.Object({
  ...searchQuery,
  server: Type.Optional(Type.Array(Type.String(), { description: "Tools of these servers." })),
  ...pageQuery,
});

const maxIds = 1_000;

export const lookupBody = Type.Object({ ids: Type.Array(Type.String(), { maxItems: maxIds }) });

export const changedQuery = Type.Object(pageQuery);

export const changedTool = Type.Object({
  id: Type.String(),
  server: Type.String(),
  name: Type.String(),
  description: Type.String(),
  input_schema: Type.Unknown(),
  annotations: Type.Unknown(),
  fingerprint: Type.String({ description: "Of name, description and schema; an approval names it." }),
  is_new: Type.Boolean({ description: "Whether no form of it was ever approved." }),
  seen_at: Type.String(),
});

export const changedToolList = Type.Object({
  data: Type.Array(changedTool),
  meta: Type.Object({ pagination }),
});
export type ChangedToolList = Static<typeof changedToolList>;

export const approvalBody = Type.Object({
  tools: Type.Array(
    Type.Object({
      id: Type.String(),
      fingerprint: Type.String({ description: "Fingerprint of the form that was reviewed." }),
    }),
    { minItems: 1, maxItems: maxIds },
  ),
});
export type ApprovalBody = Static<typeof approvalBody>;

export const mcpServerList = Type.Object({
  data: Type.Array(
    Type.Object({
      name: Type.String(),
      transport: Type.Enum(["http", "sse", "stdio"]),
      status: Type.Enum(["connecting", "connected", "waiting"], {
        description: "`waiting`: it could not be reached; the next attempt comes at `next_attempt_at`.",
      }),
      since: Type.String(),
      protocol: Type.Union([Type.String(), Type.Null()], {
        description: "Revision of the protocol that is spoken.",
      }),
      tool_count: Type.Integer({ description: "Tools that it offers, whether they are approved or not." }),
      message: Type.Union([Type.String(), Type.Null()], {
        description: "Further information about its state.",
      }),
      next_attempt_at: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
});
export type McpServerList = Static<typeof mcpServerList>;
