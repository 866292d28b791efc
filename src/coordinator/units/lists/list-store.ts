/**
 * Lists units with their status, which the statement computes by the same rule as `unitStatus` in status.ts.
 */
import type { Db } from "../../../platform/db/database.ts";
import { sql, type Sql } from "../../../platform/db/sql.ts";
import type { UnitStatus } from "../status.ts";

export interface UnitFilters {
  /** Empty: in any. */
  environments: readonly string[];
  /** Empty: any. */
  statuses: readonly string[];
  /** Part of the id or of the name, in any case. */
  search: string | undefined;
  owner: string | undefined;
  domain: string | undefined;
  /** In lower case, as it is stored. */
  kind: string | undefined;
}

export interface UnitListQuery extends UnitFilters {
  limit: number;
  /** The last row of the page before. */
  after: { unitKey: string; environment: string } | null;
  hasRoots: boolean;
}

export interface UnitListRow {
  unitKey: string;
  unitId: string;
  environment: string;
  name: string | null;
  kind: string | null;
  owner: string | null;
  domain: string | null;
  status: UnitStatus;
  descriptorVersion: string | null;
  lastPlanId: string | null;
  lastPlanStatus: string | null;
  updatedAt: Date;
}

export async function listUnits(db: Db, query: UnitListQuery): Promise<UnitListRow[]> {
  const { rows } = await unitPage(query).execute(db);
  return rows;
}

export function unitPage(query: UnitListQuery): Sql<UnitListRow> {
  const { statuses, limit, after, hasRoots } = query;
  const { environment, search, owner, domain, kind } = unitConditions(query);
  const conditions = [
    environment,
    after ? sql`(u.unit_key, u.environment) > (${after.unitKey}, ${after.environment})` : null,
    search,
    owner,
    domain,
    kind,
    statuses.length > 0 ? sql`st.status = any(${statuses}::text[])` : null,
  ].filter((condition) => condition !== null);
  return sql<UnitListRow>`select u.unit_key as "unitKey", u.unit_id as "unitId", u.environment, ${nameOf} as name, u.kind,
      u.owner, u.domain, st.status, u.descriptor_version as "descriptorVersion",
      u.last_plan_id as "lastPlanId", u.last_plan_status as "lastPlanStatus", u.updated_at as "updatedAt"
    from units u cross join lateral ${statusOf(hasRoots)} st
    where ${conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`}
    order by u.unit_key, u.environment limit ${limit}`;
}

/** On the row `u`; null where nothing is asked for. The status is computed, so it is a condition on `st`. */
export function unitConditions({ environments, search, owner, domain, kind }: UnitFilters) {
  const pattern = search === undefined ? "" : `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return {
    environment: environments.length > 0 ? sql`u.environment = any(${environments}::text[])` : null,
    search: pattern === "" ? null : sql`(u.unit_id ilike ${pattern} or u.name ilike ${pattern})`,
    owner: owner === undefined ? null : sql`u.owner = ${owner}`,
    domain: domain === undefined ? null : sql`u.domain = ${domain}`,
    kind: kind === undefined ? null : sql`u.kind = ${kind}`,
  };
}

/** Until its first operation ends, a unit has no stored name; the plan's descriptor has it. */
const nameOf = sql`coalesce(u.name, (select p.request -> 'descriptor' ->> 'name' from execution_plans p
  where p.id = u.last_plan_id))`;

/** Subcomponents without a template of their own have the status of their component. */
const isCalled = sql.raw("(c.parent_key is null or c.infrastructure_template_id is not null)");

/** The rule of `unitStatus` in status.ts, of the unit in the row `u`. */
export const statusOf = (hasRoots: boolean): Sql => sql`(
  select case
      when exists (select 1 from operations o where o.unit_key = u.unit_key and o.environment = u.environment
        and o.status in ('SCHEDULED', 'RUNNING', 'TERMINATING') and not o.queued) then 'PROVISIONING_IN_PROGRESS'
      when u.blocked_by_service or n.corrupt > 0 then 'CORRUPT'
      when n.deployed = 0 then 'NOT_DEPLOYED'
      when n.wanted > 0 and n.wanted_deployed = n.wanted then 'DEPLOYED'
      else 'PARTIALLY_DEPLOYED' end as status
  from (select count(*) filter (where c.status = 'CORRUPT' and ${isCalled}) as corrupt,
      count(*) filter (where c.status = 'DEPLOYED' and ${isCalled}) as deployed,
      count(*) filter (where c.status = 'DEPLOYED' and ${isCalled}
        and case when c.component_key = u.unit_key then u.is_root_wanted
          else lower(c.component_id) = any(u.wanted_components) end) as wanted_deployed,
      cardinality(u.wanted_components) + case when u.is_root_wanted and ${hasRoots} then 1 else 0 end as wanted
    from unit_components c where c.unit_key = u.unit_key and c.environment = u.environment
      and (${hasRoots} or c.component_key <> u.unit_key)) n)`;

/** By environment: units that an operation was started on, and operations that have not ended. */
export async function countByEnvironment(
  db: Db,
  environments: readonly string[],
): Promise<Map<string, { units: number; activeOperations: number }>> {
  const { rows } = await sql<{ name: string; units: number; activeOperations: number }>`select e.name,
      (select count(*) from units u where u.environment = e.name) as units,
      (select count(*) from operations o where o.environment = e.name
        and o.status in ('SCHEDULED', 'RUNNING', 'TERMINATING')) as "activeOperations"
    from unnest(${environments}::text[]) e(name)`.execute(db);
  return new Map(rows.map(({ name, ...counts }) => [name, counts]));
}
