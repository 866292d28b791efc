/** Rows of drift checks. */
import type { Db } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";
import { isUnclaimed, type RowClaim } from "../../../platform/jobs/worker-lease.ts";
import type { UnitKey } from "../../units/store.ts";
import type { DueUnits } from "./schedule.ts";
import type { ComponentDrift } from "./schema.ts";

/** Notified when a check is there. */
export const driftChannel = "plinth_drift";

export interface DriftRow {
  id: string;
  unitKey: string;
  unitId: string;
  environment: string;
  status: "SCHEDULED" | "RUNNING" | "COMPLETED";
  trigger: "REQUESTED" | "SCHEDULED";
  requestedBy: string;
  traceparent: string;
  /** Raised whenever the check is begun. */
  fence: number;
  /** How often it was begun, without the times that ended with the stop of their process. */
  attempts: number;
  waiting: { reason: string; since: string } | null;
  result: "NO_DRIFT" | "DRIFTED" | "UNKNOWN" | null;
  components: ComponentDrift[];
  createdAt: Date;
  startedAt: Date | null;
  stoppedAt: Date | null;
}

const columns = sql.raw(`id, unit_key as "unitKey", unit_id as "unitId", environment, status, trigger,
  requested_by as "requestedBy", traceparent, fence, attempts, waiting, result, components, created_at as "createdAt",
  started_at as "startedAt", stopped_at as "stoppedAt"`);

export interface NewCheck extends UnitKey {
  id: string;
  unitId: string;
  trigger: DriftRow["trigger"];
  requestedBy: string;
  traceparent: string;
  at: Date;
}

/** False when the unit already has an open check. */
export async function insertCheck(db: Db, check: NewCheck): Promise<boolean> {
  const { rows } =
    await sql`with made as (insert into drift_checks (id, unit_key, unit_id, environment, status,
      trigger, requested_by, traceparent, created_at)
    values (${check.id}, ${check.unitKey}, ${check.unitId}, ${check.environment}, 'SCHEDULED', ${check.trigger},
      ${check.requestedBy}, ${check.traceparent}, ${check.at})
    on conflict (unit_key, environment) where status in ('SCHEDULED', 'RUNNING') do nothing
    returning id)
    select id, pg_notify(${driftChannel}, '') from made`.execute(db);
  return rows.length > 0;
}

export async function findOpenCheck(db: Db, { unitKey, environment }: UnitKey): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`select id from drift_checks where unit_key = ${unitKey}
    and environment = ${environment} and status in ('SCHEDULED', 'RUNNING')`.execute(db);
  return rows[0]?.id ?? null;
}

/** The stored id of the unit, when a component of it is deployed. */
export async function findDeployedUnit(db: Db, { unitKey, environment }: UnitKey): Promise<string | null> {
  const { rows } = await sql<{ unitId: string }>`select unit_id as "unitId" from units u
    where unit_key = ${unitKey} and environment = ${environment} and exists (select 1 from unit_components c
      where c.unit_key = u.unit_key and c.environment = u.environment and c.status = 'DEPLOYED')`.execute(db);
  return rows[0]?.unitId ?? null;
}

export async function readCheck(db: Db, id: string): Promise<DriftRow | null> {
  const { rows } = await sql<DriftRow>`select ${columns} from drift_checks where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

export interface CheckListQuery extends UnitKey {
  limit: number;
  after: { createdAt: string; id: string } | null;
}

/** The latest first. */
export async function listChecks(db: Db, query: CheckListQuery): Promise<DriftRow[]> {
  const { after } = query;
  const { rows } = await sql<DriftRow>`select ${columns} from drift_checks
    where unit_key = ${query.unitKey} and environment = ${query.environment}
      and (${after?.createdAt ?? null}::timestamptz is null
        or (created_at, id) < (${after?.createdAt ?? null}::timestamptz, ${after?.id ?? null}))
    order by created_at desc, id desc limit ${query.limit}`.execute(db);
  return rows;
}

/** Null when the worker has it no more. */
export async function lockCheck(
  db: Db,
  { id, workerId }: { id: string; workerId: string },
): Promise<DriftRow | null> {
  const { rows } = await sql<DriftRow>`select ${columns} from drift_checks
    where id = ${id} and worker_id = ${workerId} for update`.execute(db);
  return rows[0] ?? null;
}

/** Begins the check. Raises the fence, so that an earlier worker can't write any more. */
export async function beginCheck(
  db: Db,
  { id, workerId, at }: { id: string; workerId: string; at: Date },
): Promise<Pick<DriftRow, "fence" | "attempts">> {
  const { rows } = await sql<Pick<DriftRow, "fence" | "attempts">>`update drift_checks set status = 'RUNNING',
      fence = fence + 1, attempts = attempts + 1, worker_id = ${workerId}, waiting = null, next_attempt_at = null,
      started_at = coalesce(started_at, ${at})
    where id = ${id} returning fence, attempts`.execute(db);
  return rows[0] ?? { fence: 0, attempts: 0 };
}

/** Gives back a check whose process stops, as if it had not been begun. */
export async function giveBackCheck(
  db: Db,
  { id, workerId, fence }: { id: string; workerId: string; fence: number },
): Promise<void> {
  await sql`update drift_checks set status = 'SCHEDULED', worker_id = null, attempts = attempts - 1
    where id = ${id} and worker_id = ${workerId} and fence = ${fence} and status = 'RUNNING'`.execute(db);
}

export interface Waiting {
  id: string;
  reason: string;
  at: Date;
  /** Null where it begins as soon as the unit is at rest. */
  nextAttemptAt: Date | null;
}

/** Gives the check back, with why it has not been made. */
export async function markWaiting(db: Db, { id, reason, at, nextAttemptAt }: Waiting): Promise<void> {
  await sql`update drift_checks set status = 'SCHEDULED', worker_id = null, next_attempt_at = ${nextAttemptAt},
      waiting = ${JSON.stringify({ reason, since: at.toISOString() })}::json where id = ${id}`.execute(db);
}

export interface CheckEnd {
  id: string;
  /** Null for a check that could not be made; its waiting reason stays in the row. */
  fence: number | null;
  result: string;
  components: ComponentDrift[];
  at: Date;
}

/** False when another worker claimed the check, or it has ended. */
export async function endCheck(db: Db, { id, fence, result, components, at }: CheckEnd): Promise<boolean> {
  const { rows } =
    await sql`update drift_checks set status = 'COMPLETED', result = ${result}, worker_id = null,
      next_attempt_at = null, waiting = case when ${fence}::int is null then waiting end, components = ${JSON.stringify(components)}::json, stopped_at = ${at}
    where id = ${id} and status <> 'COMPLETED' and (${fence}::int is null or fence = ${fence})
    returning id`.execute(db);
  return rows.length > 0;
}

const maxChecksPerUnit = 100;

export async function pruneChecks(db: Db, { unitKey, environment }: UnitKey): Promise<void> {
  await sql`delete from drift_checks where id in (select id from drift_checks where unit_key = ${unitKey}
    and environment = ${environment} and status = 'COMPLETED'
    order by created_at desc, id desc offset ${maxChecksPerUnit})`.execute(db);
}

/** The unit's last plan; another one means that the unit has changed. */
export async function readLastPlan(db: Db, { unitKey, environment }: UnitKey): Promise<string | null> {
  const { rows } = await sql<{ lastPlanId: string | null }>`select last_plan_id as "lastPlanId" from units
    where unit_key = ${unitKey} and environment = ${environment}`.execute(db);
  return rows[0]?.lastPlanId ?? null;
}

/**
 * Claims open checks that are not to be tried later, the oldest first; of those that wait for an operation only the ones
 * whose unit is at rest, or that have waited too long.
 */
export async function claimChecks(db: Db, claim: RowClaim & { waitedSince: Date }): Promise<ClaimedCheck[]> {
  const { rows } = await sql<ClaimedCheck>`update drift_checks set worker_id = ${claim.workerId}
    where id in (select id from drift_checks c where status in ('SCHEDULED', 'RUNNING')
      and ${isUnclaimed("c", claim)}
      and (next_attempt_at is null or next_attempt_at <= ${claim.at})
      and (waiting is null or created_at < ${claim.waitedSince} or not exists (select 1 from operations o
        where o.unit_key = c.unit_key and o.environment = c.environment
          and o.status in ('SCHEDULED', 'RUNNING', 'TERMINATING') and not o.queued))
      order by created_at limit ${claim.limit} for update skip locked)
    returning id, traceparent`.execute(db);
  return rows;
}

export type ClaimedCheck = Pick<DriftRow, "id" | "traceparent">;

export interface UncheckedQuery extends DueUnits {
  limit: number;
}

export type UncheckedUnit = UnitKey & { unitId: string };

/** Deployed units of the environment without an open check whose last one was made before that time; the longest unchecked first. */
export async function findUnchecked(
  db: Db,
  { environment, before, unchangedSince, limit }: UncheckedQuery,
): Promise<UncheckedUnit[]> {
  const { rows } = await sql<UncheckedUnit>`select u.unit_key as "unitKey", u.environment,
      u.unit_id as "unitId"
    from units u where u.environment = ${environment}
      and not exists (select 1 from drift_checks d where d.unit_key = u.unit_key
        and d.environment = u.environment and (d.created_at >= ${before} or d.status in ('SCHEDULED', 'RUNNING')))
      and exists (select 1 from unit_components c where c.unit_key = u.unit_key
        and c.environment = u.environment and c.status = 'DEPLOYED')
      and (${unchangedSince}::timestamptz is null or u.updated_at <= ${unchangedSince})
    order by (select max(d.created_at) from drift_checks d
      where d.unit_key = u.unit_key and d.environment = u.environment) nulls first
    limit ${limit}`.execute(db);
  return rows;
}
