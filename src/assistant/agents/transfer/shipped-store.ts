/** Rows of shipped skills and agents, by platform key. */
import type { Db } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { PortableAgent, PortableSkill } from "./portable.ts";
import type { McpToolRef } from "../../record-schema.ts";

export interface ShippedSkillRow {
  id: string;
  platformKey: string;
  name: string;
  description: string;
  content: string;
  mcpTools: McpToolRef[];
  shippedTools: McpToolRef[];
}

export async function readShippedSkills(db: Db): Promise<Map<string, ShippedSkillRow>> {
  const { rows } =
    await sql<ShippedSkillRow>`select id, platform_key as "platformKey", name, description, content,
      mcp_tools as "mcpTools", shipped_tools as "shippedTools"
    from assistant_skills where platform_key <> ''`.execute(db);
  return new Map(rows.map((row) => [row.platformKey, row]));
}

/** The tools, skills and sub-agents of an agent in the last installed release; skills and sub-agents by key. */
export interface ShippedParts {
  tools: McpToolRef[];
  skills: string[];
  subagents: string[];
}

export interface ShippedAgentRow {
  id: string;
  platformKey: string;
  name: string;
  label: string;
  description: string;
  instructions: string;
  mcpTools: McpToolRef[];
  shipped: Partial<ShippedParts>;
}

export async function readShippedAgents(db: Db): Promise<Map<string, ShippedAgentRow>> {
  const { rows } =
    await sql<ShippedAgentRow>`select id, platform_key as "platformKey", name, label, description,
      instructions, mcp_tools as "mcpTools", shipped
    from assistant_agents where platform_key <> ''`.execute(db);
  return new Map(rows.map((row) => [row.platformKey, row]));
}

export async function upsertShippedSkill(
  db: Db,
  skill: PortableSkill & { id: string; tools: readonly McpToolRef[]; at: Date },
): Promise<void> {
  const { id, key, name, description, content, tools, mcp_tools: shipped, at } = skill;
  await sql`insert into assistant_skills (id, platform_key, name, description, content, mcp_tools, shipped_tools,
      created_at, updated_at)
    values (${id}, ${key}, ${name}, ${description}, ${content}, ${JSON.stringify(tools)}::jsonb,
      ${JSON.stringify(shipped)}::jsonb, ${at}, ${at})
    on conflict (id) do update set name = excluded.name, description = excluded.description,
      content = excluded.content, mcp_tools = excluded.mcp_tools, shipped_tools = excluded.shipped_tools,
      updated_at = excluded.updated_at`.execute(db);
}

/** `enabled` and the order are up to users, so only a new agent gets those of the file. */
export async function upsertShippedAgent(
  db: Db,
  agent: PortableAgent & {
    id: string;
    isOrchestrator: boolean;
    tools: readonly McpToolRef[];
    shipped: ShippedParts;
    at: Date;
  },
): Promise<void> {
  const { id, key, name, label, description, instructions, enabled, display_order: order, at } = agent;
  await sql`insert into assistant_agents (id, platform_key, name, label, description, instructions, enabled,
      is_orchestrator, display_order, mcp_tools, shipped, created_at, updated_at)
    values (${id}, ${key}, ${name}, ${label}, ${description}, ${instructions}, ${enabled}, ${agent.isOrchestrator},
      ${order}, ${JSON.stringify(agent.tools)}::jsonb, ${JSON.stringify(agent.shipped)}::jsonb, ${at}, ${at})
    on conflict (id) do update set name = excluded.name, label = excluded.label,
      description = excluded.description, instructions = excluded.instructions, mcp_tools = excluded.mcp_tools,
      shipped = excluded.shipped, updated_at = excluded.updated_at`.execute(db);
}

interface Link {
  agentId: string;
  /** Ids of skills or agents. */
  added: readonly string[];
  withdrawn: readonly string[];
}

export async function linkSkills(db: Db, { agentId, added, withdrawn }: Link): Promise<void> {
  await sql`delete from assistant_agent_skills
    where agent_id = ${agentId} and skill_id = any(${[...withdrawn]}::uuid[])`.execute(db);
  await sql`insert into assistant_agent_skills (agent_id, skill_id)
    select ${agentId}::uuid, given.id from unnest(${[...added]}::uuid[]) with ordinality as given (id, n)
    order by given.n on conflict do nothing`.execute(db);
}

export async function linkSubagents(db: Db, { agentId, added, withdrawn }: Link): Promise<void> {
  await sql`delete from assistant_agent_subagents
    where agent_id = ${agentId} and subagent_id = any(${[...withdrawn]}::uuid[])`.execute(db);
  await sql`insert into assistant_agent_subagents (agent_id, subagent_id)
    select ${agentId}::uuid, given.id from unnest(${[...added]}::uuid[]) with ordinality as given (id, n)
    order by given.n on conflict do nothing`.execute(db);
}
