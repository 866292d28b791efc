/** Rows of evaluation reports and of their parts. */
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { OutcomeCounts } from "../evaluations/verdict.ts";

/** Notified when a report is due. */
export const reportsChannel = "governance_reports";

export type ReportKind = "evaluation" | "trial" | "schedule";

export interface NewReport {
  id: string;
  kind: ReportKind;
  environment: string;
  requestedBy: string;
  request: object;
  policyId: string | null;
  tick: Date | null;
  at: Date;
}

/** False when the report of that tick is there already. */
export async function insertReport(db: Db, report: NewReport): Promise<boolean> {
  const { rowCount } = await sql`insert into evaluation_reports
      (id, kind, environment, requested_by, request, policy_id, tick, created_at)
    values (${report.id}, ${report.kind}, ${report.environment}, ${report.requestedBy},
      ${JSON.stringify(report.request)}::json, ${report.policyId}, ${report.tick}, ${report.at})
    on conflict (policy_id, tick, environment) where kind = 'schedule' do nothing`.execute(db);
  await sql`select pg_notify(${reportsChannel}, '')`.execute(db);
  return rowCount > 0;
}

/** Serialises requests of one caller, so that the limit holds for requests at once. */
export async function countPendingOf(db: Db, requestedBy: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`reports of ${requestedBy}`}, 0))`.execute(db);
  const { rows } = await sql<{ count: number }>`select count(*) as count from evaluation_reports
    where requested_by = ${requestedBy} and status = 'pending'`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Those that have not ended; 0 of both without any. */
export async function readReportNumbers(db: Db): Promise<{ count: number; oldestSeconds: number }> {
  const { rows } = await sql<{ count: number; oldestSeconds: number }>`select count(*) as count,
      coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "oldestSeconds"
    from evaluation_reports where status = 'pending'`.execute(db);
  return rows[0] ?? { count: 0, oldestSeconds: 0 };
}

export interface ReportRow {
  id: string;
  kind: ReportKind;
  status: "pending" | "completed" | "failed";
  environment: string;
  requestedBy: string;
  policyId: string | null;
  tick: Date | null;
  counts: Partial<OutcomeCounts>;
  failure: string | null;
  createdAt: Date;
  endedAt: Date | null;
}

const columns =
  sql.raw(`id, kind, status, environment, requested_by as "requestedBy", policy_id as "policyId", tick,
  counts, failure, created_at as "createdAt", ended_at as "endedAt"`);

export async function readReport(db: Db, id: string): Promise<ReportRow | null> {
  const { rows } = await sql<ReportRow>`select ${columns} from evaluation_reports where id = ${id}`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** The parts as JSON texts of lists, in order. */
export async function readParts(db: Db, reportId: string): Promise<string[]> {
  const { rows } = await sql<{ results: string }>`select results from evaluation_report_parts
    where report_id = ${reportId} order by part`.execute(db);
  return rows.map(({ results }) => results);
}

/** Characters of the errors in the parts that there are. */
export async function readErrorsLength(db: Db, reportId: string): Promise<number> {
  const { rows } = await sql<{ length: number }>`select
      coalesce(sum(length(entry -> 'result' ->> 'errors')), 0)::float8 as length
    from evaluation_report_parts, json_array_elements(results::json) entry
    where report_id = ${reportId}`.execute(db);
  return rows[0]?.length ?? 0;
}

export interface ClaimedReport extends ReportRow {
  request: Record<string, unknown>;
  fence: number;
  claims: number;
  parts: number;
  position: string | null;
}

/** How long a claim holds without a sign of its worker. The database's clock counts. */
const leaseSeconds = 10;
const lease = sql`now() + ${leaseSeconds} * interval '1 second'`;

/**
 * Claims reports that no worker has, or whose worker gave no sign for the time of its lease: the oldest first, and at most
 * `scheduled` of schedules.
 */
export async function claimReports(
  db: Db,
  { underWay, limit, scheduled = limit }: { underWay: readonly string[]; limit: number; scheduled?: number },
): Promise<ClaimedReport[]> {
  const due = sql`status = 'pending' and (leased_until is null or leased_until < now())
    and id <> all(${underWay}::text[])`;
  const { rows } = await sql<ClaimedReport>`with asked as (select id, created_at from evaluation_reports
        where ${due} and kind <> 'schedule' order by created_at limit ${limit} for update skip locked),
      scheduled as (select id, created_at from evaluation_reports
        where ${due} and kind = 'schedule' order by created_at limit ${scheduled} for update skip locked)
    update evaluation_reports set fence = fence + 1, claims = claims + 1, leased_until = ${lease}
    where id in (select id from (table asked union all table scheduled) due order by created_at limit ${limit})
    returning ${columns}, request, fence, claims, parts, position`.execute(db);
  return rows;
}

export interface Claim {
  id: string;
  fence: number;
}

const claimed = ({ id, fence }: Claim) => sql`id = ${id} and fence = ${fence} and status = 'pending'`;

/** False when another worker has claimed the report since. */
export async function renewLease(db: Db, claim: Claim): Promise<boolean> {
  const { rowCount } = await sql`update evaluation_reports set leased_until = ${lease}
    where ${claimed(claim)}`.execute(db);
  return rowCount > 0;
}

/** Lets another worker go on, at once or after a time; the claim does not count. */
export async function giveBack(db: Db, claim: Claim, afterMs = 0): Promise<void> {
  const until = afterMs > 0 ? sql`now() + ${afterMs} * interval '1 millisecond'` : sql`null`;
  await sql`update evaluation_reports set leased_until = ${until}, claims = claims - 1
    where ${claimed(claim)}`.execute(db);
  await sql`select pg_notify(${reportsChannel}, '')`.execute(db);
}

export interface NewPart extends Claim {
  part: number;
  results: string;
  counts: OutcomeCounts;
  /** Where the next part begins; null after the last one. */
  position: string | null;
  at: Date;
}

/** Adds a part, and ends the report with the last one. False when another worker has claimed it since. */
export async function writePart(db: Db, part: NewPart): Promise<boolean> {
  const isLast = part.position === null;
  const { rowCount } =
    await sql`update evaluation_reports set parts = ${part.part + 1}, position = ${part.position},
      counts = ${JSON.stringify(part.counts)}::json, claims = 1, leased_until = ${lease},
      status = case when ${isLast} then 'completed' else 'pending' end,
      ended_at = case when ${isLast} then ${part.at}::timestamptz end
    where ${claimed(part)}`.execute(db);
  if (rowCount === 0) return false;
  await sql`insert into evaluation_report_parts (report_id, part, results)
    values (${part.id}, ${part.part}, ${part.results})`.execute(db);
  return true;
}

export async function failReport(
  db: Db,
  claim: Claim,
  { failure, at }: { failure: string; at: Date },
): Promise<void> {
  await sql`update evaluation_reports set status = 'failed', failure = ${failure}, ended_at = ${at}
    where ${claimed(claim)}`.execute(db);
}

export async function pruneReports(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await sql`delete from evaluation_reports where id in (select id from evaluation_reports
    where ended_at < ${before} limit ${limit})`.execute(db);
  return rowCount;
}

export async function countOldReports(db: Db, before: Date, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (select 1 from evaluation_reports
    where ended_at < ${before} limit ${most}) found`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Whether the tick is later than the last one of the policy; it is the last one then. */
export async function beginTick(db: Db, policyId: string, tick: Date): Promise<boolean> {
  const { rowCount } = await sql`insert into policy_ticks as t (policy_id, tick) values (${policyId}, ${tick})
    on conflict (policy_id) do update set tick = excluded.tick where t.tick < excluded.tick`.execute(db);
  return rowCount > 0;
}

/** Whether a report of a schedule of the policy waits or runs. Asked after `beginTick`, which others wait for. */
export async function hasPendingTick(
  db: Db,
  { policyId, environment }: { policyId: string; environment: string },
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists (select from evaluation_reports
    where status = 'pending' and kind = 'schedule' and policy_id = ${policyId} and environment = ${environment})
    as found`.execute(db);
  return rows[0]?.found === true;
}
