/** Rows of reconciles: drift that was found, and the plan that repairs it. Every change names the statuses that it expects. */
import type { Db } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";
import { isAfter, timeOrder, type TimePosition } from "../../../platform/db/time-position.ts";
import type { UnitKey } from "../../units/store.ts";

export type ReconcileStatus =
  | "FOUND"
  | "ASKED"
  | "DUE"
  | "STARTED"
  | "SUCCEEDED"
  | "FAILED"
  | "REFUSED"
  | "EXPIRED"
  | "DROPPED";

/** What a plan would do to one component. */
export interface PreviewedChange {
  componentId: string;
  action: string;
  reason: string;
}

export interface ReconcileRow extends UnitKey {
  id: string;
  unitId: string;
  checkId: string;
  components: string[];
  status: ReconcileStatus;
  isAutomatic: boolean;
  lastPlanId: string | null;
  preview: { changes: PreviewedChange[]; changeCount: number } | null;
  planHash: string | null;
  planId: string | null;
  reason: string | null;
  decidedBy: string | null;
  createdAt: Date;
  expiresAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
}

const columns =
  sql.raw(`id, unit_key as "unitKey", unit_id as "unitId", environment, check_id as "checkId", components,
  status, automatic as "isAutomatic", last_plan_id as "lastPlanId", preview, plan_hash as "planHash",
  plan_id as "planId", reason, decided_by as "decidedBy", created_at as "createdAt", expires_at as "expiresAt",
  started_at as "startedAt", ended_at as "endedAt"`);

export interface FoundDrift extends UnitKey {
  id: string;
  unitId: string;
  checkId: string;
  components: readonly string[];
  lastPlanId: string | null;
  at: Date;
  /** How long it may wait. */
  askMs: number;
}

/** False when the unit has an open one already. */
export async function insertFound(db: Db, found: FoundDrift): Promise<boolean> {
  const { rows } =
    await sql`insert into reconciles (id, unit_key, unit_id, environment, check_id, components, status,
      last_plan_id, created_at, expires_at)
    values (${found.id}, ${found.unitKey}, ${found.unitId}, ${found.environment}, ${found.checkId},
      ${found.components}, 'FOUND', ${found.lastPlanId}, ${found.at}, ${new Date(found.at.getTime() + found.askMs)})
    on conflict (unit_key, environment) where status in ('FOUND', 'ASKED', 'DUE', 'STARTED') do nothing
    returning id`.execute(db);
  return rows.length > 0;
}

export interface Repaired {
  reason: string;
  at: Date;
  /** Components whose live state this check has not read: what it had found of that may still be so. */
  unread: readonly string[];
}

/** Ends what waits for the unit when nothing has drifted any more; ids. */
export async function dropRepaired(
  db: Db,
  { unitKey, environment }: UnitKey,
  { reason, at, unread }: Repaired,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`update reconciles set status = 'DROPPED', reason = ${reason},
      ended_at = ${at}
    where unit_key = ${unitKey} and environment = ${environment} and status in ('FOUND', 'ASKED', 'DUE')
      and not exists (select 1 from drift_checks d, json_array_elements(d.components) c where d.id = check_id
        and c ->> 'componentId' = any(${unread}::text[]) and json_array_length(c -> 'pointers') > 0)
    returning id`.execute(db);
  return rows.map(({ id }) => id);
}

export async function readReconcile(db: Db, id: string): Promise<ReconcileRow | null> {
  const { rows } = await sql<ReconcileRow>`select ${columns} from reconciles where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

export interface WorkQuery {
  limitOfEach: number;
  /** By status: those behind it come first, and those before it last. */
  after: ReadonlyMap<ReconcileStatus, TimePosition>;
}

/** What has not ended, the oldest of each status first: many open questions must not hide what was found since. */
export async function listWork(db: Db, { limitOfEach, after }: WorkQuery): Promise<ReconcileRow[]> {
  const places = [...after].map(([status, { since, id }]) => ({ status, since, id }));
  const order = timeOrder("r.created_at", "r.id");
  const { rows } = await sql<ReconcileRow>`select ${columns} from reconciles join (
      select r.id as "placedId", row_number() over (partition by r.status
        order by coalesce((${order}) <= (a.since, a.id), false), ${order}) as place
      from reconciles r left join json_to_recordset(${JSON.stringify(places)}::json)
        as a (status text, since timestamptz, id text) on a.status = r.status
      where r.status in ('FOUND', 'ASKED', 'DUE')) placed on id = "placedId"
    where place <= ${limitOfEach}
    order by place, ${timeOrder("created_at", "id")}`.execute(db);
  return rows;
}

/** What waits for a person, the oldest first. */
export async function listAsked(
  db: Db,
  limit: number,
  after: TimePosition | null = null,
): Promise<ReconcileRow[]> {
  const { rows } =
    await sql<ReconcileRow>`select ${columns} from reconciles where status = 'ASKED' and ${isAfter("created_at", "id::text", after)}
    order by ${timeOrder("created_at", "id::text")} limit ${limit}`.execute(db);
  return rows;
}

export interface ReconcileQuery {
  environment: string | undefined;
  unitKey: string | undefined;
  status: string | undefined;
  after: { createdAt: string; id: string } | null;
  limit: number;
}

/** The latest first. */
export async function listReconciles(db: Db, query: ReconcileQuery): Promise<ReconcileRow[]> {
  const { environment = null, unitKey = null, status = null, after } = query;
  const { rows } = await sql<ReconcileRow>`select ${columns} from reconciles
    where (${environment}::text is null or environment = ${environment})
      and (${unitKey}::text is null or unit_key = ${unitKey})
      and (${status}::text is null or status = ${status})
      and (${after?.createdAt ?? null}::timestamptz is null
        or (created_at, id) < (${after?.createdAt ?? null}::timestamptz, ${after?.id ?? null}))
    order by created_at desc, id desc limit ${query.limit}`.execute(db);
  return rows;
}

export interface Examined {
  id: string;
  status: "ASKED" | "DUE";
  preview: object;
  planHash: string;
  reason: string | null;
}

/** What was found of it; false when another process was first. */
export async function writeExamined(
  db: Db,
  { id, status, preview, planHash, reason }: Examined,
): Promise<boolean> {
  const { rows } =
    await sql`update reconciles set status = ${status}, preview = ${JSON.stringify(preview)}::json,
      plan_hash = ${planHash}, reason = ${reason}
    where id = ${id} and status = 'FOUND' returning id`.execute(db);
  return rows.length > 0;
}

/** Why it waits. */
export async function writeReason(db: Db, id: string, reason: string): Promise<void> {
  await sql`update reconciles set reason = ${reason} where id = ${id} and reason is distinct from ${reason}
    and status in ('FOUND', 'DUE')`.execute(db);
}

export interface ReconcileEnd {
  id: string;
  status: "REFUSED" | "EXPIRED" | "DROPPED";
  reason: string;
  by: string;
  at: Date;
}

/** False when it does not wait any more. */
export async function endReconcile(db: Db, { id, status, reason, by, at }: ReconcileEnd): Promise<boolean> {
  const { rows } = await sql`update reconciles set status = ${status}, reason = ${reason}, decided_by = ${by},
      ended_at = ${at}
    where id = ${id} and status in ('FOUND', 'ASKED', 'DUE') returning id`.execute(db);
  return rows.length > 0;
}

export interface ReconcileStart {
  id: string;
  from: "ASKED" | "DUE";
  planId: string;
  by: string;
  at: Date;
}

/** In the transaction that accepts the plan; false when it does not wait any more. */
export async function writeStarted(db: Db, { id, from, planId, by, at }: ReconcileStart): Promise<boolean> {
  const { rows } =
    await sql`update reconciles set status = 'STARTED', plan_id = ${planId}, decided_by = ${by},
      automatic = ${from === "DUE"}, reason = null, started_at = ${at}
    where id = ${id} and status = ${from} returning id`.execute(db);
  return rows.length > 0;
}

/** Serialises automatic starts until the transaction ends, and counts the plans that are under way. */
export async function countStarted(db: Db): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('plinth.reconciles'))`.execute(db);
  const { rows } = await sql<{ plans: number }>`select count(*)::int as plans from reconciles
    where status = 'STARTED' and automatic`.execute(db);
  return rows[0]?.plans ?? 0;
}

export interface EndedReconcile {
  id: string;
  unitId: string;
  environment: string;
  status: "SUCCEEDED" | "FAILED";
}

/** Ends those whose plan has ended. */
export async function endFinished(db: Db, at: Date): Promise<EndedReconcile[]> {
  const { rows } = await sql<EndedReconcile>`update reconciles r
    set status = case when p.status = 'COMPLETED' then 'SUCCEEDED' else 'FAILED' end, ended_at = ${at},
      reason = case when p.status = 'COMPLETED' then null else coalesce(left(p.failure, 4000), p.status) end
    from execution_plans p
    where r.status = 'STARTED' and p.id = r.plan_id and p.status in ('COMPLETED', 'FAILED', 'TERMINATED')
    returning r.id, r.unit_id as "unitId", r.environment, r.status`.execute(db);
  return rows;
}

export interface History {
  /** When the last automatic plan of the unit began. */
  lastStart: Date | null;
  /** Failed plans of the environment since the last that succeeded. */
  failures: number;
}

export async function readHistory(db: Db, { unitKey, environment }: UnitKey): Promise<History> {
  const { rows } = await sql<History>`select
      (select max(started_at) from reconciles where unit_key = ${unitKey} and environment = ${environment}
        and automatic) as "lastStart",
      (select count(*)::int from reconciles where environment = ${environment} and status = 'FAILED'
        and ended_at > coalesce((select max(ended_at) from reconciles
          where environment = ${environment} and status = 'SUCCEEDED'), '-infinity')) as failures`.execute(
    db,
  );
  return rows[0] ?? { lastStart: null, failures: 0 };
}

export interface UnitSituation {
  activePlan: string | null;
  lastPlanId: string | null;
  hasUnknownOutcome: boolean;
}

/** What keeps a unit from being repaired. */
export async function readSituation(
  db: Db,
  { unitKey, environment }: UnitKey,
): Promise<UnitSituation | null> {
  const { rows } = await sql<UnitSituation>`select u.last_plan_id as "lastPlanId",
      (select o.plan_id from operations o where o.unit_key = u.unit_key and o.environment = u.environment
        and o.status in ('SCHEDULED', 'RUNNING', 'TERMINATING') limit 1) as "activePlan",
      exists (select 1 from unknown_outcomes x where x.unit_key = u.unit_key and x.environment = u.environment
        and x.settled_at is null) as "hasUnknownOutcome"
    from units u where u.unit_key = ${unitKey} and u.environment = ${environment}`.execute(db);
  return rows[0] ?? null;
}

/** Deletes some that ended before that time; returns how many. */
export async function pruneReconciles(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await sql`delete from reconciles where id in (select id from reconciles
    where ended_at < ${before} limit ${limit})`.execute(db);
  return rowCount;
}

export async function countReconciles(db: Db, before: Date, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (select 1 from reconciles
    where ended_at < ${before} limit ${most}) found`.execute(db);
  return rows[0]?.n ?? 0;
}
