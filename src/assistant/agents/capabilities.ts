/** Pure: the flattened view of what one agent can do. */
import { type McpToolRef, distinctTools, toolId, toolKey } from "../record-schema.ts";
import type { Capability, CapabilityList } from "./schema.ts";

export interface CapabilitySources {
  /** The agent's own tools. */
  mcpTools: readonly McpToolRef[];
  skills: readonly { id: string; name: string; description: string; mcpTools: readonly McpToolRef[] }[];
  /** Descriptions of the tools that are offered now, by `server:name`. */
  descriptions: ReadonlyMap<string, string>;
}

export interface Capabilities {
  /** Skills and tools, unsorted. */
  all: Capability[];
  meta: Omit<CapabilityList["meta"], "pagination">;
}

/** `inherited` marks tools that the agent has only through a skill. */
export function capabilitiesOf({ mcpTools, skills, descriptions }: CapabilitySources): Capabilities {
  const own = new Set(mcpTools.map(toolKey));
  const effective = distinctTools([...mcpTools, ...skills.flatMap((skill) => skill.mcpTools)]);
  const shown = (tool: McpToolRef) => ({
    id: toolId(tool),
    display_name: tool.name,
    description: descriptions.get(toolId(tool)) ?? "",
    kind: "tool" as const,
    server: tool.server,
    inherited: !own.has(toolKey(tool)),
  });
  const ofSkills = skills.map(({ id, name, description, mcpTools: tools }): Capability => ({
    id,
    display_name: name,
    description,
    kind: "skill",
    server: "",
    name,
    inherited: false,
    children: tools.map(shown),
  }));
  const ofTools = effective.map((tool): Capability => ({ ...shown(tool), name: tool.name, children: [] }));
  const servers = Map.groupBy(effective, ({ server }) => server);
  return {
    all: [...ofSkills, ...ofTools],
    meta: {
      summary: {
        skill_count: skills.length,
        direct_tool_count: own.size,
        effective_tool_count: effective.length,
        inherited_tool_count: effective.length - own.size,
        mcp_server_count: servers.size,
      },
      mcp_servers: [...servers]
        .map(([server, tools]) => ({ server, tool_count: tools.length }))
        .sort((one, other) => compare(one.server, other.server)),
    },
  };
}

export interface CapabilityFilter {
  search: string | undefined;
  /** Kinds; null for all. */
  types: readonly string[] | null;
  order: "asc" | "desc";
}

/** Filtered and sorted by name. */
export function filterCapabilities(
  all: readonly Capability[],
  { search = "", types, order }: CapabilityFilter,
): Capability[] {
  const wanted = search.toLowerCase();
  const fits = (capability: Capability): boolean =>
    (types === null || types.includes(capability.kind)) &&
    [capability.display_name, capability.description, capability.server].some((text) =>
      text.toLowerCase().includes(wanted),
    );
  const sign = order === "asc" ? 1 : -1;
  return all
    .filter(fits)
    .sort(
      (one, other) =>
        sign *
        (compare(one.display_name.toLowerCase(), other.display_name.toLowerCase()) ||
          compare(one.kind, other.kind) ||
          compare(one.id, other.id)),
    );
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
