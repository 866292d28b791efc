import type { AuditArea } from "../lib/audit-areas.ts";
import type { RequestContext } from "../lib/request-context.ts";
import { withoutSecrets } from "../lib/secrets/secret-names.ts";
import type { Db } from "./database.ts";
import { sql, type Sql } from "./sql.ts";

export interface AuditEntry {
  /** The area whose rows the change is about; each area has a `writeAudit` of its own that says so. */
  area: AuditArea;
  operation: string;
  /** What was acted on, e.g. `unit:<id>@<environment>`. */
  subject: string;
  /**
   * Further fields; never a secret. Values that look like one, or have the name of one, are masked anyway.
   */
  detail?: object;
}

/** What an area's own `writeAudit` is called with. */
export type AreaAuditEntry = Omit<AuditEntry, "area">;

/**
 * Writes one audit row in the transaction of the change that it describes. The row has no place in the chain of hashes
 * until it is sealed (platform/audit), so that transactions that write such rows never wait for each other.
 */
export async function writeAudit(db: Db, ctx: RequestContext, entry: AuditEntry): Promise<void> {
  await auditInsert(ctx, entry).execute(db);
}

/** The same as a part of a larger statement: `with audited as (…)`. */
export const auditInsert = (ctx: RequestContext, entry: AuditEntry): Sql =>
  sql`insert into audit (at, area, actor, operation, subject, request_id, client_address, detail) values
    (${ctx.now()}, ${entry.area}, ${ctx.actor.ref}, ${entry.operation}, ${entry.subject}, ${ctx.requestId},
     ${ctx.clientAddress}, ${JSON.stringify(withoutSecrets(entry.detail ?? {}))}::jsonb)`;
