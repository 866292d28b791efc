/** Wire shapes of agents. */
import { Type, type Static } from "typebox";
import { Nullable } from "../../platform/http/schema.ts";
import {
  mcpToolRefs,
  pageQuery,
  pagination,
  searchQuery,
  sortOrder,
  timestamps,
  uuid,
  uuids,
  visibleText,
} from "../record-schema.ts";

const name = visibleText({ maxLength: 255, description: "No other agent has it, in any case." });
const label = visibleText({ maxLength: 255, description: "The displayed name." });
const description = { maxLength: 20_000, description: "For people, and for agents that may call it." };
const instructions = { maxLength: 200_000 };
/** Limits of the column. */
const displayOrder = { minimum: -2_147_483_648, maximum: 2_147_483_647 };

export const agentBody = Type.Object({
  name,
  label,
  description: Type.String({ ...description, default: "" }),
  instructions: Type.String({ ...instructions, default: "" }),
  enabled: Type.Boolean({ default: true }),
  is_default: Type.Boolean({ default: false, description: "Replaces the present default." }),
  display_order: Type.Integer({ ...displayOrder, default: 0 }),
  mcp_tools: Type.Optional(mcpToolRefs()),
  skill_ids: Type.Optional(uuids()),
  subagent_ids: Type.Optional(uuids()),
});
export type AgentBody = Static<typeof agentBody>;

export const agentPatch = Type.Object({
  name: Type.Optional(Nullable(name)),
  label: Type.Optional(Nullable(label)),
  description: Type.Optional(Nullable(Type.String(description))),
  instructions: Type.Optional(Nullable(Type.String(instructions))),
  enabled: Type.Optional(Nullable(Type.Boolean())),
  is_default: Type.Optional(Nullable(Type.Boolean())),
  display_order: Type.Optional(Nullable(Type.Integer(displayOrder))),
  subagent_ids: Type.Optional(Nullable(uuids())),
});
export type AgentPatch = Static<typeof agentPatch>;

const commonFields = {
  id: uuid(),
  platform_key: Type.String({ description: "Empty unless the agent is shipped with the product." }),
  name: Type.String(),
  label: Type.String(),
  description: Type.String(),
  enabled: Type.Boolean(),
  is_default: Type.Boolean(),
  is_orchestrator: Type.Boolean({ description: "The root of the graph of agents." }),
  is_platform_provided: Type.Boolean(),
  display_order: Type.Integer(),
};

export const agent = Type.Object({
  ...commonFields,
  instructions: Type.String(),
  subagent_ids: Type.Array(uuid()),
  ...timestamps,
});
export type Agent = Static<typeof agent>;

export const agentItem = Type.Object({
  ...commonFields,
  skill_count: Type.Integer(),
  tool_count: Type.Integer({ description: "Tools that it has by itself." }),
  ...timestamps,
});
export type AgentItem = Static<typeof agentItem>;

export const agentList = Type.Object({ data: Type.Array(agentItem), meta: Type.Object({ pagination }) });
export type AgentList = Static<typeof agentList>;

export const agentSorts = ["label", "description", "enabled", "type", "skill_count", "tool_count"] as const;
export type AgentSort = (typeof agentSorts)[number];

export const agentQuery = Type.Object({
  ...searchQuery,
  is_platform_provided: Type.Optional(Type.Boolean()),
  enabled: Type.Optional(Type.Boolean()),
  "sort-by": Type.Enum([...agentSorts], { default: "label" }),
  ...sortOrder,
  ...pageQuery,
});

export const agentParams = Type.Object({ agent_id: uuid() });
export const agentSkillParams = Type.Object({ agent_id: uuid(), skill_id: uuid() });

export const skillsToAdd = Type.Object({ skill_ids: uuids({ minItems: 1 }) });
export const toolsToAdd = Type.Object({ mcp_tools: mcpToolRefs({ minItems: 1 }) });

export const toolQuery = Type.Object({
  server: Type.String({ minLength: 1 }),
  name: Type.String({ minLength: 1 }),
});

const kind = Type.Enum(["skill", "tool"]);

const inherited = Type.Boolean({ description: "Whether the agent has it only through a skill." });

const child = Type.Object({
  id: Type.String(),
  display_name: Type.String(),
  description: Type.String(),
  kind,
  server: Type.String(),
  inherited,
});

export const capability = Type.Object({
  id: Type.String({ description: "Of a skill its id, of a tool `server:name`." }),
  display_name: Type.String(),
  description: Type.String(),
  kind,
  server: Type.String({ description: "Of a tool; empty for a skill." }),
  name: Type.String(),
  inherited,
  children: Type.Array(child, { description: "The tools of a skill." }),
});
export type Capability = Static<typeof capability>;

export const capabilityMeta = {
  summary: Type.Object({
    skill_count: Type.Integer(),
    direct_tool_count: Type.Integer(),
    effective_tool_count: Type.Integer(),
    inherited_tool_count: Type.Integer(),
    mcp_server_count: Type.Integer(),
  }),
  mcp_servers: Type.Array(Type.Object({ server: Type.String(), tool_count: Type.Integer() })),
};

export const capabilityList = Type.Object({
  data: Type.Array(capability),
  meta: Type.Object({ pagination, ...capabilityMeta }),
});
export type CapabilityList = Static<typeof capabilityList>;

export const capabilityQuery = Type.Object({
  ...searchQuery,
  type: Type.Optional(Type.Array(Type.String(), { description: "`skill`, `tool` or both." })),
  ...sortOrder,
  ...pageQuery,
});
