/** Reads what a unit's status leaves out, in all environments, and the facets of the list of units. */
import type { Db } from "../../../platform/db/database.ts";
import { isoTime } from "../../../platform/db/iso-time.ts";
import { sql, type Sql } from "../../../platform/db/sql.ts";
import { statusOf, unitConditions, type UnitFilters } from "./list-store.ts";

export interface UnitFacts {
  environment: string;
  name: string | null;
  kind: string | null;
  owner: string | null;
  domain: string | null;
  lastPlanId: string | null;
  lastPlanStatus: string | null;
  updatedAt: Date;
  active: ActiveOperation | null;
  queued: number;
  drift: LastDrift | null;
  components: { id: string; planId: string; since: string }[];
}

interface ActiveOperation {
  operationId: string;
  executionPlanId: string;
  provisioningAction: "DEPLOY" | "UNDEPLOY";
  status: "SCHEDULED" | "RUNNING" | "TERMINATING";
  originatorUri: string;
  startTime: string;
}

interface LastDrift {
  driftCheckId: string;
  result: DriftWord;
  checkedAt: string;
  components: { componentId: string; result: DriftWord }[];
}

export type DriftWord = "NO_DRIFT" | "DRIFTED" | "UNKNOWN";

export async function readUnitFacts(db: Db, unitKey: string): Promise<UnitFacts[]> {
  const { rows } = await sql<UnitFacts>`select u.environment,
      coalesce(u.name, (select p.request -> 'descriptor' ->> 'name' from execution_plans p
        where p.id = u.last_plan_id)) as name,
      u.kind, u.owner, u.domain, u.last_plan_id as "lastPlanId", u.last_plan_status as "lastPlanStatus",
      u.updated_at as "updatedAt",
      (select json_build_object('operationId', o.id, 'executionPlanId', o.plan_id, 'provisioningAction', o.action,
          'status', o.status, 'originatorUri', o.originator, 'startTime', ${isoTime("o.start_time")})
        from operations o where o.unit_key = u.unit_key and o.environment = u.environment
          and o.status in ('SCHEDULED', 'RUNNING', 'TERMINATING') and not o.queued) as active,
      (select count(*) from queued_starts q where q.unit_key = u.unit_key
        and q.environment = u.environment) as queued,
      (select json_build_object('driftCheckId', d.id, 'result', d.result, 'checkedAt', ${isoTime("d.stopped_at")},
          'components', d.components)
        from drift_checks d where d.unit_key = u.unit_key and d.environment = u.environment
          and d.status = 'COMPLETED' order by d.created_at desc, d.id desc limit 1) as drift,
      coalesce((select json_agg(json_build_object('id', c.component_id, 'planId', c.plan_id,
          'since', ${isoTime("c.updated_at")}))
        from unit_components c where c.unit_key = u.unit_key and c.environment = u.environment), '[]') as components
    from units u where u.unit_key = ${unitKey}`.execute(db);
  return rows;
}

const facetNames = ["status", "environment", "owner", "domain", "kind"] as const;

export interface FacetQuery extends UnitFilters {
  limit: number;
  hasRoots: boolean;
}

/** The facets as JSON text. */
export async function readFacets(db: Db, query: FacetQuery): Promise<string> {
  const { rows } = await facetsSql(query).execute(db);
  return rows[0]?.text ?? "";
}

/**
 * One pass over the units that match what is no facet; of each, which of the facets' filters it passes. A unit counts in a
 * facet when it passes the filters of all others.
 */
export function facetsSql(query: FacetQuery): Sql<{ text: string }> {
  const { statuses, limit, hasRoots } = query;
  const { search, ...own } = unitConditions(query);
  const passes: Record<(typeof facetNames)[number], Sql> = {
    status: statuses.length > 0 ? sql`st.status = any(${statuses}::text[])` : always,
    environment: own.environment ?? always,
    owner: own.owner ?? always,
    domain: own.domain ?? always,
    kind: own.kind ?? always,
  };
  const flag = (name: string): Sql => sql.ref(`passes_${name}`);
  const facet = (name: (typeof facetNames)[number]): Sql => {
    const others = facetNames.filter((other) => other !== name).map(flag);
    return sql`(select coalesce(json_agg(json_build_object('value', value, 'count', count)
        order by count desc, value), '[]')
      from (select ${sql.ref(name)} as value, count(*) as count from matching
        where ${sql.ref(name)} is not null and ${sql.join(others, sql` and `)}
        group by ${sql.ref(name)} order by count(*) desc, ${sql.ref(name)} limit ${limit}) counted)`;
  };
  return sql<{ text: string }>`with matching as materialized (
      select st.status, u.environment, u.owner, u.domain, u.kind,
        ${sql.join(
          facetNames.map((name) => sql`coalesce(${passes[name]}, false) as ${flag(name)}`),
          sql`, `,
        )}
      from units u cross join lateral ${statusOf(hasRoots)} st where ${search ?? always})
    select json_build_object('total', (select count(*) from matching
        where ${sql.join(facetNames.map(flag), sql` and `)}),
      'facets', json_build_object(${sql.join(
        facetNames.map((name) => sql`${sql.lit(name)}, ${facet(name)}`),
        sql`, `,
      )}))::text as text`;
}

const always = sql`true`;
