/** Ended plans that nothing stands on any more. */
import { inTransaction, type Database, type Db } from "../../../platform/db/database.ts";
import { sql, type Sql } from "../../../platform/db/sql.ts";
import type { UnitKey } from "../../units/store.ts";

export interface OldPlans {
  before: Date;
  /** Plans of validations only, or all others. */
  validations: boolean;
  /** So many of the latest plans of a unit in an environment stay, however old they are. */
  perUnit: number;
  /** Whether events are still read for outgoing events; those that were not read yet stay. */
  areEventsRead: boolean;
}

/** The plan `p` has changed its unit, as far as plans that are resumed are concerned; see starts/resume-store.ts. */
const hasChanged = (p: Sql): Sql => sql`(${p}.status = 'COMPLETED' or exists (select 1 from plan_tasks t
  where t.plan_id = ${p}.id and t.stage >= 1 and t.started_at is not null))`;

const later = sql`l.unit_key = p.unit_key and l.environment = p.environment and l.kind = 'PROVISIONING'
  and l.created_at > p.created_at`;

/**
 * Whether the plan `p` can go: a unit's state, access that was given, an open question or a resume may stand on it.
 * - The state of a unit: its last plan, and those that its components were last touched by.
 * - A resume: the last plan that changed the unit stays, so that an older one is still refused; and the last that completed,
 *   to roll back to.
 */
const canGo = ({
  perUnit,
  areEventsRead,
}: OldPlans): Sql => sql`p.status in ('COMPLETED', 'FAILED', 'TERMINATED')
  and not exists (select 1 from units u where u.last_plan_id = p.id and u.unit_key = p.unit_key
    and u.environment = p.environment)
  and not exists (select 1 from unit_components c where c.plan_id = p.id and c.unit_key = p.unit_key
    and c.environment = p.environment)
  and not exists (select 1 from acl_requests r join acls a on a.unit_key = r.unit_key
      and a.environment = r.environment and a.request_id = r.request_id where r.plan_id = p.id)
  and not exists (select 1 from unknown_outcomes o where o.plan_id = p.id and o.settled_at is null)
  and not exists (select 1 from reconciles r where r.plan_id = p.id and r.ended_at is null)
  and (p.kind <> 'PROVISIONING' or p.unit_key is null or (
    (select count(*) from (select 1 from execution_plans l where ${later} limit ${perUnit}) n) >= ${perUnit}
    and (not ${hasChanged(sql`p`)} or exists (select 1 from execution_plans l where ${later}
      and ${hasChanged(sql`l`)}))
    and (p.status <> 'COMPLETED' or exists (select 1 from execution_plans l where ${later}
      and l.status = 'COMPLETED'))))
  and (p.kind <> 'ACCESS' or not exists (select 1 from execution_plans e where e.unit_key = p.unit_key
    and e.environment = p.environment and e.kind = 'PROVISIONING' and e.created_at <= p.created_at
    and e.status in ('FAILED', 'TERMINATED')
    and not exists (select 1 from execution_plans l where l.unit_key = e.unit_key
      and l.environment = e.environment and l.kind = 'PROVISIONING' and l.created_at > e.created_at
      and ${hasChanged(sql`l`)})))
  and not (${areEventsRead} and exists (select 1 from events v, outgoing_position w
    where v.stream = 'plan:' || p.id and v.id > w.position))`;

const ofKind = ({ validations }: OldPlans): Sql =>
  validations ? sql`p.kind = 'VALIDATION'` : sql`p.kind <> 'VALIDATION'`;

export async function countOldPlans(db: Db, old: OldPlans, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (select 1 from execution_plans p
    where p.stopped_at < ${old.before} and ${ofKind(old)} and ${canGo(old)} limit ${most}) found`.execute(db);
  return rows[0]?.n ?? 0;
}

export type PlanPosition = readonly [stoppedAt: string, id: string];

interface Candidate {
  id: string;
  stoppedAt: string;
}

async function readCandidates(
  db: Db,
  old: OldPlans,
  { after, limit }: { after: PlanPosition | null; limit: number },
): Promise<Candidate[]> {
  const [stoppedAt, id] = after ?? ["-infinity", ""];
  const { rows } = await sql<Candidate>`select p.id, p.stopped_at::text as "stoppedAt" from execution_plans p
    where p.stopped_at < ${old.before} and (p.stopped_at, p.id) > (${stoppedAt}::timestamptz, ${id})
      and ${ofKind(old)}
    order by p.stopped_at, p.id limit ${limit}`.execute(db);
  return rows;
}

interface Deletable {
  id: string;
  tasks: number;
}

/**
 * Those of the plans that can go, with their units locked until the transaction ends: nothing is started or resumed meanwhile.
 * A unit that is busy just now keeps its plans for this pass.
 */
async function lockDeletable(db: Db, old: OldPlans, ids: readonly string[]): Promise<Deletable[]> {
  const { rows: locked } = await sql<UnitKey>`select u.unit_key as "unitKey", u.environment from units u
    where (u.unit_key, u.environment) in (select p.unit_key, p.environment from execution_plans p
      where p.id = any(${ids}::text[])) for update skip locked`.execute(db);
  const keys = locked.map(({ unitKey }) => unitKey);
  const environments = locked.map(({ environment }) => environment);
  const { rows } = await sql<Deletable>`select p.id,
      (select count(*) from plan_tasks t where t.plan_id = p.id) as tasks
    from execution_plans p where p.id = any(${ids}::text[]) and ${canGo(old)}
      and not exists (select 1 from units u where u.unit_key = p.unit_key and u.environment = p.environment
        and (u.unit_key, u.environment) not in (select * from unnest(${keys}::text[], ${environments}::text[])))
    order by p.stopped_at, p.id for update of p skip locked`.execute(db);
  return rows;
}

export interface DeletedPlans {
  deleted: number;
  position: PlanPosition | null;
  isDone: boolean;
}

/** Deletes some plans with all that belongs to them: tasks, operations, settled outcomes and events. About `limit` rows. */
export function deletePlans(
  database: Database,
  old: OldPlans,
  { after, limit }: { after: PlanPosition | null; limit: number },
): Promise<DeletedPlans> {
  const pageSize = Math.max(1, Math.ceil(limit / rowsOfPlan));
  return inTransaction(database, async (tx) => {
    const page = await readCandidates(tx, old, { after, limit: pageSize });
    const deletable = await lockDeletable(
      tx,
      old,
      page.map(({ id }) => id),
    );
    const { chosen, rest } = withinLimit(deletable, limit);
    const streams = chosen.map(({ id }) => `plan:${id}`);
    const { rowCount: events } = await sql`delete from events where id in (select id from events
      where stream = any(${streams}::text[]) limit ${limit})`.execute(tx);
    // The rest of their events comes first: a plan without its tasks would be no whole answer.
    if (events === limit) return { deleted: events, position: after, isDone: false };
    await sql`delete from execution_plans where id = any(${chosen.map(({ id }) => id)}::text[])`.execute(tx);
    const tasks = chosen.reduce((sum, plan) => sum + plan.tasks, 0);
    const seen =
      rest === undefined
        ? page
        : page.slice(
            0,
            page.findIndex(({ id }) => id === rest.id),
          );
    const last = seen.at(-1);
    const isDone = rest === undefined && page.length < pageSize;
    const position: PlanPosition | null = isDone ? null : last ? [last.stoppedAt, last.id] : after;
    return { deleted: events + tasks + chosen.length, position, isDone };
  });
}

/** Rows that a plan of some tasks has: itself, its operation, tasks and events. */
const rowsOfPlan = 40;

/** The first plans whose tasks are about as many rows as one batch may delete, and the first that has to wait. */
function withinLimit(plans: readonly Deletable[], limit: number): { chosen: Deletable[]; rest?: Deletable } {
  let tasks = 0;
  const end = plans.findIndex((plan, index) => {
    tasks += plan.tasks;
    return index > 0 && tasks > limit;
  });
  const rest = plans[end];
  return end < 0 || rest === undefined ? { chosen: [...plans] } : { chosen: plans.slice(0, end), rest };
}
