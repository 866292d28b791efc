/** How far an operation is and what it waits for, as parts of its JSON: `o` is the operation and `p` its plan. */
import { isoTime } from "../../platform/db/iso-time.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { plansBefore, repeatsBefore } from "../execution/store.ts";
import {
  afterAccess,
  atItsTurn,
  cannotBegin,
  couldNotGoOn,
  goesOnAfterDeaths,
  goesOnLater,
  repeatedCallOf,
  startsAgain,
  firstOfFreeUnit,
} from "./waiting.ts";
import { firstOf, queueUpTo } from "./store.ts";

const count = (condition: string): Sql => sql`count(*) filter (where ${sql.raw(condition)})`;

const taskCounts = sql`(select json_build_object('total', count(*), 'completed', ${count("t.status = 'COMPLETED'")},
    'failed', ${count("t.status in ('FAILED', 'SKIPPED', 'TERMINATED')")},
    'running', ${count("t.status in ('RUNNING', 'TERMINATING')")}, 'waiting', ${count("t.status = 'WAITING'")})
  from plan_tasks t where t.plan_id = o.plan_id)`;

interface Wait {
  kind: string;
  reason: Sql;
  since: Sql;
  who?: Sql;
  until?: Sql;
  next: Sql;
}

const waitObject = ({ kind, reason, since, who, until, next }: Wait): Sql =>
  sql`json_build_object('kind', ${sql.lit(kind)}, 'reason', ${reason}, 'since', ${since},
    'who', ${who ?? sql`'[]'::json`}, 'until', ${until ?? sql`null::text`}, 'next', ${next})`;

const ofQueue = waitObject({
  kind: "QUEUE",
  reason: sql`'Waits for its turn on the unit; position ' || (select count(*) from ${queueUpTo(sql`o.plan_id`)})
    || ' in its line.'`,
  since: isoTime("o.start_time"),
  next: sql.lit(atItsTurn),
});

/** The row of a queued start that is the first of a unit without an active operation. */
const isFirstOfFreeUnit = sql`from queued_starts q where q.plan_id = o.plan_id
  and not exists (select 1 from operations a where a.unit_key = o.unit_key and a.environment = o.environment
    and a.status in ('SCHEDULED', 'RUNNING', 'TERMINATING') and not a.queued)
  and not exists (select 1 from queued_starts b where b.unit_key = q.unit_key and b.environment = q.environment
    and b.number < q.number)`;

const ofFirst = sql`(select ${waitObject({
  kind: "QUEUE",
  reason: sql`coalesce(${sql.lit(cannotBegin)} || (q.last_error ->> 'reason'), ${sql.lit(firstOfFreeUnit)})`,
  since: sql`coalesce(q.last_error ->> 'since', ${isoTime("q.queued_at")})`,
  next: sql`case when q.last_error is null then ${sql.lit(atItsTurn)} else ${sql.lit(startsAgain)} end`,
})} ${isFirstOfFreeUnit})`;

const ofApproval = waitObject({
  kind: "APPROVAL",
  reason: sql`'Waits for an approval, by the rule "' || (p.approval ->> 'rule') || '".'`,
  since: sql`p.approval ->> 'since'`,
  who: sql`coalesce(p.approval -> 'approvers', '[]')`,
  until: sql`p.approval ->> 'expiresAt'`,
  next: sql.lit("Once it is approved a worker takes the plan; otherwise the plan ends without having begun."),
});

const ofWindow = waitObject({
  kind: "WINDOW",
  reason: sql`p.hold ->> 'reason'`,
  since: sql`p.hold ->> 'since'`,
  until: sql`p.hold ->> 'until'`,
  next: sql.lit("A worker takes the plan once operations may begin in its environment."),
});

const firstBefore = sql`(select ${firstOf} from ${plansBefore} as before)`;

const ofAccess = waitObject({
  kind: "QUEUE",
  reason: sql`'Waits for the change of access of plan ' || ${firstBefore} || '.'`,
  since: isoTime("coalesce(p.turn_at, p.created_at)"),
  next: sql.lit(afterAccess),
});

const ofRepeat = sql`(select ${waitObject({
  kind: "QUEUE",
  reason: sql`${sql.lit(repeatedCallOf)} || before.id || '.'`,
  since: isoTime("coalesce(p.turn_at, p.created_at)"),
  until: isoTime("before.until"),
  next: sql.lit(afterAccess),
})} from ${repeatsBefore} as before order by before.until desc limit 1)`;

const ofWorker = waitObject({
  kind: "WORKER",
  reason: sql.lit("No worker has taken the plan yet."),
  since: isoTime("coalesce(p.turn_at, p.created_at)"),
  next: sql.lit("A worker that has room for another plan takes it."),
});

const ofLostWorker = waitObject({
  kind: "WORKER",
  reason: sql.lit("Its worker has gone."),
  since: isoTime("p.started_at"),
  next: sql.lit("A worker takes it over and goes on from where it was."),
});

const ofError = waitObject({
  kind: "WORKER",
  reason: sql`${sql.lit(couldNotGoOn)} || (p.last_error ->> 'reason')`,
  since: sql`p.last_error ->> 'since'`,
  until: sql`p.last_error ->> 'nextAttemptAt'`,
  next: sql`case when p.last_error ->> 'deaths' is null then ${sql.lit(goesOnLater)}
    else ${sql.lit(goesOnAfterDeaths)} end`,
});

/** The task that has waited longest for an adapter, unless another task of the plan goes on. */
const ofAdapter = sql`(select ${waitObject({
  kind: "ADAPTER",
  reason: sql`coalesce(t.component_name, t.component_id, t.task_id) || ': ' || (t.waiting ->> 'reason')`,
  since: sql`t.waiting ->> 'since'`,
  until: sql`t.waiting ->> 'nextAttemptAt'`,
  next: sql`coalesce(t.waiting ->> 'next', 'The adapter is asked again.')`,
})} from plan_tasks t where t.plan_id = o.plan_id and t.status in ('RUNNING', 'TERMINATING')
    and t.waiting is not null and not exists (select 1 from plan_tasks s where s.plan_id = o.plan_id
      and s.status in ('RUNNING', 'TERMINATING') and s.waiting is null)
  order by t.waiting ->> 'since', t.position limit 1)`;

const isDriven = sql`exists (select 1 from workers w where w.id = p.worker_id
  and w.heartbeat_at > now() - make_interval(secs => w.lease_ms / 1000.0))`;

/** What comes first in this order holds the plan back. */
const waitsFor = sql`case
    when o.status not in ('SCHEDULED', 'RUNNING', 'TERMINATING') then null
    when o.queued then coalesce(${ofFirst}, ${ofQueue})
    when p.approval_status = 'PENDING' and p.status = 'WAITING' then ${ofApproval}
    when p.hold is not null and p.status = 'WAITING' then ${ofWindow}
    when p.started_at is null and exists ${plansBefore} then ${ofAccess}
    when p.worker_id is null and p.last_error is not null then ${ofError}
    when p.started_at is null then coalesce(${ofRepeat}, ${ofWorker})
    when not ${isDriven} then ${ofLostWorker}
    else ${ofAdapter} end`;

export const progressSql = sql`'progress', ${taskCounts}, 'failure', p.failure, 'waitsFor', ${waitsFor},`;
