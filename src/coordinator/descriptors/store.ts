/** Accepted descriptors in the order of their acceptance. */
import { sql } from "kysely";
import type { Db } from "../../platform/db/database.ts";

export interface AcceptedDescriptor {
  action: string;
  descriptor: Record<string, unknown>;
  acceptedAt: Date;
}

/** Where a page ends, although its limit is not reached; each page has one descriptor at least. */
const pageBytes = 8 * 1024 * 1024;

/** The page after a time, never ending between equal times. */
export async function readAccepted(
  db: Db,
  { after, limit }: { after: Date; limit: number },
): Promise<AcceptedDescriptor[]> {
  const settledBefore = await readSettledTime(db);
  const { rows } = await sql<AcceptedDescriptor>`select action, request -> 'descriptor' as descriptor,
      created_at as "acceptedAt"
    from (
      select id, action, request, created_at, sum(octet_length(request::text)) over (order by created_at
        groups between unbounded preceding and 1 preceding) as bytes_before
      from (select * from execution_plans where kind = 'PROVISIONING' and created_at > ${after}
          and created_at < ${settledBefore}::timestamptz
        order by created_at fetch first (${limit}::int) rows with ties) page) sized
    where coalesce(bytes_before, 0) < ${pageBytes}
    order by created_at, id`.execute(db);
  return rows;
}

/**
 * The time before which no plan can appear any more. A plan takes its time within its transaction, so one that is still to
 * come is later than the beginning of some transaction that writes, or than now. Asked before the page is read: a
 * transaction that ends in between shows its plan there. Text, since the moment is finer than a Date.
 */
async function readSettledTime(db: Db): Promise<string> {
  const { rows } = await sql<{ time: string }>`select least(clock_timestamp(), min(xact_start))::text as time
    from pg_stat_activity where backend_xid is not null and datname = current_database()`.execute(db);
  return rows[0]?.time ?? "-infinity";
}
