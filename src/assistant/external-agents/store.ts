/** Rows of agents that run elsewhere. */
import { sql } from "kysely";
import type { Db } from "../../platform/db/database.ts";
import { likePattern } from "../like-pattern.ts";
import type { Page } from "../record-schema.ts";

export interface ExternalAgentFields {
  name: string;
  description: string;
  endpoint: string;
  payload: Record<string, unknown>;
  needAuthentication: boolean;
  active: boolean;
}

export interface ExternalAgentRow extends ExternalAgentFields {
  id: string;
}

const columns = sql`e.id, e.name, e.description, e.endpoint, e.payload,
  e.need_authentication as "needAuthentication", e.active`;

export async function readExternalAgent(db: Db, id: string): Promise<ExternalAgentRow | null> {
  const { rows } =
    await sql<ExternalAgentRow>`select ${columns} from external_agents e where e.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** The same, and nobody changes or deletes it before the transaction ends. */
export async function lockExternalAgent(db: Db, id: string): Promise<ExternalAgentRow | null> {
  const { rows } = await sql<ExternalAgentRow>`select ${columns} from external_agents e where e.id = ${id}
    for update`.execute(db);
  return rows[0] ?? null;
}

export async function insertExternalAgent(db: Db, agent: ExternalAgentRow & { at: Date }): Promise<void> {
  const { id, name, description, endpoint, payload, needAuthentication, active, at } = agent;
  await sql`insert into external_agents (id, name, description, endpoint, payload, need_authentication, active,
      created_at, updated_at)
    values (${id}, ${name}, ${description}, ${endpoint}, ${JSON.stringify(payload)}::json, ${needAuthentication},
      ${active}, ${at}, ${at})`.execute(db);
}

export async function updateExternalAgent(db: Db, agent: ExternalAgentRow & { at: Date }): Promise<void> {
  const { id, name, description, endpoint, payload, needAuthentication, active, at } = agent;
  await sql`update external_agents set name = ${name}, description = ${description}, endpoint = ${endpoint},
      payload = ${JSON.stringify(payload)}::json, need_authentication = ${needAuthentication}, active = ${active},
      updated_at = ${at} where id = ${id}`.execute(db);
}

export async function deleteExternalAgent(db: Db, id: string): Promise<string | null> {
  const { rows } = await sql<{
    name: string;
  }>`delete from external_agents where id = ${id} returning name`.execute(db);
  return rows[0]?.name ?? null;
}

export interface ExternalAgentQuery extends Page {
  search: string | undefined;
  active: boolean | undefined;
}

/** Those that may be asked, in the order of their names. */
export async function readActiveAgents(db: Db, limit: number): Promise<ExternalAgentRow[]> {
  const { rows } = await sql<ExternalAgentRow>`select ${columns} from external_agents e where e.active
    order by lower(e.name), e.id limit ${limit}`.execute(db);
  return rows;
}

export async function listExternalAgents(
  db: Db,
  query: ExternalAgentQuery,
): Promise<{ rows: ExternalAgentRow[]; total: number }> {
  const { search, active, limit, offset } = query;
  const pattern = likePattern(search);
  const conditions = [sql`true`];
  if (pattern !== null) conditions.push(sql`(e.name ilike ${pattern} or e.description ilike ${pattern})`);
  if (active !== undefined) conditions.push(sql`e.active = ${active}`);
  const fitting = sql.join(conditions, sql` and `);
  const { rows } = await sql<ExternalAgentRow>`select ${columns} from external_agents e where ${fitting}
    order by lower(e.name), e.id limit ${limit} offset ${offset}`.execute(db);
  const counted = await sql<{ total: number }>`select count(*) as total from external_agents e
    where ${fitting}`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}
