/** Plans that wait until operations may begin in their environment. */
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { isAfter, timeOrder, type TimePosition } from "../../platform/db/time-position.ts";

export interface Hold {
  since: string;
  /** Why, in one sentence; brought up to date when the windows change. */
  reason: string;
  /** When it is expected to end; null where nobody can say. */
  until: string | null;
}

/** Unless the plan waits already; true when it waits now. */
export async function holdPlan(db: Db, planId: string, hold: Hold): Promise<boolean> {
  const { rows } = await sql`update execution_plans set hold = ${JSON.stringify(hold)}::jsonb
    where id = ${planId} and hold is null and status = 'WAITING' and fence = 0 returning id`.execute(db);
  return rows.length > 0;
}

/** A plan that begins whatever the windows say, also after an approval. */
export async function overrideWindows(db: Db, planId: string): Promise<void> {
  await sql`update execution_plans set overrides_windows = true where id = ${planId}`.execute(db);
}

const isHeld = sql`hold is not null and status = 'WAITING' and terminate_mode is null`;

export async function readHeldEnvironments(db: Db): Promise<string[]> {
  const { rows } = await sql<{ environment: string }>`select distinct environment from execution_plans
    where ${isHeld}`.execute(db);
  return rows.map(({ environment }) => environment);
}

/** Ends the waiting of plans, the oldest first; their time limit begins now. Returns those that need no approval any more. */
export async function releasePlans(
  db: Db,
  { environment, at, limit }: { environment: string; at: Date; limit: number },
): Promise<{ id: string; isApproved: boolean }[]> {
  const { rows } = await sql<{ id: string; isApproved: boolean }>`update execution_plans p
    set hold = null, deadline_at = case when p.approval_status = 'PENDING' then p.deadline_at else p.deadline_at +
      (${at}::timestamptz - greatest((p.hold ->> 'since')::timestamptz, (p.approval ->> 'decidedAt')::timestamptz)) end
    where id in (select id from execution_plans where ${isHeld} and environment = ${environment}
      order by created_at limit ${limit} for update skip locked)
    returning id, p.approval_status is distinct from 'PENDING' as "isApproved"`.execute(db);
  return rows;
}

/** What the waiting plans of an environment show, after a change of its windows. */
export async function renewHolds(
  db: Db,
  environment: string,
  { reason, until }: Pick<Hold, "reason" | "until">,
): Promise<void> {
  await sql`update execution_plans set hold = hold || ${JSON.stringify({ reason, until })}::jsonb
    where ${isHeld} and environment = ${environment} and hold ->> 'reason' is distinct from ${reason}`.execute(
    db,
  );
}

/** Plans that have waited since before that time. */
export async function findHeldTooLong(db: Db, before: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from execution_plans
    where ${isHeld} and (hold ->> 'since')::timestamptz < ${before} limit 100`.execute(db);
  return rows.map(({ id }) => id);
}

/** False when it is not held any more. */
export async function lockHeld(db: Db, planId: string): Promise<boolean> {
  const { rows } =
    await sql`select id from execution_plans where id = ${planId} and ${isHeld} for update`.execute(db);
  return rows.length > 0;
}

export interface HeldPlan {
  planId: string;
  unitId: string | null;
  environment: string;
  action: string;
  originator: string;
  hold: Hold;
}

/** The oldest first; of all users when `originator` is null. */
export async function listHeld(
  db: Db,
  { originator, limit, after }: { originator: string | null; limit: number; after: TimePosition | null },
): Promise<HeldPlan[]> {
  const { rows } =
    await sql<HeldPlan>`select id as "planId", unit_id as "unitId", environment, action, originator, hold
    from execution_plans where ${isHeld} and (${originator}::text is null or originator = ${originator})
      and ${isAfter("(hold ->> 'since')::timestamptz", "id", after)}
    order by ${timeOrder("(hold ->> 'since')::timestamptz", "id")} limit ${limit}`.execute(db);
  return rows;
}

/** Waiting plans by environment. */
export async function countHeld(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{
    environment: string;
    plans: number;
  }>`select environment, count(*)::int as plans
    from execution_plans where ${isHeld} group by environment`.execute(db);
  return new Map(rows.map(({ environment, plans }) => [environment, plans]));
}
