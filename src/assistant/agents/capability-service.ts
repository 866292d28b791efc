import type { AssistantContext } from "../context.ts";
import type { Page } from "../record-schema.ts";
import { toolId } from "../tool-refs.ts";
import { readTools } from "../tools/store.ts";
import { capabilitiesOf, filterCapabilities, type CapabilityFilter } from "./capabilities.ts";
import type { CapabilityList } from "./schema.ts";
import { mustFind } from "./service.ts";
import { readAgentSkills } from "./store.ts";

/** Counts are of all that the agent has, whatever the list is narrowed to. */
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
