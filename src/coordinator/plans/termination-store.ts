/** Terminates plans: asks the driver of an active plan, ends a queued one at once. */
import type { Db } from "../../platform/db/database.ts";
import { isoTime } from "../../platform/db/iso-time.ts";
import { sql } from "../../platform/db/sql.ts";
import { appendEvents, type NewEvent } from "../../platform/events/events.ts";
import { planEvent, planStream } from "../execution/plan-events.ts";
import { controlChannel, isActive, isDue } from "../execution/store.ts";
import type { TerminateMode } from "../execution/types.ts";

export type TerminateOutcome = "accepted" | "finished" | "unknown";

export interface Termination {
  mode: TerminateMode;
  at: Date;
  /** Why, where nobody has asked for it: the plan ends with this reason. */
  why?: string;
}

/**
 * Asks the driver of a plan to end it. Idempotent; forced replaces safe, never the reverse. The first reason stays. A plan
 * that waits after an error is tried at once, and waits as before if it can't be ended either.
 */
export async function requestTermination(
  db: Db,
  planId: string,
  { mode, at, why }: Termination,
): Promise<TerminateOutcome> {
  const reason = "Terminated on request before its turn had come.";
  const status = "TERMINATED" as const;
  const events = [planEvent(at, planId, status, reason)];
  if (await endQueued(db, planId, { status, reason, at, events })) return "accepted";
  const isNew = sql`(p.terminate_mode is null or (p.terminate_mode = 'safe' and ${mode} = 'forced'))`;
  const { rows } = await sql<{ id: string }>`update execution_plans p set status = 'TERMINATING',
      terminate_mode = case when p.terminate_mode = 'forced' then 'forced' else ${mode} end,
      terminate_reason = case when p.terminate_mode is null then ${why ?? null} else p.terminate_reason end,
      terminate_at = case when ${isNew} then ${at} else p.terminate_at end,
      last_error = case when ${isNew} and not ${isDue}
        then p.last_error || jsonb_build_object('nextAttemptAt', ${isoTime("now()")}) else p.last_error end
    where p.id = ${planId} and ${isActive} returning p.id`.execute(db);
  if (rows.length === 0) {
    const known = await sql`select 1 from execution_plans where id = ${planId}`.execute(db);
    return known.rows.length > 0 ? "finished" : "unknown";
  }
  await sql`update operations set status = 'TERMINATING' where plan_id = ${planId}
    and status in ('SCHEDULED', 'RUNNING')`.execute(db);
  await appendEvents(db, planStream(planId), [planEvent(at, planId, "TERMINATING")]);
  await sql`select pg_notify(${controlChannel}, ${planId})`.execute(db);
  return "accepted";
}

export interface QueuedEnd {
  status: "FAILED" | "TERMINATED";
  reason: string;
  at: Date;
  events: NewEvent[];
}

/** Ends a queued plan; false when it is not queued any more. */
export async function endQueued(db: Db, planId: string, end: QueuedEnd): Promise<boolean> {
  const { rows } = await sql`update execution_plans set status = ${end.status}, failure = ${end.reason},
      queued = false, stopped_at = ${end.at} where id = ${planId} and queued returning 1`.execute(db);
  if (rows.length === 0) return false;
  await sql`update operations set status = ${end.status}, queued = false, stop_time = ${end.at}
    where plan_id = ${planId}`.execute(db);
  await sql`delete from queued_starts where plan_id = ${planId}`.execute(db);
  await appendEvents(db, planStream(planId), end.events);
  return true;
}
