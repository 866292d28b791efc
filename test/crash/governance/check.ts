/** Compares what callers were answered with what is stored: nothing lost, nothing twice. */
import { sql } from "../../../src/platform/db/sql.ts";
import type { Db } from "../../../src/platform/db/database.ts";
import { ids, type Ledger } from "./load.ts";

export interface Expected {
  /** Deployed resources of the environment. */
  deployed: number;
  deployedPorts: number;
  graceUntil: Date;
}

interface ReportRow {
  id: string;
  kind: string;
  status: string;
  counts: Record<string, number>;
  parts: number;
  stored: number;
  tick: Date | null;
}

const sumOf = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((sum, n) => sum + n, 0);

/** All violations. */
export async function checkGovernance(db: Db, ledger: Ledger, expected: Expected): Promise<string[]> {
  return [
    ...ledger.odd,
    ...(await checkReports(db, ledger, expected)),
    ...(await checkResults(db, ledger, expected)),
    ...(await checkSchedule(db, expected)),
    ...(await checkLifeCycle(db, ledger)),
    ...(await checkVersions(db, ledger)),
    ...(await checkExceptions(db, ledger)),
    ...(await checkExcuses(db)),
  ];
}

async function readReports(db: Db): Promise<Map<string, ReportRow>> {
  const { rows } = await sql<ReportRow>`select id, kind, status, counts, parts, tick,
      (select count(*) from evaluation_report_parts p where p.report_id = r.id) as stored
    from evaluation_reports r`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

async function checkReports(db: Db, { reports }: Ledger, { deployed }: Expected): Promise<string[]> {
  const rows = await readReports(db);
  const lost = reports.filter(({ id }) => !rows.has(id)).map(({ id }) => `report ${id} is lost`);
  const wrong = [...rows.values()].flatMap((row) => {
    const found: string[] = [];
    const evaluated = sumOf(row.counts);
    if (row.status !== "completed") found.push(`report ${row.id} is ${row.status}`);
    if (row.parts !== row.stored) found.push(`report ${row.id} has ${row.stored} of ${row.parts} parts`);
    if (row.kind === "trial" && evaluated !== deployed)
      found.push(`trial ${row.id} evaluated ${evaluated} of ${deployed} resources`);
    return found;
  });
  return [...lost, ...wrong];
}

/** Each topic has as many results of each policy as it had reports; what is in grace warns, and blocks after its date. */
async function checkResults(
  db: Db,
  { reports, unknown }: Ledger,
  { graceUntil }: Expected,
): Promise<string[]> {
  const { rows } = await sql<{ resource: string; policy: string; times: number }>`
    select resource_id as resource, policy_id as policy, count(*) as times
    from results where resource_type = 'topic' group by resource_id, policy_id`.execute(db);
  const times = new Map(rows.map((row) => [`${row.resource} ${row.policy}`, row.times]));
  const wanted = reports.flatMap(({ resource }) => resource ?? []);
  const wrong = [...new Set([...wanted, ...unknown])].flatMap((resource) =>
    [...ids.topics, ids.graces].flatMap((policy) => {
      const found = times.get(`${resource} ${policy}`) ?? 0;
      const isFine = unknown.has(resource) ? found <= 1 : found === 1;
      return isFine ? [] : [`${resource} has ${found} results of ${policy}`];
    }),
  );
  const graces = await sql<{
    resource: string;
    outcome: string;
    at: Date;
  }>`select resource_id as resource, outcome, at
    from results where policy_id = ${ids.graces}`.execute(db);
  const late = graces.rows.filter(({ outcome, at }) => (outcome === "warning") !== at < graceUntil);
  return [
    ...wrong,
    ...late.map(({ resource, outcome, at }) => `${resource} in grace was ${outcome} at ${at.toISOString()}`),
  ];
}

async function checkSchedule(db: Db, { deployedPorts }: Expected): Promise<string[]> {
  const ticks = [...(await readReports(db)).values()].filter(({ kind }) => kind === "schedule");
  const { rows } = await sql<{ at: Date; found: number }>`select at, count(*) as found from results
    where policy_id = ${ids.scheduled} group by at`.execute(db);
  const found = new Map(rows.map((row) => [row.at.getTime(), row.found]));
  const wrong = ticks.flatMap(({ tick }) => {
    const results = found.get(tick?.getTime() ?? 0) ?? 0;
    return results === deployedPorts
      ? []
      : [`minute ${tick?.toISOString()} has ${results} of ${deployedPorts} results`];
  });
  const more =
    rows.length === ticks.length ? [] : [`${ticks.length} minutes have results at ${rows.length} times`];
  return [...wrong, ...more];
}

interface AuditRow {
  operation: string;
  detail: { from: string | number; to: string; version: number; status?: string };
}

async function readAudit(db: Db, subject: string): Promise<AuditRow[]> {
  const { rows } = await sql<AuditRow>`select operation, detail from audit where subject = ${subject}
    order by id`.execute(db);
  return rows;
}

/** The audit is one chain of changes that has every accepted one, and of the others only those that nobody knows of. */
async function checkLifeCycle(db: Db, { statusCalls }: Ledger): Promise<string[]> {
  const changes = (await readAudit(db, `policy:${ids.cycled}`)).filter(
    ({ operation }) => operation === "setPolicyStatus",
  );
  const found: string[] = [];
  let status = "draft";
  for (const { detail } of changes) {
    if (detail.from !== status) found.push(`the policy went from ${status} and then from ${detail.from}`);
    status = detail.to;
  }
  const { rows } = await sql<{
    status: string;
  }>`select status from policies where id = ${ids.cycled}`.execute(db);
  if (rows[0]?.status !== status)
    found.push(`the policy is ${rows[0]?.status}, its audit ends with ${status}`);
  return [...found, ...countedBetween("changes of status", changes.length, statusCalls)];
}

async function checkVersions(db: Db, { changes }: Ledger): Promise<string[]> {
  const audits = (await readAudit(db, `policy:${ids.cycled}`)).filter(
    ({ operation }) => operation === "changePolicy",
  );
  const { rows } = await sql<{ version: number }>`select version from policy_versions
    where policy_id = ${ids.cycled} order by version`.execute(db);
  const versions = rows.map(({ version }) => version);
  const found = countedBetween("changes", audits.length, changes);
  if (versions.some((version, index) => version !== index + 1))
    found.push(`the versions are ${versions.join(", ")}`);
  if (versions.length !== audits.length + 1)
    found.push(`there are ${versions.length} versions and ${audits.length} changes in the audit`);
  return found;
}

function countedBetween(what: string, stored: number, calls: readonly { status: number | null }[]): string[] {
  const accepted = calls.filter(({ status }) => status === 200).length;
  const unknown = calls.filter(({ status }) => status === null || status === 503).length;
  if (stored >= accepted && stored <= accepted + unknown) return [];
  return [`${stored} ${what} are stored, ${accepted} were accepted and ${unknown} nobody knows of`];
}

/** One of two decisions counts; an end is written once. */
async function checkExceptions(db: Db, { exceptions }: Ledger): Promise<string[]> {
  const { rows } = await sql<{ id: string; status: string; decidedBy: string | null }>`select id, status,
      decided_by as "decidedBy" from exceptions`.execute(db);
  const stored = new Map(rows.map((row) => [row.id, row]));
  const wrong: string[] = [];
  for (const { id, answers } of exceptions) {
    const row = stored.get(id);
    const audit = await readAudit(db, `exception:${id}`);
    const counted = (operation: string): number =>
      audit.filter((each) => each.operation === operation).length;
    const accepted = answers.filter((status) => status === 200).length;
    const isUnknown = answers.some((status) => status === null || status === 503);
    const decisions = counted("decideException");
    if (row === undefined) wrong.push(`exception ${id} is lost`);
    if (accepted > 1 || decisions > 1)
      wrong.push(`exception ${id} was decided ${decisions} times, ${accepted} accepted`);
    if (!isUnknown && decisions !== accepted)
      wrong.push(`exception ${id} has ${decisions} decisions, ${accepted} accepted`);
    if (accepted === 1 && !row?.decidedBy?.endsWith(answers[0] === 200 ? "operator" : "admin"))
      wrong.push(`exception ${id} was decided by ${row?.decidedBy}`);
    if (counted("requestException") !== 1)
      wrong.push(`exception ${id} was requested ${counted("requestException")} times`);
    if (counted("expireException") !== (row?.status === "expired" ? 1 : 0))
      wrong.push(`exception ${id} is ${row?.status} and expired ${counted("expireException")} times`);
  }
  return wrong;
}

/** Clocks and evaluations under way: an evaluation near a decision or an end may count as before or as after it. */
const toleranceMs = 1_500;

/** Results between the decision and the end are excused, others are not. */
async function checkExcuses(db: Db): Promise<string[]> {
  const { rows } = await sql<{
    resource: string;
    at: Date;
    exception: string | null;
    decided: Date | null;
    until: Date | null;
    decision: string | null;
  }>`select r.resource_id as resource, r.at, r.exception_id as exception, e.decided_at as decided, e.until,
      (select a.detail ->> 'status' from audit a where a.subject = 'exception:' || e.id
        and a.operation = 'decideException' limit 1) as decision
    from results r left join exceptions e on e.resource_ids = array[r.resource_id] and e.policy_id = r.policy_id
    where r.policy_id = ${ids.excused}`.execute(db);
  return rows.flatMap(({ resource, at, exception, decided, until, decision }) => {
    const from = decision === "approved" ? (decided?.getTime() ?? Infinity) : Infinity;
    const to = until?.getTime() ?? 0;
    const time = at.getTime();
    const mustBe = time > from + toleranceMs && time < to - toleranceMs;
    const mayBe = time > from - toleranceMs && time < to;
    const isFine = exception === null ? !mustBe : mayBe;
    return isFine
      ? []
      : [`${resource} at ${at.toISOString()} is ${exception === null ? "not excused" : "excused"}`];
  });
}
