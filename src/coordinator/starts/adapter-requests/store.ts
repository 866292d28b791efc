/** Rows of access requests, and the queries of a component that a change of access needs. */
import type { Validation } from "./validation-view.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";
import type { Db } from "../../../platform/db/database.ts";
import { sql, type Sql } from "../../../platform/db/sql.ts";
import type { UnitKey } from "../../units/store.ts";
import type { Info, PlanRequest } from "../../execution/types.ts";

export interface KnownRequest {
  bodyHash: string;
  planId: string;
}

/** The request with that id, if it was accepted before. Locks the id until the transaction ends. */
export async function claimRequestId(db: Db, requestId: string): Promise<KnownRequest | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`access request ${requestId}`}, 0))`.execute(db);
  const { rows } = await sql<KnownRequest>`select body_hash as "bodyHash", plan_id as "planId"
    from acl_requests where request_id = ${requestId}`.execute(db);
  return rows[0] ?? null;
}

/** Locks the unit against starts until the transaction ends. Returns its id, or null for an unknown unit. */
export async function lockKnownUnit(db: Db, at: UnitKey): Promise<string | null> {
  const { rows } = await sql<{ unitId: string }>`select unit_id as "unitId" from units
    where unit_key = ${at.unitKey} and environment = ${at.environment} for update`.execute(db);
  return rows[0]?.unitId ?? null;
}

export interface Port {
  key: string;
  id: string;
  name: string | null;
  status: string;
  isConsumable: boolean;
  descriptorVersion: string | null;
  /**
   * Template of the adapter that deployed it; a subcomponent without one of its own has that of its owner.
   */
  templateId: string | null;
  /** What that adapter returned. */
  info: Info | null;
  /** The result text that came with `info`. */
  result: string | null;
  /** By component key, the infos of the components and subcomponents that it depends on or is part of. */
  dependencies: Record<string, Info>;
  /** What the plan that deployed it was made from. */
  request: PlanRequest | null;
}

export async function readPort(db: Db, at: UnitKey, componentKey: string): Promise<Port | null> {
  const { rows } = await sql<Port>`select c.component_key as key, c.component_id as id, c.name, c.status,
      c.consumable as "isConsumable", c.descriptor_version as "descriptorVersion",
      coalesce(c.infrastructure_template_id, parent.infrastructure_template_id) as "templateId",
      case when c.infrastructure_template_id is null then parent.info else c.info end as info,
      (select t.result from plan_tasks t where t.plan_id = c.plan_id and t.action = 'PROVISION'
        and t.component_key in (c.component_key, c.parent_key)
        order by t.component_key = c.component_key desc limit 1) as result,
      coalesce((select json_object_agg(d.component_key, d.info) from unit_components d
        where d.unit_key = c.unit_key and d.environment = c.environment and d.info is not null
          and (d.component_key = c.parent_key
            or d.component_key in (select lower(id) from json_array_elements_text(case json_typeof(c.descriptor -> 'dependsOn')
              when 'array' then c.descriptor -> 'dependsOn' else '[]' end) as needed(id)))), '{}') as dependencies,
      json_build_object('descriptor', p.request -> 'descriptor', 'guardians', p.request -> 'guardians') as request
    from unit_components c
    left join unit_components parent on parent.unit_key = c.unit_key and parent.environment = c.environment
      and parent.component_key = c.parent_key
    left join execution_plans p on p.id = c.plan_id
    where c.unit_key = ${at.unitKey} and c.environment = ${at.environment} and c.component_key = ${componentKey}
      and c.component_key <> c.unit_key`.execute(db);
  return rows[0] ?? null;
}

export interface NewAccessRequest extends UnitKey {
  requestId: string;
  bodyHash: string;
  planId: string;
  componentKey: string;
  componentId: string;
  identities: string[];
  originator: string;
  httpRequestId: string;
  now: Date;
}

export async function insertRequest(db: Db, request: NewAccessRequest): Promise<void> {
  await sql`insert into acl_requests (request_id, body_hash, plan_id, unit_key, environment, component_key,
      component_id, identities, originator, http_request_id, created_at)
    values (${request.requestId}, ${request.bodyHash}, ${request.planId}, ${request.unitKey},
      ${request.environment}, ${request.componentKey}, ${request.componentId}, ${request.identities}::text[],
      ${request.originator}, ${request.httpRequestId}, ${request.now})`.execute(db);
}

/** The last accepted descriptor of the unit; null for an unknown unit. */
export async function readUnitDescriptor(db: Db, at: UnitKey): Promise<object | null> {
  const { rows } = await sql<{ descriptor: object | null }>`select descriptor from units
    where unit_key = ${at.unitKey} and environment = ${at.environment}`.execute(db);
  return rows[0] ? (rows[0].descriptor ?? {}) : null;
}

/** Returns those of the components to which an identity has access, or is being given it by a running request. */
export async function findGranted(db: Db, at: UnitKey, componentKeys: string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`select distinct component_key as key from (
      select component_key from acls where unit_key = ${at.unitKey} and environment = ${at.environment}
      union all
      select r.component_key from acl_requests r join execution_plans p on p.id = r.plan_id
      where r.unit_key = ${at.unitKey} and r.environment = ${at.environment}
        and p.status in ('WAITING', 'RUNNING', 'TERMINATING')) granted
    where component_key = any(${componentKeys}::text[]) order by 1`.execute(db);
  return rows.map(({ key }) => key);
}

/** Who has access to the component, as the adapters have confirmed it. */
export async function readAccess(db: Db, at: UnitKey, componentKey: string): Promise<string[]> {
  const { rows } = await sql<{ identity: string }>`select identity from acls where unit_key = ${at.unitKey}
    and environment = ${at.environment} and component_key = ${componentKey} order by identity`.execute(db);
  return rows.map(({ identity }) => identity);
}

/** The running plan that changes access to the component, if any. */
export async function findAccessChange(db: Db, at: UnitKey, componentKey: string): Promise<string | null> {
  const { rows } = await sql<{ planId: string }>`select r.plan_id as "planId"
    from acl_requests r join execution_plans p on p.id = r.plan_id
    where r.unit_key = ${at.unitKey} and r.environment = ${at.environment} and r.component_key = ${componentKey}
      and p.status in ('WAITING', 'RUNNING', 'TERMINATING')
    order by p.lane_seq desc limit 1`.execute(db);
  return rows[0]?.planId ?? null;
}

export interface PlanEnd {
  isCompleted: boolean;
  /** Why it is not. */
  message: string | null;
}

export async function readPlanEnd(db: Db, planId: string): Promise<PlanEnd | null> {
  const { rows } = await sql<PlanEnd & { isOver: boolean }>`select p.status = 'COMPLETED' as "isCompleted",
      p.status in ('COMPLETED', 'FAILED', 'TERMINATED') as "isOver",
      case when p.status <> 'COMPLETED' then coalesce((select string_agg(t.result, ' ' order by t.position)
        from plan_tasks t where t.plan_id = p.id and t.status in ('FAILED', 'TERMINATED') and t.result is not null),
        p.failure, 'The plan is ' || p.status || '.') end as message
    from execution_plans p where p.id = ${planId}`.execute(db);
  const row = rows[0];
  if (!row) return { isCompleted: false, message: "The plan is not known any more." };
  return row.isOver ? { isCompleted: row.isCompleted, message: row.message } : null;
}

/** The updates that the adapter returned; none when the result is not an object. */
export async function readUpdates(db: Db, planId: string): Promise<Record<string, unknown>> {
  const { rows } = await sql<{ result: string | null }>`select result from plan_tasks
    where plan_id = ${planId} and action = 'REVERSE_PROVISION' order by position limit 1`.execute(db);
  try {
    const updates: unknown = JSON.parse(rows[0]?.result ?? "{}");
    return isRecord(updates) ? { ...updates } : {};
  } catch {
    return {};
  }
}

/** Null when no validation has that token. */
export async function readValidation(db: Db, planId: string): Promise<Validation | null> {
  const { rows } = await sql<Validation>`select status, unit_key as "unitKey", request,
      coalesce((select json_agg(json_build_object('action', t.action, 'componentKey', t.component_key, 'status', t.status,
          'result', t.result, 'found', t.info, 'waiting', t.waiting) order by t.position)
        from plan_tasks t where t.plan_id = p.id), '[]') as tasks
    from execution_plans p where id = ${planId} and kind = 'VALIDATION'`.execute(db);
  return rows[0] ?? null;
}

export interface AccessRow {
  environment: string;
  componentKey: string;
  componentId: string;
  name: string | null;
  identity: string;
  grantedAt: Date;
  requestId: string;
  /** Null, with the next two, where the request is no longer stored. */
  planId: string | null;
  originator: string | null;
  requestedAt: Date | null;
}

export interface AccessQuery {
  unitKey: string;
  environment: string | undefined;
  /** In lower case. */
  identity: string | undefined;
  /** Null for all; otherwise what the caller may see. */
  visible: { environments: readonly string[]; identities: readonly string[] } | null;
  after: { environment: string; componentKey: string; identity: string } | null;
  limit: number;
}

/** In the order of the primary key. */
export async function listAccess(db: Db, query: AccessQuery): Promise<AccessRow[]> {
  const { rows } = await accessPage(query).execute(db);
  return rows;
}

export function accessPage({
  unitKey,
  environment,
  identity,
  visible,
  after,
  limit,
}: AccessQuery): Sql<AccessRow> {
  const conditions = [
    sql`a.unit_key = ${unitKey}`,
    environment === undefined ? null : sql`a.environment = ${environment}`,
    identity === undefined ? null : sql`lower(a.identity) = ${identity}`,
    visible &&
      sql`(a.environment = any(${[...visible.environments]}::text[])
        or lower(a.identity) = any(${[...visible.identities]}::text[]))`,
    after &&
      sql`(a.environment, a.component_key, a.identity) > (${after.environment}, ${after.componentKey}, ${after.identity})`,
  ].filter((condition) => condition !== null);
  return sql<AccessRow>`select a.environment, a.component_key as "componentKey", a.component_id as "componentId", c.name, a.identity,
      a.granted_at as "grantedAt", a.request_id as "requestId", r.plan_id as "planId", r.originator,
      r.created_at as "requestedAt"
    from acls a left join acl_requests r on r.request_id = a.request_id
    left join unit_components c on c.unit_key = a.unit_key and c.environment = a.environment
      and c.component_key = a.component_key
    where ${sql.join(conditions, sql` and `)}
    order by a.environment, a.component_key, a.identity limit ${limit}`;
}
