/** Rows of results. */
import type { Db } from "../../platform/db/database.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { safeJson } from "../../platform/lib/safe-json.ts";
import type { ResultRow } from "../evaluations/result-row.ts";
import type { Outcome } from "../evaluations/verdict.ts";

/** One statement takes so many: the text of more would keep the process busy for too long at once. */
const rowsOfStatement = 4_000;

/** A result that is there already stays as it is. */
export async function insertResults(db: Db, rows: readonly ResultRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsOfStatement) {
    await insertSome(rows.slice(from, from + rowsOfStatement)).execute(db);
    if (from + rowsOfStatement < rows.length) await new Promise((next) => setImmediate(next));
  }
}

/** Policies and resources are sent once; a result that is ok is then two numbers. */
function insertSome(rows: readonly ResultRow[]): Sql {
  const policies = new Map<string, { n: number }>();
  const resources = new Map<string, { n: number }>();
  const found = rows.map((row) => {
    const { policyId, policyVersion, policyKind, policyName, policyStatus } = row;
    const { resourceKey, resourceId, resourceName, resourceType, environment, unitKey, source, at } = row;
    const domain = row.domain ?? null;
    const policy = { policyId, policyVersion, policyKind, policyName, policyStatus };
    const resource = {
      resourceKey,
      resourceId,
      resourceName,
      resourceType,
      environment,
      unitKey,
      domain,
      source,
      at,
    };
    return {
      p: placeIn(policies, `${policyId}@${policyVersion} ${policyStatus}`, policy),
      r: placeIn(resources, `${environment} ${at.getTime()} ${resourceKey}`, resource),
      ...findingOf(row),
    };
  });
  const lists = [[...policies.values()], [...resources.values()], found];
  const [policyText = "", resourceText = "", foundText = ""] = lists.map(safeJson);
  return insertFound(policyText, resourceText, foundText);
}

/** The number of the entry in the list, into which the first of its key is put. */
function placeIn(list: Map<string, { n: number }>, key: string, entry: object): number {
  const known = list.get(key);
  if (known) return known.n;
  const n = list.size;
  list.set(key, { n, ...entry });
  return n;
}

/** What differs from a result that is ok. */
function findingOf(row: ResultRow): object {
  const { outcome, blocking, isError, isSatisfied, value, label, errors, advice, exceptionId } = row;
  return {
    ...(outcome === "ok" && isSatisfied ? {} : { outcome, blocking, isError, isSatisfied }),
    ...(errors.length === 0 ? {} : { errors }),
    ...(value === null ? {} : { value }),
    ...(label === null ? {} : { label }),
    ...(advice === null ? {} : { advice }),
    ...(exceptionId === null ? {} : { exceptionId }),
  };
}

const insertFound = (policies: string, resources: string, found: string): Sql =>
  sql`insert into results (policy_id, policy_version, policy_kind, policy_name, policy_status, resource_key, resource_id,
      resource_name, resource_type, environment, unit_key, domain, source, at, outcome, blocking, is_error, is_satisfied, value,
      label, errors, advice, exception_id)
    select p."policyId", p."policyVersion", p."policyKind", p."policyName", p."policyStatus", r."resourceKey",
      r."resourceId", r."resourceName", r."resourceType", r.environment, r."unitKey", r.domain, r.source, r.at,
      coalesce(f.outcome, 'ok'), coalesce(f.blocking, false), coalesce(f."isError", false),
      coalesce(f."isSatisfied", true), f.value, f.label, coalesce(f.errors, '[]'), f.advice, f."exceptionId"
    from json_to_recordset(${found}::json) as f (p int, r int, outcome text, blocking boolean, "isError" boolean,
        "isSatisfied" boolean, value double precision, label text, errors json, advice text, "exceptionId" text)
      join json_to_recordset(${policies}::json) as p (n int, "policyId" text, "policyVersion" int, "policyKind" text,
        "policyName" text, "policyStatus" text) on p.n = f.p
      join json_to_recordset(${resources}::json) as r (n int, "resourceKey" text, "resourceId" text,
        "resourceName" text, "resourceType" text, environment text, "unitKey" text, domain text, source text, at timestamptz)
        on r.n = f.r
    on conflict do nothing`;

const columns =
  sql.raw(`policy_id as "policyId", policy_version as "policyVersion", policy_kind as "policyKind",
  policy_name as "policyName", policy_status as "policyStatus", resource_key as "resourceKey",
  resource_id as "resourceId", resource_name as "resourceName", resource_type as "resourceType", environment,
  unit_key as "unitKey", outcome, blocking, is_error as "isError", is_satisfied as "isSatisfied", value, label, errors,
  advice, exception_id as "exceptionId", source, at`);

export interface ResultFilter {
  resourceKey: string | undefined;
  policyId: string | undefined;
  environment: string | undefined;
  /** Empty: any. */
  outcomes: readonly string[];
  since: Date | undefined;
}

/** What the place of a result in the list is made of. */
export interface ResultPlace {
  at: string;
  policyId: string;
  resourceKey: string;
  environment: string;
}

/** The latest first. */
export async function listResults(
  db: Db,
  filter: ResultFilter,
  { limit, after }: { limit: number; after: ResultPlace | null },
): Promise<ResultRow[]> {
  const place = after
    ? sql`(at < ${after.at}::timestamptz or (at = ${after.at}::timestamptz
        and (policy_id, resource_key, environment) > (${after.policyId}, ${after.resourceKey}, ${after.environment})))`
    : sql`true`;
  const { rows } = await sql<ResultRow>`select ${columns} from results where ${matching(filter)} and ${place}
    order by at desc, policy_id, resource_key, environment limit ${limit}`.execute(db);
  return rows;
}

export async function countResults(db: Db, filter: ResultFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from results
    where ${matching(filter)}`.execute(db);
  return rows[0]?.count ?? 0;
}

function matching({ resourceKey, policyId, environment, outcomes, since }: ResultFilter): Sql {
  const conditions = [
    resourceKey === undefined ? null : sql`resource_key = ${resourceKey}`,
    policyId === undefined ? null : sql`policy_id = ${policyId}`,
    environment === undefined ? null : sql`environment = ${environment}`,
    outcomes.length === 0 ? null : sql`outcome = any(${outcomes}::text[])`,
    since === undefined ? null : sql`at >= ${since}`,
  ].filter((condition) => condition !== null);
  return conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`;
}

/** What is compared of two results with the same time. */
export type StoredFinding = Pick<ResultRow, "outcome" | "value" | "errors" | "exceptionId" | "policyStatus">;

/** Adds a pushed result unless there is a later one, or one of the same time that is not the same; false when there is. */
export async function insertLatest(
  db: Db,
  row: ResultRow,
  isSame: (stored: StoredFinding) => boolean,
): Promise<boolean> {
  const at = { policyId: row.policyId, resourceKey: row.resourceKey, environment: row.environment };
  // Two results of one policy over one resource that are pushed at once are compared one after the other.
  await sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify(at)}, 0))`.execute(db);
  const { rows } = await sql<
    StoredFinding & { isLater: boolean }
  >`select at > ${row.at} as "isLater", outcome, value,
      errors, exception_id as "exceptionId", policy_status as "policyStatus"
    from results where policy_id = ${at.policyId} and resource_key = ${at.resourceKey}
      and environment = ${at.environment} and at >= ${row.at} order by at desc limit 1`.execute(db);
  const [last] = rows;
  if (last !== undefined) return !last.isLater && isSame(last);
  await insertResults(db, [row]);
  return true;
}

/** What is known of a resource by its latest result. */
export interface KnownResource {
  id: string;
  displayName: string;
  resourceType: string;
  unitKey: string | null;
  domain: string | null;
}

export async function findKnownResource(
  db: Db,
  { resourceKey, environment }: { resourceKey: string; environment: string },
): Promise<KnownResource | null> {
  const { rows } = await sql<KnownResource>`select resource_id as id, resource_name as "displayName",
      resource_type as "resourceType", unit_key as "unitKey", domain
    from results where resource_key = ${resourceKey} and environment = ${environment}
    order by at desc limit 1`.execute(db);
  return rows[0] ?? null;
}

export interface UnitAt {
  unitKey: string;
  environment: string;
}

/** Keys of the resources that the last evaluation of the unit was about. What is pushed is about one resource alone. */
export async function lastEvaluated(db: Db, { unitKey, environment }: UnitAt): Promise<string[]> {
  const evaluated = sql`unit_key = ${unitKey} and environment = ${environment} and source <> 'pushed'`;
  const { rows } = await sql<{ key: string }>`select distinct resource_key as key from results
    where ${evaluated} and at = (select max(at) from results where ${evaluated})
    order by resource_key`.execute(db);
  return rows.map(({ key }) => key);
}

export interface LatestQuery extends UnitAt {
  resourceKeys: readonly string[];
  policyIds: readonly string[];
}

/**
 * The latest result of each of the policies over each of the resources, by resource and policy. Where there are more than the
 * limit, errors are kept first, then what failed, then warnings.
 */
export async function latestResults(db: Db, query: LatestQuery, limit: number): Promise<ResultRow[]> {
  const { rows } = await sql<ResultRow>`select ${columns} from (select latest.* from ${latestOf(query)}
      order by array_position(array['error', 'failed', 'warning', 'ok'], outcome), resource_key, policy_id
      limit ${limit}) kept
    order by resource_key, policy_id`.execute(db);
  return rows;
}

export interface LatestCounts {
  ok: number;
  warning: number;
  error: number;
  failed: number;
  /** Of those that failed. */
  blocking: number;
  /** Of the last of them; null without any. */
  evaluatedAt: Date | null;
}

/** Counts all of those results. */
export async function countLatest(db: Db, query: LatestQuery): Promise<LatestCounts> {
  const { rows } = await sql<LatestCounts>`select ${counted("ok")} as ok, ${counted("warning")} as warning,
      ${counted("error")} as error, ${counted("failed")} as failed,
      count(*) filter (where outcome = 'failed' and blocking) as blocking, max(at) as "evaluatedAt"
    from ${latestOf(query)}`.execute(db);
  return rows[0] ?? { ok: 0, warning: 0, error: 0, failed: 0, blocking: 0, evaluatedAt: null };
}

/**
 * Each pair is a look into the primary key. Another unit may have a component of the same id: its results are not this one's.
 * What is pushed is about the resource, whoever has it.
 */
const latestOf = ({ unitKey, environment, resourceKeys, policyIds }: LatestQuery): Sql =>
  sql`unnest(${resourceKeys}::text[]) resource
      cross join unnest(${policyIds}::text[]) policy
      cross join lateral (select * from results where resource_key = resource and policy_id = policy
        and environment = ${environment}
        and (unit_key = ${unitKey} or unit_key is null or source = 'pushed') order by at desc limit 1) latest`;

const counted = (outcome: Outcome): Sql => sql`count(*) filter (where outcome = ${outcome})`;

export interface HistoryRow {
  at: Date;
  source: string;
  ok: number;
  warning: number;
  error: number;
  failed: number;
}

/** Evaluations of a unit and how many results of each outcome they had; the latest first. */
export async function historyOfUnit(
  db: Db,
  { unitKey, environment }: UnitAt,
  limit: number,
): Promise<HistoryRow[]> {
  const { rows } =
    await sql<HistoryRow>`select at, source, ${counted("ok")} as ok, ${counted("warning")} as warning,
      ${counted("error")} as error, ${counted("failed")} as failed
    from results where unit_key = ${unitKey} and environment = ${environment}
    group by at, source order by at desc, source limit ${limit}`.execute(db);
  return rows;
}

/**
 * Deletes results of before that time, but never the latest of a policy over a resource, of any unit that has the resource. Returns
 * how many.
 */
export async function pruneResults(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await sql`delete from results where ctid in (select r.ctid from results r
    where ${isOld(before)} limit ${limit})`.execute(db);
  return rowCount;
}

/** What is pushed is about the resource, whoever has it; other results are those of one unit (`latestOf`). */
const isOld = (before: Date): Sql => sql`r.at < ${before} and exists (select 1 from results n
  where n.policy_id = r.policy_id and n.resource_key = r.resource_key and n.environment = r.environment
    and n.at > r.at and (n.source = 'pushed') = (r.source = 'pushed')
    and (r.source = 'pushed' or n.unit_key is not distinct from r.unit_key))`;

export async function countOldResults(db: Db, before: Date, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (select 1 from results r
    where ${isOld(before)} limit ${most}) found`.execute(db);
  return rows[0]?.n ?? 0;
}
