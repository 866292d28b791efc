/** Counts of plans, unknown outcomes, deliveries and drift checks, for the metrics. */
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { isActive } from "../execution/store.ts";

export interface WatchingNumbers {
  activePlans: { state: "waiting" | "driven"; count: number }[];
  openOutcomes: { environment: string; count: number; oldestSeconds: number }[];
  deliveries: { webhook: string; status: string; count: number; oldestSeconds: number }[];
  drift: { environment: string; result: string; count: number }[];
}

export async function readWatchingNumbers(db: Db): Promise<WatchingNumbers> {
  const { rows } = await sql<WatchingNumbers>`select
    (select coalesce(json_agg(a), '[]') from (select s.state, (select count(*) from execution_plans p where ${isActive}
        and (p.worker_id is not null) = (s.state = 'driven')) as count
      from (values ('waiting'), ('driven')) s (state)) a) as "activePlans",
    (select coalesce(json_agg(o), '[]') from (select environment, count(*),
        extract(epoch from now() - min(since)) as "oldestSeconds"
      from unknown_outcomes where settled_at is null group by environment) o) as "openOutcomes",
    (select coalesce(json_agg(d), '[]') from (select webhook, lower(status) as status, count(*),
        extract(epoch from now() - min(created_at)) as "oldestSeconds"
      from webhook_deliveries where status in ('PENDING', 'DEAD') group by webhook, status) d) as deliveries,
    (select coalesce(json_agg(d), '[]') from (select environment, result, count(*) from (
        select distinct on (unit_key, environment) environment, result from drift_checks
        where status = 'COMPLETED' order by unit_key, environment, created_at desc) latest
      group by environment, result) d) as drift`.execute(db);
  return rows[0] ?? { activePlans: [], openOutcomes: [], deliveries: [], drift: [] };
}
