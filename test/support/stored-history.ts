/** Plans, operations and log lines put into the database as if they had been run, for what only reads them. */
import type { Db } from "../../src/platform/db/database.ts";
import { sql } from "../../src/platform/db/sql.ts";

export interface StoredOperation {
  id: string;
  unitId: string;
  environment: string;
  status: string;
  startTime: string;
}

export async function storeOperations(db: Db, operations: StoredOperation[]): Promise<void> {
  const rows = JSON.stringify(operations);
  const source = sql`json_to_recordset(${rows}::json) as r(id text, "unitId" text, environment text, status text,
    "startTime" timestamptz)`;
  await sql`insert into execution_plans (id, kind, unit_key, unit_id, environment, action, status, originator,
      request, descriptor_version, traceparent, deadline_at, created_at)
    select r.id, 'PROVISIONING', lower(r."unitId"), r."unitId", r.environment, 'PROVISION', 'COMPLETED',
      'user:default/ada', json_build_object('descriptor', json_build_object('id', r."unitId")), '1.0.0', '',
      now(), r."startTime" from ${source}`.execute(db);
  await sql`insert into operations (id, plan_id, unit_key, unit_id, environment, action, descriptor_version, status,
      originator, components, start_time, stop_time)
    select r.id, r.id, lower(r."unitId"), r."unitId", r.environment, 'DEPLOY', '1.0.0', r.status,
      'user:default/ada', '[{"componentId":"hull","provisioningAction":"DEPLOY"}]', r."startTime",
      r."startTime" + interval '1 second' from ${source}`.execute(db);
}

/** When the first of many operations began. */
export const firstStart = new Date("2026-01-01T00:00:00.000Z");

/** Many operations of many units, one each 250 ms, most of them well ended, and the newest ones under way. */
export async function storeManyOperations(db: Db, count: number): Promise<void> {
  const each = sql`select n, 'unit-' || n % 5000 as unit, (array['development', 'staging', 'production'])[1 + n % 3] as env,
      ${firstStart}::timestamptz + n * interval '250 milliseconds' as at,
      case when n > ${count} - 50 then 'RUNNING' when n % 997 = 0 then 'FAILED' when n % 4999 = 0 then 'TERMINATED'
        else 'SUCCEEDED' end as status
    from generate_series(1, ${count}::int) n`;
  await sql`insert into execution_plans (id, kind, unit_key, unit_id, environment, action, status, originator, request,
      descriptor_version, traceparent, deadline_at, created_at)
    select 'plan-' || n, 'PROVISIONING', unit, unit, env, 'PROVISION',
      case status when 'SUCCEEDED' then 'COMPLETED' when 'RUNNING' then 'COMPLETED' else status end, 'user:default/ada',
      json_build_object('descriptor', json_build_object('id', unit, 'version', '1.0.0', 'components',
        json_build_array(json_build_object('id', 'hull', 'name', 'Hull')))), '1.0.0', '', at, at
    from (${each}) e`.execute(db);
  await sql`insert into plan_tasks (plan_id, task_id, position, stage, action, component_key, component_id, status,
      idempotency_key)
    select 'plan-' || n, 'provision:hull', 1, 1, 'PROVISION', 'hull', 'hull',
      case status when 'SUCCEEDED' then 'COMPLETED' else status end, n::text
    from (${each}) e`.execute(db);
  await sql`insert into operations (id, plan_id, unit_key, unit_id, environment, action, descriptor_version, status,
      originator, components, start_time)
    select 'plan-' || n, 'plan-' || n, unit, unit, env, 'DEPLOY', '1.0.0', status, 'user:default/ada',
      '[{"componentId":"hull","provisioningAction":"DEPLOY","taskId":"provision:hull"},
        {"componentId":"mast","provisioningAction":"NONE"}]'::json, at
    from (${each}) e`.execute(db);
  await analyse(db, ["execution_plans", "plan_tasks", "operations"]);
}

/** The log of one plan: one line in a thousand is an error, one in a hundred a warning. */
export async function storeManyLines(db: Db, planId: string, count: number): Promise<void> {
  await sql`insert into events (stream, type, at, level, data)
    select 'plan:' || ${planId}::text, 'log', now(), level, json_build_object('timestamp', '2026-11-21T08:00:00.000Z',
      'severity', (array['DEBUG', 'INFO', 'WARNING', 'ERROR'])[level / 10], 'task', 'provision:part-' || n % 1000,
      'message', 'line ' || n, 'phase', 'PROVISION:ADAPTER')
    from (select n, case when n % 1000 = 0 then 40 when n % 100 = 0 then 30 when n % 3 = 0 then 20 else 10 end as level
      from generate_series(1, ${count}::int) n) line`.execute(db);
  await analyse(db, ["events"]);
}

async function analyse(db: Db, tables: string[]): Promise<void> {
  for (const table of tables) await sql`vacuum analyze ${sql.ref(table)}`.execute(db);
}
