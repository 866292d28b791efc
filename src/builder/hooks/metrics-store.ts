/** Numbers of pending hooks and actions, for the metrics. */
import { sql } from "kysely";
import type { Db } from "../../platform/db/database.ts";

export interface PendingNumbers {
  action: string;
  kind: string;
  count: number;
  oldestSeconds: number;
}

export async function readPendingNumbers(db: Db): Promise<PendingNumbers[]> {
  const { rows } = await sql<PendingNumbers>`select a.name as action, h.kind, count(*) as count,
      extract(epoch from now() - min(h.created_at))::float8 as "oldestSeconds"
    from hooks h join hook_actions a on a.id = h.action_id where h.status = 'pending'
    group by a.name, h.kind`.execute(db);
  return rows;
}
