/** Rows of agents as they travel. Pure. */
import type { Agent, AgentItem } from "./schema.ts";
import type { AgentItemRow, AgentRow } from "./store.ts";

const commonFields = (row: Omit<AgentItemRow, "skillCount" | "toolCount">) => ({
  id: row.id,
  platform_key: row.platformKey,
  name: row.name,
  label: row.label,
  description: row.description,
  enabled: row.enabled,
  is_default: row.isDefault,
  is_orchestrator: row.isOrchestrator,
  is_platform_provided: row.platformKey !== "",
  display_order: row.displayOrder,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});

export const agentView = (row: AgentRow): Agent => ({
  ...commonFields(row),
  instructions: row.instructions,
  subagent_ids: row.subagentIds,
});

export const agentItemView = (row: AgentItemRow): AgentItem => ({
  ...commonFields(row),
  skill_count: row.skillCount,
  tool_count: row.toolCount,
});
