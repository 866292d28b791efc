/** Rows of skills. */
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { likePattern, type McpToolRef, type Page } from "../record-schema.ts";
import type { SkillSort } from "./skill-schema.ts";

export interface SkillRow {
  id: string;
  platformKey: string;
  name: string;
  description: string;
  content: string;
  mcpTools: McpToolRef[];
  agentCount: number;
  createdAt: Date;
  updatedAt: Date;
}

const agentCount = sql`(select count(*) from assistant_agent_skills l where l.skill_id = s.id)`;

const columns = sql`s.id, s.platform_key as "platformKey", s.name, s.description, s.content,
  s.mcp_tools as "mcpTools", ${agentCount} as "agentCount", s.created_at as "createdAt", s.updated_at as "updatedAt"`;

export async function readSkill(db: Db, id: string): Promise<SkillRow | null> {
  const { rows } = await sql<SkillRow>`select ${columns} from assistant_skills s where s.id = ${id}`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** The same, locked until the transaction ends. */
export async function lockSkill(db: Db, id: string): Promise<SkillRow | null> {
  const { rows } = await sql<SkillRow>`select ${columns} from assistant_skills s where s.id = ${id}
    for update of s`.execute(db);
  return rows[0] ?? null;
}

export interface SkillFields {
  name: string;
  description: string;
  content: string;
  mcpTools: readonly McpToolRef[];
}

export async function insertSkill(db: Db, skill: SkillFields & { id: string; at: Date }): Promise<void> {
  const { id, name, description, content, mcpTools, at } = skill;
  await sql`insert into assistant_skills (id, name, description, content, mcp_tools, created_at, updated_at)
    values (${id}, ${name}, ${description}, ${content}, ${JSON.stringify(mcpTools)}::jsonb, ${at}, ${at})`.execute(
    db,
  );
}

export async function updateSkill(db: Db, id: string, skill: SkillFields & { at: Date }): Promise<void> {
  const { name, description, content, mcpTools, at } = skill;
  await sql`update assistant_skills set name = ${name}, description = ${description}, content = ${content},
      mcp_tools = ${JSON.stringify(mcpTools)}::jsonb, updated_at = ${at} where id = ${id}`.execute(db);
}

export async function deleteSkill(db: Db, id: string): Promise<void> {
  await sql`delete from assistant_skills where id = ${id}`.execute(db);
}

export interface SkillQuery extends Page {
  search: string | undefined;
  isPlatformProvided: boolean | undefined;
  /** Lower case; null for all. */
  ids: readonly string[] | null;
  sortBy: SkillSort;
  order: "asc" | "desc";
}

export interface SkillItemRow extends Omit<SkillRow, "content" | "mcpTools"> {
  toolCount: number;
}

const sorts: Record<SkillSort, string> = {
  name: "lower(s.name)",
  description: "lower(s.description)",
  type: "(s.platform_key <> '')",
  agent_count: '"agentCount"',
  tool_count: '"toolCount"',
};

export async function listSkills(
  db: Db,
  query: SkillQuery,
): Promise<{ rows: SkillItemRow[]; total: number }> {
  const { search, isPlatformProvided, ids, sortBy, order, limit, offset } = query;
  const pattern = likePattern(search);
  const conditions = [sql`true`];
  if (pattern !== null) conditions.push(sql`(s.name ilike ${pattern} or s.description ilike ${pattern})`);
  if (isPlatformProvided !== undefined) conditions.push(sql`(s.platform_key <> '') = ${isPlatformProvided}`);
  if (ids !== null) conditions.push(sql`s.id = any(${[...ids]}::uuid[])`);
  const fitting = sql.join(conditions, sql` and `);
  const sort = sql.raw(sorts[sortBy]);
  const direction = sql.raw(order);
  const { rows } =
    await sql<SkillItemRow>`select s.id, s.platform_key as "platformKey", s.name, s.description,
      ${agentCount} as "agentCount", jsonb_array_length(s.mcp_tools) as "toolCount", s.created_at as "createdAt",
      s.updated_at as "updatedAt"
    from assistant_skills s where ${fitting}
    order by ${sort} ${direction}, lower(s.name) ${direction}, s.id ${direction} limit ${limit} offset ${offset}`.execute(
      db,
    );
  const counted = await sql<{ total: number }>`select count(*) as total from assistant_skills s
    where ${fitting}`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}
