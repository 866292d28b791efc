/** What an access request that has failed is asked about before it is tried again. */
import type { Db } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";
import { inFull } from "./identities.ts";

export interface Approval {
  /** The first one: a retry needs none. */
  approvedAt: Date;
  /** Whether a request that was approved later takes away what the failed ports would give. */
  isRevoked: boolean;
}

interface ApprovalRow {
  approvedAt: Date;
  identities: string[];
  /** Whose access to a failed port is taken away by requests that were approved later. */
  revoked: string[];
}

/**
 * The time of the first approval is the end of its hook's action. Where that was deleted, which takes long, a grant counts
 * from its request and a revocation from its last approval: both rather refuse a retry than give access.
 */
export async function readApproval(db: Db, id: string): Promise<Approval | null> {
  const { rows } = await sql<ApprovalRow>`with failed as (
      select r.*, coalesce(a.ended_at, r.created_at) as first_approved_at
      from access_requests r left join hook_actions a on a.id = r.action_id where r.id = ${id}
    )
    select f.first_approved_at as "approvedAt", f.identities, array(select distinct identity
        from access_requests v left join hook_actions a on a.id = v.action_id, unnest(v.identities) identity
        where v.operation = 'REVOKE' and v.status in ('APPROVED', 'APPLYING', 'REVOKED', 'FAILED')
          and coalesce(a.ended_at, v.approved_at) > f.first_approved_at
          and lower(v.unit_id) = lower(f.unit_id) and v.environment = f.environment
          and exists (select 1 from access_request_ports mine, access_request_ports other
            where mine.request_id = f.id and mine.status = 'FAILED'
              and other.request_id = v.id and lower(other.urn) = lower(mine.urn))) as revoked
    from failed f`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const revoked = new Set(row.revoked.map(compared));
  return {
    approvedAt: row.approvedAt,
    isRevoked: row.identities.some((identity) => revoked.has(compared(identity))),
  };
}

/** Letters beyond ASCII are compared without their case, too, so that a doubtful retry is refused. */
const compared = (identity: string): string => inFull(identity).toLowerCase();
