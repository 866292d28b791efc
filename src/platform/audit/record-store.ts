/** Rows of an audit with their places in its chain, for lists and exports. */
import type { Db } from "../db/database.ts";
import { isoTime } from "../db/iso-time.ts";
import { sql, type Sql } from "../db/sql.ts";
import type { AuditRow } from "./chain.ts";

/** What is given has to fit. */
export interface AuditFilter {
  actor?: string | undefined;
  action?: string | undefined;
  resource?: string | undefined;
  /** How the resource begins. */
  resourcePrefix?: string | undefined;
  area?: string | undefined;
  requestId?: string | undefined;
  from?: Date | undefined;
  /** The end of the time, which is not part of it. */
  to?: Date | undefined;
}

export interface PlacedRow extends AuditRow {
  /** Null while the row is not sealed. */
  seq: number | null;
  hash: string | null;
  /** Null where the link before is missing, too. */
  previousHash: string | null;
}

/** Rows below an id, the latest first; null begins with the last row. */
export const listRows = (
  db: Db,
  filter: AuditFilter,
  { below, limit }: { below: number | null; limit: number },
): Promise<PlacedRow[]> => {
  const first = below === null ? [] : [sql`a.id < ${below}`];
  return read(db, [...first, ...conditionsOf(filter)], { order: sql`desc`, limit });
};

/** Rows after an id, up to another one, in the order of the chain. */
export const exportRows = (
  db: Db,
  filter: AuditFilter,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<PlacedRow[]> =>
  read(db, [sql`a.id > ${after}`, sql`a.id <= ${upTo}`, ...conditionsOf(filter)], { order: sql`asc`, limit });

async function read(
  db: Db,
  conditions: readonly Sql[],
  { order, limit }: { order: Sql; limit: number },
): Promise<PlacedRow[]> {
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
  const { rows } =
    await sql<PlacedRow>`select a.id, ${isoTime("a.at")} as at, a.area, a.actor, a.operation, a.subject,
      a.request_id as "requestId", a.client_address as "clientAddress", a.detail, c.seq,
      encode(c.hash, 'hex') as hash,
      encode(coalesce(b.hash, (select pruned_hash from audit_head where pruned_seq = c.seq - 1)), 'hex') as "previousHash"
    from (select * from audit a ${where} order by a.id ${order} limit ${limit}) a
      left join audit_chain c on c.audit_id = a.id
      left join audit_chain b on b.seq = c.seq - 1
    order by a.id ${order}`.execute(db);
  return rows;
}

function conditionsOf(filter: AuditFilter): Sql[] {
  const { actor, action, resource, resourcePrefix, area, requestId, from, to } = filter;
  return [
    actor === undefined ? null : sql`a.actor = ${actor}`,
    action === undefined ? null : sql`a.operation = ${action}`,
    resource === undefined ? null : sql`a.subject = ${resource}`,
    resourcePrefix === undefined ? null : sql`starts_with(a.subject, ${resourcePrefix})`,
    area === undefined ? null : sql`a.area = ${area}`,
    requestId === undefined ? null : sql`a.request_id = ${requestId}`,
    from === undefined ? null : sql`a.at >= ${from}`,
    to === undefined ? null : sql`a.at < ${to}`,
  ].filter((each) => each !== null);
}
