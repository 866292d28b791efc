/** Reads all records of users, and what they refer to. */
import type { Db } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { OwnAgent, OwnExternalAgent, OwnRecords, OwnSkill } from "./own-records.ts";

/** The number and size of the records, before they are read. */
export async function measureOwn(db: Db): Promise<{ records: number; bytes: number }> {
  const { rows } = await sql<{ records: number; bytes: number }>`
    select max(n)::integer as records, coalesce(sum(size), 0)::float8 as bytes from (
      select count(*) as n, sum(octet_length(content) + octet_length(description)) as size
        from assistant_skills where platform_key = ''
      union all
      select count(*), sum(octet_length(instructions) + octet_length(description))
        from assistant_agents where platform_key = ''
      union all
      select count(*), sum(octet_length(payload::text) + coalesce(octet_length(sealed), 0)) from external_agents) each_kind`.execute(
    db,
  );
  return rows[0] ?? { records: 0, bytes: 0 };
}

/** Locks skills and external agents until the transaction ends. Agents have a lock of their own. */
export async function lockOwn(db: Db): Promise<void> {
  await sql`select id from assistant_skills where platform_key = '' order by id for update`.execute(db);
  await sql`select id from external_agents order by id for update`.execute(db);
}

export interface StoredRecords extends OwnRecords {
  externalAgents: (OwnExternalAgent & { sealed: Buffer | null })[];
}

export async function readOwn(db: Db): Promise<StoredRecords> {
  const skills = await sql<OwnSkill>`select id, name, description, content, mcp_tools as "mcpTools"
    from assistant_skills where platform_key = '' order by lower(name), id`.execute(db);
  const agents = await sql<OwnAgent>`select id, name, label, description, instructions, enabled,
      is_default as "isDefault", display_order as "displayOrder", mcp_tools as "mcpTools"
    from assistant_agents where platform_key = '' order by lower(name), id`.execute(db);
  const external = await sql<StoredRecords["externalAgents"][number]>`select id, name, description, endpoint,
      payload, sealed, need_authentication as "needAuthentication", active
    from external_agents order by lower(name), id`.execute(db);
  const shipped = await sql<{ kind: string; key: string; id: string; isRoot: boolean }>`
    select 'skill' as kind, platform_key as key, id, false as "isRoot"
      from assistant_skills where platform_key <> ''
    union all
    select 'agent', platform_key, id, is_orchestrator from assistant_agents where platform_key <> ''`.execute(
    db,
  );
  const links = await sql<{ agentId: string; skillIds: string[] }>`select agent_id as "agentId",
      array_agg(skill_id order by position) as "skillIds"
    from assistant_agent_skills group by agent_id`.execute(db);
  const shippedOf = (kind: string): Map<string, string> =>
    new Map(shipped.rows.filter((row) => row.kind === kind).map(({ key, id }) => [key, id]));
  return {
    skills: skills.rows,
    agents: agents.rows,
    externalAgents: external.rows,
    shippedSkills: shippedOf("skill"),
    shippedAgents: shippedOf("agent"),
    orchestrator: shipped.rows.find(({ isRoot }) => isRoot)?.id ?? null,
    skillsOf: new Map(links.rows.map(({ agentId, skillIds }) => [agentId, skillIds])),
  };
}

export async function clearSkills(db: Db, agentId: string): Promise<void> {
  await sql`delete from assistant_agent_skills where agent_id = ${agentId}`.execute(db);
}
