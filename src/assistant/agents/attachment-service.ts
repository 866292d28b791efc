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
import { skillProblems } from "./references.ts";
import type { Agent, CapabilityList } from "./schema.ts";
import { changeUnderLock, mustFind } from "./service.ts";
import { addSkills, removeSkill, setTools, readAgentSkills } from "./store.ts";
import { readTools } from "../tools/store.ts";
import { capabilitiesOf, filterCapabilities, type CapabilityFilter } from "./capabilities.ts";

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

/** A tool need not be known yet: its server may be unavailable. */
export async function attachTools(
  ctx: AssistantContext,
  id: string,
  given: readonly McpToolRef[],
): Promise<Agent> {
  return changeUnderLock(ctx, id, async (tx, row) => {
    const mcpTools = distinctTools([...row.mcpTools, ...given]);
    if (mcpTools.length > maxTools)
      refuseProblems([bodyProblem(["mcp_tools"], `would give the agent more than ${maxTools} tools`)]);
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
  const db = ctx.assistant.database.kysely;
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
