/** Rows of exceptions. */
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { isAfter, timeOrder, type TimePosition } from "../../platform/db/time-position.ts";
import type { ExceptionRow } from "./exception.ts";
import type { ExceptionQuery } from "./schema.ts";

const columns = sql.raw(`id, policy_id as "policyId", resource_ids as "resourceIds", selection as "select",
  environments, reason, until, status, requested_by as "requestedBy", requested_at as "requestedAt",
  decided_by as "decidedBy", decided_at as "decidedAt", decision_reason as "decisionReason"`);

export type NewException = Pick<
  ExceptionRow,
  | "id"
  | "policyId"
  | "resourceIds"
  | "select"
  | "environments"
  | "reason"
  | "until"
  | "requestedBy"
  | "requestedAt"
>;

export async function insertException(db: Db, row: NewException): Promise<void> {
  await sql`insert into exceptions (id, policy_id, resource_ids, selection, environments, reason, until, status,
      requested_by, requested_at, updated_at)
    values (${row.id}, ${row.policyId}, ${row.resourceIds}::text[], ${row.select}, ${row.environments}::text[],
      ${row.reason}, ${row.until}, 'pending', ${row.requestedBy}, ${row.requestedAt}, ${row.requestedAt})`.execute(
    db,
  );
}

export async function readException(db: Db, id: string): Promise<ExceptionRow | null> {
  const { rows } = await sql<ExceptionRow>`select ${columns} from exceptions where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** The newest first. */
export async function listExceptions(
  db: Db,
  query: ExceptionQuery,
  at: Date,
): Promise<{ rows: ExceptionRow[]; total: number }> {
  const { policy = null, resource = null, status, limit, offset } = query;
  const condition = sql`(${policy}::text is null or policy_id = ${policy})
    and (${resource}::text is null or selection is not null
      or exists (select 1 from unnest(resource_ids) r where lower(r) = ${resource?.toLowerCase() ?? null}))
    and (cardinality(${status}::text[]) = 0 or (case when status in ('pending', 'approved') and until <= ${at}
      then 'expired' else status end) = any(${status}::text[]))`;
  const { rows } = await sql<ExceptionRow>`select ${columns} from exceptions where ${condition}
    order by requested_at desc, id limit ${limit} offset ${offset}`.execute(db);
  const counted = await sql<{ total: number }>`select count(*) as total from exceptions
    where ${condition}`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

/** Pending ones that somebody else has requested, the oldest first. */
export async function readUndecided(
  db: Db,
  { notBy, at, limit, after = null }: { notBy: string; at: Date; limit: number; after?: TimePosition | null },
): Promise<ExceptionRow[]> {
  const { rows } = await sql<ExceptionRow>`select ${columns} from exceptions
    where status = 'pending' and until > ${at} and requested_by <> ${notBy}
      and ${isAfter("requested_at", "id::text", after)}
    order by ${timeOrder("requested_at", "id::text")} limit ${limit}`.execute(db);
  return rows;
}

/** At most 10,000. */
export async function countUndecided(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from
    (select 1 from exceptions where status = 'pending' and until > now() limit 10000) undecided`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Those that excuse at that moment. */
export async function readApproved(db: Db, at: Date): Promise<ExceptionRow[]> {
  const { rows } = await sql<ExceptionRow>`select ${columns} from exceptions
    where status = 'approved' and until > ${at} order by id`.execute(db);
  return rows;
}

export interface Decision {
  id: string;
  status: "approved" | "rejected";
  by: string;
  at: Date;
  reason: string;
}

/** False when it is no longer pending, has ended, or the decider requested it. */
export async function decideException(db: Db, { id, status, by, at, reason }: Decision): Promise<boolean> {
  const { rows } = await sql`update exceptions set status = ${status}, decided_by = ${by}, decided_at = ${at},
      decision_reason = ${reason}, updated_at = ${at}
    where id = ${id} and status = 'pending' and until > ${at} and requested_by <> ${by} returning id`.execute(
    db,
  );
  return rows.length > 0;
}

/** False when it has ended or was refused already. */
export async function revokeException(db: Db, id: string, at: Date): Promise<boolean> {
  const { rows } = await sql`update exceptions set status = 'revoked', updated_at = ${at}
    where id = ${id} and status in ('pending', 'approved') and until > ${at} returning id`.execute(db);
  return rows.length > 0;
}

/** Ids of those whose end has come, which are now expired. */
export async function expireExceptions(db: Db, at: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`update exceptions set status = 'expired', updated_at = ${at}
    where status in ('pending', 'approved') and until <= ${at} returning id`.execute(db);
  return rows.map(({ id }) => id);
}
