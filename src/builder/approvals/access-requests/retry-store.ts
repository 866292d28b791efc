/** What an access request that has failed is asked about before it is tried again. */
import type { Db } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";

export interface Approval {
  /** The first one: a retry needs none. */
  approvedAt: Date;
  /** Whether a request that was approved later takes away what the failed ports would give. */
  isRevoked: boolean;
}

/** An identity as it is compared: in lower case, with its namespace. */
const inFull = (identity: string) =>
  sql.raw(`lower(case when ${identity} like '%/%' then ${identity}
    else regexp_replace(${identity}, ':', ':default/') end)`);

/** The action of an approval is deleted after a long time only; the age of the request stands for it then. */
export async function readApproval(db: Db, id: string): Promise<Approval | null> {
  const { rows } = await sql<Approval>`with failed as (
      select r.*, coalesce(a.ended_at, r.created_at) as first_approved_at
      from access_requests r left join hook_actions a on a.id = r.action_id where r.id = ${id}
    )
    select f.first_approved_at as "approvedAt", exists (select 1 from access_requests v
        where v.operation = 'REVOKE' and v.status in ('APPROVED', 'APPLYING', 'REVOKED', 'FAILED')
          and v.approved_at > f.first_approved_at
          and lower(v.unit_id) = lower(f.unit_id) and v.environment = f.environment
          and exists (select 1 from access_request_ports mine, access_request_ports other
            where mine.request_id = f.id and mine.status = 'FAILED'
              and other.request_id = v.id and lower(other.urn) = lower(mine.urn))
          and exists (select 1 from unnest(f.identities) mine, unnest(v.identities) other
            where ${inFull("mine")} = ${inFull("other")})) as "isRevoked"
    from failed f`.execute(db);
  return rows[0] ?? null;
}
