/** Rows of agents that run elsewhere. */
import type { Db } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { SealedColumn } from "../../../platform/runtime/keys/sealed-place.ts";
import { likePattern, type Page } from "../../record-schema.ts";
export interface ExternalAgentFields {
  name: string;
  description: string;
  /** Masked; `sealed` has the true values. */
  endpoint: string;
  payload: Record<string, unknown>;
  /** Null in a row of an older release, in which nothing is masked. */
  sealed: Buffer | null;
  needAuthentication: boolean;
  active: boolean;
}

export interface ExternalAgentRow extends ExternalAgentFields {
  id: string;
}

const columns = sql`e.id, e.name, e.description, e.endpoint, e.payload, e.sealed,
  e.need_authentication as "needAuthentication", e.active`;

export async function readExternalAgent(db: Db, id: string): Promise<ExternalAgentRow | null> {
  const { rows } =
    await sql<ExternalAgentRow>`select ${columns} from external_agents e where e.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** The same, locked until the transaction ends. */
export async function lockExternalAgent(db: Db, id: string): Promise<ExternalAgentRow | null> {
  const { rows } = await sql<ExternalAgentRow>`select ${columns} from external_agents e where e.id = ${id}
    for update`.execute(db);
  return rows[0] ?? null;
}

export async function insertExternalAgent(db: Db, agent: ExternalAgentRow & { at: Date }): Promise<void> {
  const { id, name, description, endpoint, payload, sealed, needAuthentication, active, at } = agent;
  await sql`insert into external_agents (id, name, description, endpoint, payload, sealed, need_authentication,
      active, created_at, updated_at)
    values (${id}, ${name}, ${description}, ${endpoint}, ${JSON.stringify(payload)}::json, ${sealed},
      ${needAuthentication}, ${active}, ${at}, ${at})`.execute(db);
}

export async function updateExternalAgent(db: Db, agent: ExternalAgentRow & { at: Date }): Promise<void> {
  const { id, name, description, endpoint, payload, sealed, needAuthentication, active, at } = agent;
  await sql`update external_agents set name = ${name}, description = ${description}, endpoint = ${endpoint},
      payload = ${JSON.stringify(payload)}::json, sealed = ${sealed}, need_authentication = ${needAuthentication},
      active = ${active}, updated_at = ${at} where id = ${id}`.execute(db);
}

/** Locks rows that an older program stored unsealed; skips those that another process has locked to seal them. */
export async function lockUnsealedAgents(db: Db, limit: number): Promise<ExternalAgentRow[]> {
  const { rows } = await sql<ExternalAgentRow>`select ${columns} from external_agents e where e.sealed is null
    order by e.id limit ${limit} for update skip locked`.execute(db);
  return rows;
}

/** Replaces the unsealed values of a row by sealed and masked ones, in the audit as well. */
export async function sealRow(
  db: Db,
  { id, endpoint, payload, sealed }: Pick<ExternalAgentRow, "id" | "endpoint" | "payload" | "sealed">,
): Promise<void> {
  await sql`with changed as (update external_agents set endpoint = ${endpoint},
        payload = ${JSON.stringify(payload)}::json, sealed = ${sealed} where id = ${id})
    update audit set detail = jsonb_set(detail, '{endpoint}',
        to_jsonb(regexp_replace(detail->>'endpoint', '[?#].*', '?********')))
      where subject = ${`external-agent:${id}`} and detail->>'endpoint' ~ '[?#]'`.execute(db);
}

/** Addresses and payloads. */
export const sealedAgents: SealedColumn = {
  name: "external_agents.sealed",
  atOnce: 100,
  async read(db, { head, after, limit }) {
    const { rows } = await sql<{ id: string; sealed: Buffer }>`select id, sealed from external_agents
      where sealed is not null and substring(sealed from 1 for ${head.length}) <> ${head}
        and (${after}::uuid is null or id > ${after}) order by id limit ${limit}`.execute(db);
    return rows;
  },
  async count(db, head) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from external_agents
      where sealed is not null and substring(sealed from 1 for ${head.length}) <> ${head}`.execute(db);
    return rows[0]?.count ?? 0;
  },
  async replace(db, { id, before, sealed }) {
    const { rowCount } = await sql`update external_agents set sealed = ${sealed}
      where id = ${id} and substring(sealed from 1 for ${before.length}) = ${before}`.execute(db);
    return rowCount === 1;
  },
};

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

/** Active agents by name. */
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
