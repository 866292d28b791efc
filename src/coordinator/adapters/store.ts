/** Rows of tech adapters and of their deployments. */
import type { Db } from "../../platform/db/database.ts";
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

export interface AdapterUsers {
  /** A few of them, each with its environment. */
  ids: string[];
  total: number;
}

/** Components that are deployed with the adapter, in one environment or in any. */
export async function findUsers(db: Db, id: string, environment: string | null): Promise<AdapterUsers> {
  const { rows } = await sql<{ id: string; total: number }>`select component_id || '@' || environment as id,
      count(*) over () as total
    from unit_components
    where infrastructure_template_id = ${id} and status <> 'NOT_DEPLOYED'
      and (${environment}::text is null or environment = ${environment})
    order by 1 limit 5`.execute(db);
  return { ids: rows.map((row) => row.id), total: rows[0]?.total ?? 0 };
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
