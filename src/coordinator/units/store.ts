/** Rows of units, of the last known state of their components, and of new plans. */
import type pg from "pg";
import type { Db } from "../../platform/db/database.ts";
import { batchedRead } from "../../platform/db/shared-read.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import type { Info, LastOperation, SnapshotMember } from "../execution/types.ts";

export interface UnitKey {
  unitKey: string;
  environment: string;
}

/** Who owns a unit, as its last descriptor says; null while it has none. */
export interface OwnedBy {
  ownerGroup: unknown;
  devGroup: unknown;
  projectOwner: unknown;
  dataProductOwner: unknown;
  domain: unknown;
}

const ownedBy =
  sql.raw(`case when descriptor is not null then json_build_object('ownerGroup', descriptor -> 'ownerGroup',
    'devGroup', descriptor -> 'devGroup', 'projectOwner', descriptor -> 'projectOwner',
    'dataProductOwner', descriptor -> 'dataProductOwner', 'domain', descriptor -> 'domain') end as "ownedBy"`);

/** Who owned the unit when this was called. */
export async function readOwnedBy(db: Db, at: UnitKey): Promise<OwnedBy | null> {
  const { rows } = await sql<{ ownedBy: OwnedBy | null }>`select ${ownedBy} from units
    where unit_key = ${at.unitKey} and environment = ${at.environment}`.execute(db);
  return rows[0]?.ownedBy ?? null;
}

/** Who owns the unit in each environment where it is known. */
export async function readOwnedEverywhere(
  db: Db,
  unitKey: string,
): Promise<{ environment: string; ownedBy: OwnedBy | null }[]> {
  const { rows } = await sql<{
    environment: string;
    ownedBy: OwnedBy | null;
  }>`select environment, ${ownedBy} from units where unit_key = ${unitKey}`.execute(db);
  return rows;
}

/** Serialises starts on one unit and environment; the row appears with the first of them. Returns who owns it now. */
export async function lockUnit(db: Db, at: UnitKey, unitId: string): Promise<OwnedBy | null> {
  const lock = sql<{ ownedBy: OwnedBy | null }>`select ${ownedBy} from units
    where unit_key = ${at.unitKey} and environment = ${at.environment} for update`;
  const { rows } = await sql<{ isHeld: boolean; ownedBy: OwnedBy | null }>`with made as (
      insert into units (unit_key, environment, unit_id) values (${at.unitKey}, ${at.environment}, ${unitId})
      on conflict do nothing returning 1), locked as (${lock})
    select exists (select 1 from made) or exists (select 1 from locked) as "isHeld",
      (select "ownedBy" from locked) as "ownedBy"`.execute(db);
  const [found] = rows;
  if (found?.isHeld === true) return found.ownedBy;
  // A concurrent transaction inserted the row after this statement took its snapshot: lock it with a second
  // statement.
  const { rows: made } = await lock.execute(db);
  return made[0]?.ownedBy ?? null;
}

/** The descriptor of the last plan that changed components of the unit. */
export async function loadUnitDescriptor(db: Db, at: UnitKey): Promise<object | null> {
  const { rows } = await sql<{ descriptor: object | null }>`select descriptor from units
    where unit_key = ${at.unitKey} and environment = ${at.environment}`.execute(db);
  return rows[0]?.descriptor ?? null;
}

/** As `loadUnitDescriptor`, or that of the unit's last plan while none has changed anything; null where none was ever started. */
export async function loadStartedDescriptor(db: Db, at: UnitKey): Promise<object | null> {
  const { rows } = await sql<{ descriptor: object | null }>`select coalesce(u.descriptor,
      (select p.request -> 'descriptor' from execution_plans p where p.id = u.last_plan_id)) as descriptor
    from units u where u.unit_key = ${at.unitKey} and u.environment = ${at.environment}`.execute(db);
  return rows[0]?.descriptor ?? null;
}

/** The plan of the active operation on the unit, if any. */
export async function findActivePlan(db: Db, at: UnitKey): Promise<string | null> {
  const { rows } = await activePlan(at).execute(db);
  return rows[0]?.planId ?? null;
}

export const activePlan = (at: UnitKey): Sql<{ planId: string }> =>
  sql`select plan_id as "planId" from operations
    where unit_key = ${at.unitKey} and environment = ${at.environment}
      and status in ('SCHEDULED', 'RUNNING', 'TERMINATING') and not queued`;

export interface ComponentRow extends SnapshotMember {
  status: "DEPLOYED" | "NOT_DEPLOYED" | "CORRUPT";
  info: Info | null;
  lastOperation: LastOperation | null;
  planId: string;
  updatedAt: Date;
}

export async function loadComponents(db: Db, at: UnitKey): Promise<ComponentRow[]> {
  const { rows } = await sql<ComponentRow>`${componentRows(at)}
    order by updated_at, position, component_key`.execute(db);
  return rows;
}

/** Unordered. */
export const componentRows = (at: UnitKey): Sql<ComponentRow> =>
  sql`select component_key as key, component_id as id, name, parent_key as "parentKey", status,
      infrastructure_template_id as "infrastructureTemplateId", descriptor, hash, depends_on as "dependsOn",
      descriptor_version as "descriptorVersion", info, last_operation as "lastOperation", position, consumable,
      plan_id as "planId", updated_at as "updatedAt"
    from unit_components where unit_key = ${at.unitKey} and environment = ${at.environment}`;

export interface UnitView {
  unitId: string;
  descriptor: { id?: unknown; components?: object[]; infrastructureTemplateId?: unknown } | null;
  descriptorVersion: string | null;
  blockedByService: boolean;
  activePlanId: string | null;
  components: {
    key: string;
    id: string;
    parentKey: string | null;
    /** A subcomponent that is in the call of its owner. */
    isInCall: boolean;
    status: string;
    descriptorVersion: string | null;
    publicInfo: unknown;
    /** Only for a CORRUPT component. */
    failure: FailureView | null;
  }[];
  /** The notice to an external service that blocked the last operation. */
  serviceFailure: FailureView | null;
  /** Components that the active plan provisions or unprovisions, in its order. */
  planned: { key: string; id: string; isAtWork: boolean }[];
}

/** What made a component, or a unit, CORRUPT. */
export interface FailureView {
  executionPlanId: string;
  operationId: string;
  provisioningAction: "DEPLOY" | "UNDEPLOY";
  taskId: string;
  action: string;
  componentId: string | null;
  message: string;
  at: string | null;
}

/** What the status of each of these units is made of, in their order, in one query that each connection prepares once. */
export async function readUnits(pool: pg.Pool, units: readonly UnitKey[]): Promise<(UnitView | null)[]> {
  const { rows } = await pool.query<UnitView & { place: number }>({
    name: "unit-status",
    text: `${unitViews}, asked.place::int as place ${unitsWithPlan}
      join unnest($1::text[], $2::text[]) with ordinality as asked (unit_key, environment, place)
        on asked.unit_key = u.unit_key and asked.environment = u.environment`,
    values: [units.map(({ unitKey }) => unitKey), units.map(({ environment }) => environment)],
  });
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  return units.map((_unit, index) => byPlace.get(index + 1) ?? null);
}

/** Maximum number of units in one query. The query also reads their descriptors, each of which may have several megabytes. */
const mostUnitsAtOnce = 8;

/** For the requests of a process: those that come while a query runs are answered by the next one. */
export const unitReader = (pool: pg.Pool): ((at: UnitKey) => Promise<UnitView | null>) =>
  batchedRead((units: readonly UnitKey[]) => readUnits(pool, units), { most: mostUnitsAtOnce });

export async function readUnit(pool: pg.Pool, at: UnitKey): Promise<UnitView | null> {
  const [unit = null] = await readUnits(pool, [at]);
  return unit;
}

const failureColumns = `json_build_object('executionPlanId', t.plan_id, 'operationId', f.id,
  'provisioningAction', f.action, 'taskId', t.task_id, 'action', t.action, 'componentId', t.component_id,
  'message', coalesce(left(t.result, 4000), ''),
  'at', to_char(t.stopped_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

/** For the component row `c`: the failed task of its last plan, on the component or its owner. */
const failureOfComponent = `(select ${failureColumns}
  from plan_tasks t join operations f on f.plan_id = t.plan_id
  where t.plan_id = c.plan_id and t.component_key in (c.component_key, c.parent_key)
    and t.action in ('PROVISION', 'UNPROVISION') and t.status in ('FAILED', 'TERMINATED')
  order by t.component_key = c.component_key desc, t.position desc limit 1)`;

const failureOfService = `(select ${failureColumns}
  from plan_tasks t join operations f on f.plan_id = t.plan_id
  where t.plan_id = u.last_plan_id and t.action in ('PUBLISH', 'UNPUBLISH') and t.status = 'FAILED'
    and coalesce(t.details ->> 'isBlocking', 'true') = 'true'
  order by t.position limit 1)`;

/** The units of all environments, in any order. */
export async function readUnitEverywhere(
  pool: pg.Pool,
  unitKey: string,
): Promise<(UnitView & { environment: string })[]> {
  const { rows } = await pool.query<UnitView & { environment: string }>({
    name: "unit-everywhere",
    text: `${unitViews} ${unitsWithPlan} where u.unit_key = $1`,
    values: [unitKey],
  });
  return rows;
}

const unitViews = `select u.environment, u.unit_id as "unitId", u.descriptor,
      u.descriptor_version as "descriptorVersion", u.blocked_by_service as "blockedByService",
      o.plan_id as "activePlanId",
      coalesce((select json_agg(json_build_object('key', c.component_key, 'id', c.component_id,
          'parentKey', c.parent_key, 'isInCall', c.parent_key is not null and c.infrastructure_template_id is null,
          'status', c.status, 'descriptorVersion', c.descriptor_version,
          'publicInfo', case when c.status <> 'NOT_DEPLOYED' then c.info -> 'publicInfo' end,
          'failure', case when c.status = 'CORRUPT' then ${failureOfComponent} end) order by c.position, c.component_key)
        from unit_components c where c.unit_key = u.unit_key and c.environment = u.environment), '[]') as components,
      coalesce((select json_agg(json_build_object('key', t.component_key, 'id', t.component_id,
          'isAtWork', t.status in ('RUNNING', 'TERMINATING')) order by t.position)
        from plan_tasks t where t.plan_id = o.plan_id and t.action in ('PROVISION', 'UNPROVISION')),
        '[]') as planned,
      case when u.blocked_by_service then ${failureOfService} end as "serviceFailure"`;

const unitsWithPlan = `from units u left join operations o on o.unit_key = u.unit_key and o.environment = u.environment
      and o.status in ('SCHEDULED', 'RUNNING', 'TERMINATING') and not o.queued`;

export interface ComponentView {
  /** False where no operation was ever started on the unit. */
  isUnitKnown: boolean;
  status: string;
  descriptorVersion: string | null;
  descriptor: object;
  atWork: boolean;
  failure: FailureView | null;
}

/** The stored status, and whether an operation currently works on the component. */
export async function readComponent(db: Db, at: UnitKey, componentKey: string): Promise<ComponentView> {
  const { rows } = await componentStatus(at, componentKey).execute(db);
  const nothing = { status: "NOT_DEPLOYED", descriptorVersion: null, descriptor: {}, atWork: false };
  return rows[0] ?? { ...nothing, isUnitKnown: false, failure: null };
}

const componentStatus = (at: UnitKey, key: string): Sql<ComponentView> =>
  sql<ComponentView>`select true as "isUnitKnown", coalesce(c.status, 'NOT_DEPLOYED') as status,
      c.descriptor_version as "descriptorVersion", coalesce(c.descriptor, '{}'::json) as descriptor,
      case when c.status = 'CORRUPT' then ${sql.raw(failureOfComponent)} end as failure,
      exists (select 1 from plan_tasks t join operations o on o.plan_id = t.plan_id
        where o.unit_key = u.unit_key and o.environment = u.environment
          and o.status in ('SCHEDULED', 'RUNNING', 'TERMINATING') and not o.queued
          and t.component_key in (${key}, case when c.infrastructure_template_id is null then c.parent_key end)
          and t.status in ('RUNNING', 'TERMINATING') and t.action in ('PROVISION', 'UNPROVISION')) as "atWork"
    from units u left join unit_components c on c.unit_key = u.unit_key and c.environment = u.environment
      and c.component_key = ${key}
    where u.unit_key = ${at.unitKey} and u.environment = ${at.environment}`;
