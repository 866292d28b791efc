/** Reads the assistant's own records for the index. */
import { sql } from "kysely";
import type { Db } from "../../../platform/db/database.ts";
import type { SkillSource, ToolSourceRow } from "./records.ts";

interface Version {
  key: string;
  version: string;
}

const byKey = (rows: readonly Version[]): Map<string, string> =>
  new Map(rows.map(({ key, version }) => [key, version]));

/** Further records of one kind are not indexed. */
const maxRecords = 100_000;

export async function readSkillVersions(db: Db): Promise<Map<string, string>> {
  const { rows } = await sql<Version>`select id as key, updated_at::text as version from assistant_skills
    order by id limit ${maxRecords}`.execute(db);
  return byKey(rows);
}

export async function readSkillSources(db: Db, ids: readonly string[]): Promise<SkillSource[]> {
  const { rows } = await sql<SkillSource>`select id, name, description, content,
      array(select (t ->> 'server') || ':' || (t ->> 'name') from jsonb_array_elements(mcp_tools) t) as tools
    from assistant_skills where id = any(${[...ids]}::uuid[])`.execute(db);
  return rows;
}

/** Only approved tools are indexed: of changed ones the approved description is not stored. */
const offered = sql`state = 'approved'`;

export async function readToolVersions(db: Db): Promise<Map<string, string>> {
  const { rows } = await sql<Version>`select id as key, fingerprint as version from mcp_tools where ${offered}
    order by id limit ${maxRecords}`.execute(db);
  return byKey(rows);
}

export async function readToolSources(db: Db, ids: readonly string[]): Promise<ToolSourceRow[]> {
  const { rows } = await sql<ToolSourceRow>`select id, name, description, input_schema as "inputSchema"
    from mcp_tools where id = any(${[...ids]}::text[]) and ${offered}`.execute(db);
  return rows;
}
