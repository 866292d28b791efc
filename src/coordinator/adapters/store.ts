/** Rows of tech adapters and of their deployments. */
import type { Db, Transaction } from "../../platform/db/database.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

export interface AdapterRow {
  id: string;
  version: string;
  name: string;
  description: string | null;
  labels: string[];
  environments: { environment: string; enabled: boolean }[];
}

const adapterColumns = sql.raw(`a.id, a.version, a.name, a.description, a.labels,
  coalesce((select json_agg(json_build_object('environment', d.environment, 'enabled', d.enabled)
    order by d.environment) from adapter_deployments d where d.adapter_id = a.id), '[]') as environments`);

export interface NewAdapter {
  id: string;
  version: string;
  name: string;
  description: string | null;
  labels: readonly string[];
}

/** False when the id is taken. */
export async function insertAdapter(db: Db, adapter: NewAdapter): Promise<boolean> {
  const { rows } = await sql`insert into tech_adapters (id, version, name, description, labels)
    values (${adapter.id}, ${adapter.version}, ${adapter.name}, ${adapter.description}, ${adapter.labels}::text[])
    on conflict (id) do nothing returning id`.execute(db);
  return rows.length > 0;
}

export async function upsertAdapter(db: Db, adapter: NewAdapter): Promise<void> {
  await sql`insert into tech_adapters (id, version, name, description, labels)
    values (${adapter.id}, ${adapter.version}, ${adapter.name}, ${adapter.description}, ${adapter.labels}::text[])
    on conflict (id) do update set version = excluded.version, name = excluded.name,
      description = excluded.description, updated_at = now()`.execute(db);
}

export async function readAdapter(db: Db, id: string): Promise<AdapterRow | null> {
  const { rows } =
    await sql<AdapterRow>`select ${adapterColumns} from tech_adapters a where a.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

export interface AdapterListQuery {
  search: string | undefined;
  labels: readonly string[];
  order: "asc" | "desc";
  limit: number;
  offset: number;
}

export async function listAdapters(
  db: Db,
  query: AdapterListQuery,
): Promise<{ rows: AdapterRow[]; total: number }> {
  const pattern = query.search === undefined ? null : `%${query.search.replaceAll(/[\\%_]/g, "\\$&")}%`;
  const condition = sql`(${pattern}::text is null or a.name ilike ${pattern}) and a.labels @> ${query.labels}::text[]`;
  const direction = sql.raw(query.order);
  const { rows } = await sql<AdapterRow>`select ${adapterColumns} from tech_adapters a where ${condition}
    order by a.name ${direction}, a.id ${direction} limit ${query.limit} offset ${query.offset}`.execute(db);
  const counted = await sql<{ total: number }>`select count(*) as total from tech_adapters a
    where ${condition}`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

export async function deleteAdapter(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`delete from tech_adapters where id = ${id} returning id`.execute(db);
  return rows.length > 0;
}

export interface DeploymentRow {
  environment: string;
  enabled: boolean;
  url: string;
  properties: Record<string, unknown> | null;
  createdAt: Date;
  updatedAt: Date;
}

const deploymentColumns = sql.raw(
  `environment, enabled, url, properties, created_at as "createdAt", updated_at as "updatedAt"`,
);

export interface NewDeployment {
  adapterId: string;
  environment: string;
  url: string;
  enabled: boolean;
  properties: object;
}

/** Null when there is no such adapter. */
export async function upsertDeployment(db: Db, deployment: NewDeployment): Promise<DeploymentRow | null> {
  const { adapterId, environment, url, enabled, properties } = deployment;
  const { rows } =
    await sql<DeploymentRow>`insert into adapter_deployments (adapter_id, environment, url, enabled,
      properties)
    select id, ${environment}, ${url}, ${enabled}, ${JSON.stringify(properties)}::json
    from tech_adapters where id = ${adapterId}
    on conflict (adapter_id, environment) do update set url = excluded.url, enabled = excluded.enabled,
      properties = excluded.properties, updated_at = now(), guardians_registered_at = null
    returning ${deploymentColumns}`.execute(db);
  if (rows.length > 0) await notifyOfChange(db, adapterId);
  return rows[0] ?? null;
}

/** Notified at the commit when a registration has changed; the payload is the adapter's id. */
export const registrationChannel = "plinth_adapters";

const notifyOfChange = (db: Db, adapterId: string): Promise<unknown> =>
  sql`select pg_notify(${registrationChannel}, ${adapterId})`.execute(db);

/** By adapter id, where the adapters are registered and enabled in the environment. */
export async function readAdapterUrls(
  db: Db,
  environment: string,
  adapterIds: string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{
    id: string;
    url: string;
  }>`select adapter_id as id, url from adapter_deployments
    where environment = ${environment} and adapter_id = any(${adapterIds}::text[]) and enabled`.execute(db);
  return new Map(rows.map(({ id, url }) => [id, url]));
}

export interface RegisteredUrl {
  url: string;
  /** Of the adapters that are registered there. */
  ids: string[];
}

/** Where adapters are registered and enabled, in whatever environment. */
export async function listEnabledUrls(db: Db, limit: number): Promise<RegisteredUrl[]> {
  const { rows } = await sql<RegisteredUrl>`select url, array_agg(distinct adapter_id) as ids
    from adapter_deployments where enabled group by url order by min(adapter_id), url limit ${limit}`.execute(
    db,
  );
  return rows;
}

export interface EnabledAdapter {
  adapterId: string;
  url: string;
  properties: Record<string, unknown> | null;
}

/** Adapters that are enabled in the environment, by infrastructure template id. */
export async function loadEnabledAdapters(db: Db, environment: string): Promise<Map<string, EnabledAdapter>> {
  const { rows } = await enabledAdapterRows(environment).execute(db);
  return new Map(rows.map((row) => [row.adapterId, row]));
}

export const enabledAdapterRows = (environment: string): Sql<EnabledAdapter> =>
  sql`select adapter_id as "adapterId", url, properties from adapter_deployments
    where environment = ${environment} and enabled`;

export async function readDeployment(db: Db, id: string, environment: string): Promise<DeploymentRow | null> {
  const { rows } = await sql<DeploymentRow>`select ${deploymentColumns} from adapter_deployments
    where adapter_id = ${id} and environment = ${environment}`.execute(db);
  return rows[0] ?? null;
}

export async function deleteDeployment(db: Db, id: string, environment: string): Promise<boolean> {
  const { rows } = await sql`delete from adapter_deployments
    where adapter_id = ${id} and environment = ${environment} returning 1`.execute(db);
  if (rows.length > 0) await notifyOfChange(db, id);
  return rows.length > 0;
}

/** Longest wait for starts that are being accepted. */
const startsWaitMs = 5_000;

/**
 * Until the transaction ends no start is accepted, and those that were being accepted have ended: a start locks its unit, which
 * writes to that table, before it reads the adapters.
 */
export async function holdStarts(tx: Transaction): Promise<void> {
  await sql`select set_config('lock_timeout', ${String(startsWaitMs)}, true)`.execute(tx);
  await sql`lock table units in share mode`.execute(tx);
}

export interface AdapterUser {
  /** Of the component, with its environment. */
  id: string;
  /** The plan that is about to deploy it; null where it is deployed already. */
  planId: string | null;
}

export interface AdapterUsers {
  /** A few of them. */
  users: AdapterUser[];
  total: number;
}

/** Components that are deployed with the adapter, or are about to be, in one environment or in any. */
export async function findUsers(db: Db, id: string, environment: string | null): Promise<AdapterUsers> {
  const { rows } = await sql<AdapterUser & { total: number }>`with users as (
      select component_id || '@' || environment as id, unit_key, environment, null as plan_id
        from unit_components where infrastructure_template_id = ${id} and status <> 'NOT_DEPLOYED'
      union all
      select coalesce(t.component_id, '') || '@' || p.environment, p.unit_key, p.environment, p.id
        from execution_plans p join plan_tasks t on t.plan_id = p.id
        where p.status in ('WAITING', 'RUNNING', 'TERMINATING') and t.adapter_id = ${id}
          and t.action = 'PROVISION' and t.status in ('WAITING', 'RUNNING', 'TERMINATING'))
    select id, case when bool_and(plan_id is not null) then min(plan_id) end as "planId",
      count(*) over () as total
    from users where ${environment}::text is null or environment = ${environment}
    group by id, unit_key order by 1 limit 5`.execute(db);
  return { users: rows.map((row) => ({ id: row.id, planId: row.planId })), total: rows[0]?.total ?? 0 };
}

export interface GuardedDeployment {
  adapterId: string;
  environment: string;
  properties: Record<string, unknown>;
  /** Text: a Date has only milliseconds. */
  updatedAt: string;
}

/** Deployments whose guardians governance may not know yet. */
export async function readUnregisteredGuardians(db: Db, limit: number): Promise<GuardedDeployment[]> {
  const { rows } = await sql<GuardedDeployment>`select adapter_id as "adapterId", environment, properties,
      updated_at::text as "updatedAt"
    from adapter_deployments
    where guardians_registered_at is null and properties -> 'dataContractGuardian' is not null
    order by adapter_id, environment limit ${limit}`.execute(db);
  return rows;
}

/** Unless the deployment was changed since it was read. */
export async function markGuardiansRegistered(
  db: Db,
  deployment: GuardedDeployment,
  at: Date,
): Promise<void> {
  await sql`update adapter_deployments set guardians_registered_at = ${at}
    where adapter_id = ${deployment.adapterId} and environment = ${deployment.environment}
      and updated_at::text = ${deployment.updatedAt}`.execute(db);
}
