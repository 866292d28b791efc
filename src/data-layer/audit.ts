import { writeAudit as write, type AreaAuditEntry } from "../platform/db/audit.ts";
import type { Db } from "../platform/db/database.ts";
import type { RequestContext } from "../platform/lib/request-context.ts";

/** Writes an audit row of this area in the transaction of the change that it describes. */
export const writeAudit = (db: Db, ctx: RequestContext, entry: AreaAuditEntry): Promise<void> =>
  write(db, ctx, { ...entry, area: "data-layer" });
