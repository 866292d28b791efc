/** Attaches skills and tools to agents and detaches them, and lists what an agent has. */
import type { Failure } from "../../platform/errors/failure.ts";
import { bodyProblem, refuseProblems } from "../body-problems.ts";
import type { AssistantContext } from "../context.ts";
import { assistantFailure } from "../error-codes.ts";
import {
  maxTools,
  plainUuid,
  type McpToolRef,
  type Page,
  distinctTools,
  toolKey,
  toolId,
} from "../record-schema.ts";
import { skillProblems, toolProblems } from "./references.ts";
import type { Agent, CapabilityList, Capability } from "./schema.ts";
import { changeUnderLock, mustFind } from "./service.ts";
import { addSkills, removeSkill, setTools, readAgentSkills } from "./store.ts";
import { readTools } from "../tools/mcp/store.ts";

export async function attachSkills(
  ctx: AssistantContext,
  id: string,
  given: readonly string[],
): Promise<Agent> {
  const skillIds = given.map(plainUuid);
  return changeUnderLock(ctx, id, async (tx) => {
    refuseProblems(await skillProblems(tx, skillIds));
    await addSkills(tx, id, { skillIds: [...new Set(skillIds)], at: ctx.now() });
    return { operation: "addSkills", detail: { skillIds } };
  });
}

export async function detachSkill(ctx: AssistantContext, id: string, skillId: string): Promise<void> {
  await changeUnderLock(ctx, id, async (tx, { name }) => {
    const had = await removeSkill(tx, id, { skillId, at: ctx.now() });
    if (!had) throw notAttached(`The agent ${name} does not have the skill ${skillId}.`);
    return { operation: "removeSkill", detail: { skillId } };
  });
}

export async function attachTools(
  ctx: AssistantContext,
  id: string,
  given: readonly McpToolRef[],
): Promise<Agent> {
  return changeUnderLock(ctx, id, async (tx, row) => {
    const mcpTools = distinctTools([...row.mcpTools, ...given]);
    if (mcpTools.length > maxTools)
      refuseProblems([bodyProblem(["mcp_tools"], `would give the agent more than ${maxTools} tools`, given)]);
    refuseProblems(await toolProblems(tx, given, row.mcpTools));
    await setTools(tx, id, { mcpTools, at: ctx.now() });
    return { operation: "addMcpTools", detail: { mcpTools: distinctTools(given) } };
  });
}

export async function detachTool(ctx: AssistantContext, id: string, tool: McpToolRef): Promise<void> {
  await changeUnderLock(ctx, id, async (tx, { name, mcpTools }) => {
    const left = mcpTools.filter((each) => toolKey(each) !== toolKey(tool));
    if (left.length === mcpTools.length)
      throw notAttached(`The agent ${name} does not have the tool ${tool.name} of ${tool.server} by itself.`);
    await setTools(tx, id, { mcpTools: left, at: ctx.now() });
    return { operation: "removeMcpTool", detail: tool };
  });
}

const notAttached = (message: string): Failure => assistantFailure("ASSISTANT_NOT_ATTACHED", { message });

/** The counts cover all that the agent has, whatever the filter. */
export async function listCapabilities(
  ctx: AssistantContext,
  id: string,
  query: CapabilityFilter & Page,
): Promise<CapabilityList> {
  const db = ctx.assistant.database.db;
  const { mcpTools } = await mustFind(db, id);
  const skills = await readAgentSkills(db, id);
  const named = [...mcpTools, ...skills.flatMap((skill) => skill.mcpTools)].map(toolId);
  const known = await readTools(db, named);
  const descriptions = new Map(known.map((tool) => [tool.id, tool.description]));
  const { all, meta } = capabilitiesOf({ mcpTools, skills, descriptions });
  const fitting = filterCapabilities(all, query);
  const { limit, offset } = query;
  return {
    data: fitting.slice(offset, offset + limit),
    meta: { pagination: { total: fitting.length, limit, offset }, ...meta },
  };
}

// The flattened view of what one agent can do.

interface CapabilitySources {
  /** The agent's own tools. */
  mcpTools: readonly McpToolRef[];
  skills: readonly { id: string; name: string; description: string; mcpTools: readonly McpToolRef[] }[];
  /** Descriptions of the tools that are offered now, by `server:name`. */
  descriptions: ReadonlyMap<string, string>;
}

interface Capabilities {
  /** Skills and tools, unsorted. */
  all: Capability[];
  meta: Omit<CapabilityList["meta"], "pagination">;
}

/** `inherited` marks tools that the agent has only through a skill. */
function capabilitiesOf({ mcpTools, skills, descriptions }: CapabilitySources): Capabilities {
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

interface CapabilityFilter {
  search: string | undefined;
  /** Kinds; null for all. */
  types: readonly string[] | null;
  order: "asc" | "desc";
}

/** Filtered and sorted by name. */
function filterCapabilities(
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
