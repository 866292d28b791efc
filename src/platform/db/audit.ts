import type { RequestContext } from "../lib/request-context.ts";
import { withoutSecrets } from "../lib/secrets/secret-names.ts";
import type { Db } from "./database.ts";
import { sql, type Sql } from "./sql.ts";

export interface AuditEntry {
  operation: string;
  /** What was acted on, e.g. `unit:<id>@<environment>`. */
  subject: string;
  /**
   * Further fields; never a secret. Values that look like one, or have the name of one, are masked anyway.
   */
  detail?: object;
}

/** Writes one audit row in the transaction of the change that it describes. */
export async function writeAudit(db: Db, ctx: RequestContext, entry: AuditEntry): Promise<void> {
  await auditInsert(ctx, entry).execute(db);
}

/** The same as a part of a larger statement: `with audited as (…)`. */
export const auditInsert = (ctx: RequestContext, entry: AuditEntry): Sql =>
  sql`insert into audit (at, actor, operation, subject, request_id, detail) values
    (${ctx.now()}, ${ctx.actor.ref}, ${entry.operation}, ${entry.subject}, ${ctx.requestId},
     ${JSON.stringify(withoutSecrets(entry.detail ?? {}))}::jsonb)`;
