/** Rows of skills as they travel. Pure. */
import type { Skill, SkillItem } from "./schema.ts";
import type { SkillItemRow, SkillRow } from "./store.ts";

const commonFields = (row: Omit<SkillItemRow, "toolCount">) => ({
  id: row.id,
  platform_key: row.platformKey,
  name: row.name,
  description: row.description,
  is_platform_provided: row.platformKey !== "",
  agent_count: row.agentCount,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});

export const skillView = (row: SkillRow): Skill => ({
  ...commonFields(row),
  content: row.content,
  mcp_tools: row.mcpTools,
});

export const skillItemView = (row: SkillItemRow): SkillItem => ({
  ...commonFields(row),
  tool_count: row.toolCount,
});
