/** Claims tasks for a worker, gives them back, and stores why one that was given back has to wait before it is claimed again. */
import { inTransaction, type Database, type Db, type Transaction } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";
import { appendEvents } from "../../../platform/events/events.ts";
import { mayTakeOver } from "../../../platform/jobs/worker-lease.ts";
import { maxAttempts, nextDeath, nextError } from "../../../platform/run-engine/last-error.ts";
import type { LastError } from "../../../platform/run-engine/last-error.ts";
import { currentError, isDue as isDueRow } from "../../../platform/run-engine/last-error-store.ts";
import { recoveredEvent, taskStream, type ClaimedTask, type StepRecord } from "../task.ts";

/** The worker that claims is $1. */
const isLost = `(i.worker_id = $1 or ${mayTakeOver("i.worker_id", sql.raw("$1")).compile().text})`;

interface ClaimRow extends Omit<ClaimedTask, "steps"> {
  steps: (Omit<StepRecord, "startedAt" | "endedAt"> & { startedAt: string; endedAt: string })[];
}

/** Follows `old`, the selected rows: assigns them to the worker ($1), with the start time $2. */
const takeOld = `task as (
    update instantiations i set status = 'processing', fence = i.fence + 1, writes = 0, worker_id = $1,
      started_at = coalesce(i.started_at, $2)
    from old where i.id = old.id returning i.*)`;

const claimedColumns = `task.id, task.fence, template_ref as "templateRef", plan_hash as "planHash", owner, parameters,
  environment, sealed, traceparent, http_request_id as "httpRequestId", client_address as "clientAddress",
  last_error as "lastError",
  coalesce((select json_agg(json_build_object('step', s.step, 'status', s.status, 'output', s.output,
    'error', s.error, 'startedAt', s.started_at, 'endedAt', s.ended_at) order by s.step)
    from instantiation_steps s where s.instantiation_id = task.id), '[]') as steps,
  coalesce((select json_agg(json_build_object('step', c.step, 'key', c.key, 'value', c.value))
    from instantiation_checkpoints c where c.instantiation_id = task.id), '[]') as checkpoints,
  exists (select 1 from instantiation_workspaces w where w.instantiation_id = task.id) as "hasWorkspace"`;

const claimed = (row: ClaimRow): ClaimedTask => ({
  ...row,
  steps: row.steps.map((step) => ({
    ...step,
    startedAt: new Date(step.startedAt),
    endedAt: new Date(step.endedAt),
  })),
});

export interface OpenClaim {
  workerId: string;
  at: Date;
  driving: readonly string[];
  full: readonly string[];
  limit: number;
  perUser?: number;
}

/**
 * Claims the oldest waiting tasks, except those of the owners in `full`, and those in `driving`, which this worker has not yet
 * left after an earlier claim; concurrent claims get different tasks. With `perUser` no owner has more tasks under way in all
 * processes together.
 */
export async function claimOpen(database: Database, claim: OpenClaim): Promise<ClaimedTask[]> {
  if (claim.perUser !== undefined) return claimOfUsers(database, { ...claim, perUser: claim.perUser });
  const { rows } = await database.pool.query<ClaimRow>({
    name: "claim-open-instantiations",
    text: `with old as (
        select id from instantiations where status = 'open' and not (owner = any ($3::text[]))
          and not (id = any ($5::uuid[]))
        order by created_at limit $4 for update skip locked),
      ${takeOld}
      select ${claimedColumns} from task order by task.created_at`,
    values: [claim.workerId, claim.at, claim.full, claim.limit, claim.driving],
  });
  return rows.map(claimed);
}

async function claimOfUsers(
  database: Database,
  claim: OpenClaim & { perUser: number },
): Promise<ClaimedTask[]> {
  const { rows } = await database.pool.query<ClaimRow>({
    name: "claim-open-instantiations-of-users",
    text: `with wanted as materialized (
        select claimable_instantiations($5, $3::text[], $4 + cardinality($6::uuid[])) as id),
      old as (
        select i.id from instantiations i join wanted on wanted.id = i.id
        where i.status = 'open' and not (i.id = any ($6::uuid[]))
        order by i.created_at limit $4 for update of i skip locked),
      ${takeOld}
      select ${claimedColumns} from task order by task.created_at`,
    values: [claim.workerId, claim.at, claim.full, claim.limit, claim.perUser, claim.driving],
  });
  return rows.map(claimed);
}

/** One that was given back because its worker could not go on is left alone until its next attempt. */
const isDue = isDueRow("i").compile().text;

interface AbandonedRow extends ClaimRow {
  claimedAt: Date;
  /** Who had it; null where that worker has given it back. */
  lastWorker: string | null;
}

/** Claims a task whose worker is gone, and records the event; null when another worker was first, or when it has to wait. */
export async function claimAbandoned(
  database: Database,
  taskId: string,
  { workerId, at }: { workerId: string; at: Date },
): Promise<ClaimedTask | null> {
  return inTransaction(database, async (tx) => {
    const { rows } = await tx.query<AbandonedRow>(
      `with old as (
        select i.id, i.worker_id as "lastWorker" from instantiations i where i.id = $3 and i.status = 'processing'
          and ${isLost} and ${isDue}
        for update),
      ${takeOld}
      select ${claimedColumns}, now() as "claimedAt", (select "lastWorker" from old) as "lastWorker" from task`,
      [workerId, at, taskId],
    );
    const row = rows[0];
    if (row === undefined) return null;
    const { claimedAt, lastWorker, ...task } = row;
    const death = lastWorker !== null && lastWorker !== workerId ? await noteDeath(tx, row) : null;
    if (death !== null && Date.parse(death.nextAttemptAt) > claimedAt.getTime()) return null;
    const reason = lastWorker === null ? task.lastError?.reason : undefined;
    await appendEvents(tx, taskStream(taskId), [recoveredEvent(at, reason)]);
    return claimed({ ...task, lastError: death ?? task.lastError });
  });
}

/** Counts the death of the task's worker. After several in a row the task has to wait before it is claimed again. */
async function noteDeath(tx: Transaction, row: AbandonedRow): Promise<LastError | null> {
  const { id, lastError, claimedAt } = row;
  const next = nextDeath(lastError, { progress: progressOf(row), at: claimedAt });
  if (next === null) return null;
  const waits = Date.parse(next.nextAttemptAt) > claimedAt.getTime();
  await sql`update instantiations set last_error = ${JSON.stringify(next)}::jsonb,
      worker_id = case when ${waits} then null else worker_id end
    where id = ${id}`.execute(tx);
  return next;
}

const progressOf = ({ steps, checkpoints }: Pick<ClaimRow, "steps" | "checkpoints">): number =>
  steps.length + checkpoints.length;

/** Tasks that were started, have no live worker and may be tried, except those of the owners in `full`. */
export async function findAbandoned(
  database: Database,
  query: { workerId: string; driving: readonly string[]; full: readonly string[]; limit: number },
): Promise<{ id: string; owner: string }[]> {
  const { rows } = await database.pool.query<{ id: string; owner: string }>({
    name: "abandoned-instantiations",
    text: `select i.id, i.owner from instantiations i
      where i.status = 'processing' and not (i.id = any ($2::uuid[])) and not (i.owner = any ($4::text[]))
        and ${isLost} and ${isDue}
      order by i.created_at limit $3`,
    values: [query.workerId, query.driving, query.limit, query.full],
  });
  return rows;
}

type Held = Pick<ClaimedTask, "id" | "fence">;

/**
 * Gives back a task that this process will not finish, so that any may claim it: at once, or at its next attempt where its
 * worker could not go on. An error after which it has gone on is forgotten.
 */
export async function releaseTask(db: Db, { id, fence }: Held): Promise<void> {
  await sql`update instantiations set worker_id = null, last_error = ${currentError}
    where id = ${id} and fence = ${fence} and status = 'processing'`.execute(db);
}

/** Stores why the worker of a task can't go on. `isPassing`: it is not the task's fault, so it is tried for as long as it takes. */
export async function noteTaskError(
  database: Database,
  { id, fence }: Held,
  { reason, isPassing }: { reason: string; isPassing: boolean },
): Promise<void> {
  await inTransaction(database, async (tx) => {
    const { rows } = await sql<{ lastError: LastError | null; progress: number; at: Date }>`
      select i.last_error as "lastError", now() as at,
        (select count(*) from instantiation_steps s where s.instantiation_id = i.id)
          + (select count(*) from instantiation_checkpoints c where c.instantiation_id = i.id) as progress
      from instantiations i where i.id = ${id} and i.fence = ${fence} and i.status = 'processing'
      for update of i`.execute(tx);
    const task = rows[0];
    if (task === undefined) return;
    const next = nextError(task.lastError, { reason, ...task });
    const attempts = isPassing ? Math.min(next.attempts, maxAttempts - 1) : next.attempts;
    await sql`update instantiations set last_error = ${JSON.stringify({ ...next, attempts })}::jsonb
      where id = ${id}`.execute(tx);
  });
}
