/** Rows of agents, their skills and their sub-agents. */
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { likePattern, toolKey, type McpToolRef, type Page } from "../record-schema.ts";
import type { AgentSort } from "./schema.ts";

export interface AgentFields {
  name: string;
  label: string;
  description: string;
  instructions: string;
  enabled: boolean;
  isDefault: boolean;
  displayOrder: number;
}

export interface AgentRow extends AgentFields {
  id: string;
  platformKey: string;
  isOrchestrator: boolean;
  mcpTools: McpToolRef[];
  /** In the order in which they were given. */
  subagentIds: string[];
  createdAt: Date;
  updatedAt: Date;
}

/** Serializes changes of agents: cycles and the default agent depend on all of them. */
export async function lockAgents(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('assistant agents', 0))`.execute(db);
}

const shown = sql`a.id, a.platform_key as "platformKey", a.name, a.label, a.description, a.enabled,
  a.is_default as "isDefault", a.is_orchestrator as "isOrchestrator", a.display_order as "displayOrder",
  a.created_at as "createdAt", a.updated_at as "updatedAt"`;

export async function readAgent(db: Db, id: string): Promise<AgentRow | null> {
  const { rows } = await sql<AgentRow>`select ${shown}, a.instructions, a.mcp_tools as "mcpTools",
      array(select s.subagent_id from assistant_agent_subagents s where s.agent_id = a.id order by s.position)
        as "subagentIds"
    from assistant_agents a where a.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

export async function insertAgent(
  db: Db,
  agent: AgentFields & { id: string; mcpTools: readonly McpToolRef[]; at: Date },
): Promise<void> {
  const { id, name, label, description, instructions, enabled, isDefault, displayOrder, at } = agent;
  await sql`insert into assistant_agents (id, name, label, description, instructions, enabled, is_default,
      display_order, mcp_tools, created_at, updated_at)
    values (${id}, ${name}, ${label}, ${description}, ${instructions}, ${enabled}, ${isDefault}, ${displayOrder},
      ${JSON.stringify(agent.mcpTools)}::jsonb, ${at}, ${at})`.execute(db);
}

export async function updateAgent(db: Db, id: string, agent: AgentFields & { at: Date }): Promise<void> {
  const { name, label, description, instructions, enabled, isDefault, displayOrder, at } = agent;
  await sql`update assistant_agents set name = ${name}, label = ${label}, description = ${description},
      instructions = ${instructions}, enabled = ${enabled}, is_default = ${isDefault},
      display_order = ${displayOrder}, updated_at = ${at} where id = ${id}`.execute(db);
}

/** No agent is the default any more. */
export async function clearDefault(db: Db, at: Date): Promise<void> {
  await sql`update assistant_agents set is_default = false, updated_at = ${at} where is_default`.execute(db);
}

export async function deleteAgent(db: Db, id: string): Promise<void> {
  await sql`delete from assistant_agents where id = ${id}`.execute(db);
}

export async function setTools(
  db: Db,
  id: string,
  { mcpTools, at }: { mcpTools: readonly McpToolRef[]; at: Date },
): Promise<void> {
  await sql`update assistant_agents set mcp_tools = ${JSON.stringify(mcpTools)}::jsonb, updated_at = ${at}
    where id = ${id}`.execute(db);
}

export async function setSubagents(db: Db, id: string, subagentIds: readonly string[]): Promise<void> {
  await sql`delete from assistant_agent_subagents where agent_id = ${id}`.execute(db);
  if (subagentIds.length === 0) return;
  await sql`insert into assistant_agent_subagents (agent_id, subagent_id)
    select ${id}::uuid, given.id from unnest(${[...subagentIds]}::uuid[]) with ordinality as given (id, n)
    order by given.n`.execute(db);
}

/** Skills that the agent already has stay in their place. */
export async function addSkills(
  db: Db,
  id: string,
  { skillIds, at }: { skillIds: readonly string[]; at: Date },
): Promise<void> {
  if (skillIds.length === 0) return;
  await sql`insert into assistant_agent_skills (agent_id, skill_id)
    select ${id}::uuid, given.id from unnest(${[...skillIds]}::uuid[]) with ordinality as given (id, n)
    order by given.n on conflict do nothing`.execute(db);
  await sql`update assistant_agents set updated_at = ${at} where id = ${id}`.execute(db);
}

/** False when the agent did not have it. */
export async function removeSkill(
  db: Db,
  id: string,
  { skillId, at }: { skillId: string; at: Date },
): Promise<boolean> {
  const { rows } = await sql`delete from assistant_agent_skills
    where agent_id = ${id} and skill_id = ${skillId} returning 1`.execute(db);
  if (rows.length === 0) return false;
  await sql`update assistant_agents set updated_at = ${at} where id = ${id}`.execute(db);
  return true;
}

/** The ids that exist; they can't be deleted before the transaction ends. */
export async function knownSkills(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{
    id: string;
  }>`select id from assistant_skills where id = any(${[...ids]}::uuid[])
    for key share`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

export async function knownAgents(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, { isOrchestrator: boolean }>> {
  const { rows } = await sql<{ id: string; isOrchestrator: boolean }>`select id,
      is_orchestrator as "isOrchestrator" from assistant_agents where id = any(${[...ids]}::uuid[])`.execute(
    db,
  );
  return new Map(rows.map(({ id, isOrchestrator }) => [id, { isOrchestrator }]));
}

/** Keys of the references to tools that no server offers; an external agent is a tool of the server `agents`. */
export async function findUnknownTools(db: Db, tools: readonly McpToolRef[]): Promise<Set<string>> {
  const { rows } = await sql<McpToolRef>`select g.server, g.name
    from jsonb_to_recordset(${JSON.stringify(tools)}::jsonb) as g(server text, name text)
    where not exists (select from mcp_tools t
        where t.server = g.server and t.name = g.name and t.state <> 'gone')
      and not (g.server = 'agents'
        and exists (select from external_agents e where e.id::text = right(g.name, 36)))`.execute(db);
  return new Set(rows.map(toolKey));
}

export interface NameConflict {
  id: string;
  otherId: string;
  otherName: string;
}

/** Agents that would have the name of another one once these have theirs. */
export async function findNameConflicts(
  db: Db,
  agents: readonly { id: string; name: string }[],
): Promise<NameConflict[]> {
  const given = JSON.stringify(agents.map(({ id, name }) => ({ id, name })));
  const { rows } = await sql<NameConflict>`with given as (
      select id, name from jsonb_to_recordset(${given}::jsonb) as g(id uuid, name text)
    ), others as (
      select id, name from given union all
      select a.id, a.name from assistant_agents a where not exists (select from given g where g.id = a.id)
    )
    select g.id, o.id as "otherId", o.name as "otherName" from given g
    join others o on lower(o.name) = lower(g.name) and o.id <> g.id order by g.name, g.id, o.id`.execute(db);
  return rows;
}

/** Frees names that agents are about to exchange: until then each has its id as its name. */
export async function freeNames(db: Db, ids: readonly string[]): Promise<void> {
  await sql`update assistant_agents set name = id::text where id = any(${[...ids]}::uuid[])`.execute(db);
}

/** Gives an agent the first free name of `name (2)`, `name (3)`, …; resolves to it. */
export async function renameToFree(db: Db, { id, at }: { id: string; at: Date }): Promise<string> {
  const { rows } = await sql<{ name: string }>`update assistant_agents a set updated_at = ${at}, name = (
      select left(a.name, 240) || ' (' || n || ')' from generate_series(2, 10000) as n
      where not exists (select from assistant_agents o
        where lower(o.name) = lower(left(a.name, 240) || ' (' || n || ')'))
      order by n limit 1)
    where a.id = ${id} returning a.name`.execute(db);
  return rows[0]?.name ?? "";
}

export async function readEdges(db: Db): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ id: string; subagents: string[] }>`select agent_id as id,
      array_agg(subagent_id order by position) as subagents
    from assistant_agent_subagents group by agent_id`.execute(db);
  return new Map(rows.map(({ id, subagents }) => [id, subagents]));
}

export async function readNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`select id, name from assistant_agents
    where id = any(${[...ids]}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export interface AgentQuery extends Page {
  search: string | undefined;
  isPlatformProvided: boolean | undefined;
  enabled: boolean | undefined;
  sortBy: AgentSort;
  order: "asc" | "desc";
}

export interface AgentItemRow extends Omit<AgentRow, "instructions" | "mcpTools" | "subagentIds"> {
  skillCount: number;
  toolCount: number;
}

const sorts: Record<AgentSort, string> = {
  label: "lower(a.label)",
  description: "lower(a.description)",
  enabled: "a.enabled",
  type: "(a.platform_key <> '')",
  skill_count: '"skillCount"',
  tool_count: '"toolCount"',
};

export async function listAgents(
  db: Db,
  query: AgentQuery,
): Promise<{ rows: AgentItemRow[]; total: number }> {
  const { search, isPlatformProvided, enabled, sortBy, order, limit, offset } = query;
  const pattern = likePattern(search);
  const conditions = [sql`true`];
  if (pattern !== null)
    conditions.push(
      sql`(a.name ilike ${pattern} or a.label ilike ${pattern} or a.description ilike ${pattern})`,
    );
  if (isPlatformProvided !== undefined) conditions.push(sql`(a.platform_key <> '') = ${isPlatformProvided}`);
  if (enabled !== undefined) conditions.push(sql`a.enabled = ${enabled}`);
  const fitting = sql.join(conditions, sql` and `);
  const sort = sql.raw(sorts[sortBy]);
  const direction = sql.raw(order);
  const { rows } = await sql<AgentItemRow>`select ${shown}, jsonb_array_length(a.mcp_tools) as "toolCount",
      (select count(*) from assistant_agent_skills l where l.agent_id = a.id) as "skillCount"
    from assistant_agents a where ${fitting}
    order by ${sort} ${direction}, lower(a.label) ${direction}, a.id ${direction} limit ${limit} offset ${offset}`.execute(
    db,
  );
  const counted = await sql<{ total: number }>`select count(*) as total from assistant_agents a
    where ${fitting}`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

export interface AgentSkillRow {
  id: string;
  name: string;
  description: string;
  content: string;
  mcpTools: McpToolRef[];
}

/** The skills of an agent, in the order in which they were added. */
export async function readAgentSkills(db: Db, id: string): Promise<AgentSkillRow[]> {
  const { rows } = await sql<AgentSkillRow>`select s.id, s.name, s.description, s.content,
      s.mcp_tools as "mcpTools"
    from assistant_agent_skills l join assistant_skills s on s.id = l.skill_id
    where l.agent_id = ${id} order by l.position`.execute(db);
  return rows;
}

export interface SubagentRow {
  id: string;
  name: string;
  label: string;
  description: string;
}

export async function readEnabledSubagents(db: Db, id: string): Promise<SubagentRow[]> {
  const { rows } = await sql<SubagentRow>`select a.id, a.name, a.label, a.description
    from assistant_agent_subagents s join assistant_agents a on a.id = s.subagent_id
    where s.agent_id = ${id} and a.enabled order by s.position`.execute(db);
  return rows;
}

/** Names of enabled agents in order. */
export async function readEnabledNames(db: Db): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`select id, name
    from assistant_agents where enabled order by name, id limit ${maxNames}`.execute(db);
  return rows;
}

const maxNames = 1_000;

/** The orchestrator and the default agent; a disabled default does not count. */
export async function readRoots(
  db: Db,
): Promise<{ id: string; isOrchestrator: boolean; isDefault: boolean }[]> {
  const { rows } = await sql<{ id: string; isOrchestrator: boolean; isDefault: boolean }>`select id,
      is_orchestrator as "isOrchestrator", is_default and enabled as "isDefault"
    from assistant_agents where is_orchestrator or is_default`.execute(db);
  return rows;
}

/** Rises with every change of agents, skills, models and external agents; triggers raise it. */
export async function readRecordVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`select version from assistant_record_version`.execute(db);
  return rows[0]?.version ?? 0;
}
