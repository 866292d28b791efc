/** Reads what the schedules of drift checks have checked. */
import type { Db } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { CheckedUnits, DueUnits } from "./schedule.ts";

export interface Scheduled extends CheckedUnits {
  units: number;
  drifted: number;
  lastRunAt: Date | null;
}

/** In the order of the schedules. A unit is due by the same rule as in `findUnchecked`. */
export async function readScheduled(db: Db, schedules: readonly DueUnits[]): Promise<Scheduled[]> {
  const { rows } = await sql<Scheduled>`select count(u.unit_key) as units,
      count(u.unit_key) filter (where (d.created_at is null or d.created_at < s.before)
        and (s.unchanged_since is null or u.updated_at <= s.unchanged_since)) as due,
      count(u.unit_key) filter (where d.result = 'DRIFTED') as drifted,
      min(d.created_at) as "oldestCheckAt", max(d.scheduled_at) as "lastRunAt"
    from unnest(${schedules.map(({ environment }) => environment)}::text[],
      ${schedules.map(({ before }) => before)}::timestamptz[],
      ${schedules.map(({ unchangedSince }) => unchangedSince)}::timestamptz[])
      with ordinality s(environment, before, unchanged_since, position)
    left join units u on u.environment = s.environment and exists (select 1 from unit_components c
      where c.unit_key = u.unit_key and c.environment = u.environment and c.status = 'DEPLOYED')
    left join lateral (
      select max(last.created_at) as created_at, max(last.created_at) filter (where last.trigger = 'SCHEDULED') as scheduled_at,
        (array_agg(last.result order by last.created_at desc) filter (where last.result is not null))[1] as result
      from (select created_at, trigger, result from drift_checks d where d.unit_key = u.unit_key
        and d.environment = u.environment order by d.created_at desc, d.id desc limit 5) last) d on true
    group by s.position order by s.position`.execute(db);
  return rows;
}
