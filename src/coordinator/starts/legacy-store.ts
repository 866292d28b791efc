/** Reads of the deprecated operations. */
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { UnitKey } from "../units/store.ts";

/** Whether anything was ever started for the unit in the environment. */
export async function isKnownUnit(db: Db, at: UnitKey): Promise<boolean> {
  const { rows } = await sql`select 1 from units where unit_key = ${at.unitKey}
    and environment = ${at.environment}`.execute(db);
  return rows.length > 0;
}

/** The legacy status as JSON text, or null for an unknown token. */
export async function readLegacyStatus(db: Db, token: string): Promise<string | null> {
  const { rows } = await sql<{ text: string }>`select json_build_object(
      'status', case p.status when 'WAITING' then 'RUNNING' else p.status end,
      'result', coalesce(p.failure, done.result, ''),
      'info', json_build_object('publicInfo', coalesce(done.public_info, '{}'),
        'privateInfo', coalesce(done.private_info, '{}')))::text as text
    from execution_plans p cross join lateral (
      select case when count(*) = 1 then min(t.result) end as result,
        json_object_agg(t.component_id, t.info -> 'publicInfo')
          filter (where t.component_id is not null and t.info -> 'publicInfo' is not null) as public_info,
        json_object_agg(t.component_id, t.info -> 'privateInfo')
          filter (where t.component_id is not null and t.info -> 'privateInfo' is not null) as private_info
      from plan_tasks t where t.plan_id = p.id and t.action not like '%VALIDATE%') done
    where p.id = ${token}`.execute(db);
  return rows[0]?.text ?? null;
}
