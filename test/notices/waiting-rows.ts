/** Rows of things that wait for people, as the areas write them. */
import { randomUUID } from "node:crypto";
import type { Database } from "../../src/platform/db/database.ts";
import { idKey } from "../../src/coordinator/ids.ts";

export interface HookOf {
  action: "accessRequest" | "deployment";
  kind: "notification" | "remote";
  requester: string;
  owners: readonly string[];
  fields: Record<string, unknown>;
}

/** All processes together look every five seconds for what waits; this makes the next look due at once. */
export const lookSoon = ({ pool }: Database): Promise<unknown> =>
  pool.query("update notice_look set looked_at = null");

/** Inserts what waits, which is found at once. */
async function insertWaiting(database: Database, statement: string, values: unknown[]): Promise<void> {
  await database.pool.query(statement, values);
  await lookSoon(database);
}

/** Returns the id of the hook. */
export async function insertHook(database: Database, wanted: Partial<HookOf> = {}): Promise<string> {
  const { action = "accessRequest", kind = "notification", requester = "user:default/eve" } = wanted;
  const { owners = [], fields = {} } = wanted;
  const actionId = randomUUID();
  const id = randomUUID();
  await insertWaiting(
    database,
    `with action as (
        insert into hook_actions (id, name, status, requester, owners, fields, traceparent, created_at)
        values ($1, $2, 'PENDING', $3, $4, $5, '', now())
      )
      insert into hooks (id, action_id, position, name, kind, status, expires_at, created_at, updated_at)
      values ($6, $1, 0, 'owner', $7, 'pending', '2999-01-01', now(), now())`,
    [actionId, action, requester, owners, JSON.stringify(fields), id, kind],
  );
  return id;
}

/** Returns the id of the run that asks. */
export async function insertToolApproval(database: Database, owner: string): Promise<string> {
  const run = randomUUID();
  await insertWaiting(
    database,
    `with session as (
        insert into assistant_sessions (id, owner, created_at, updated_at)
        values (gen_random_uuid(), $1, now(), now()) returning id
      ), run as (
        insert into assistant_runs (id, session_id, owner, actor, request_id, request_hash, message, status, created_at)
        select $2, id, $1, '{}', 'r', '', '', 'waiting', now() from session returning id
      )
      insert into assistant_approvals (id, run_id, call_id, agents, server, tool, arguments, status, created_at,
        expires_at)
      select gen_random_uuid(), id, 'c', '[]', 'tickets', 'close', '{}', 'pending', now(), '2999-01-01' from run`,
    [owner, run],
  );
  return run;
}

/** About a unit that has been deployed; returns the id of the question. */
export async function insertReconcile(database: Database, unitId: string): Promise<string> {
  const id = randomUUID();
  await insertWaiting(
    database,
    `insert into reconciles (id, unit_key, unit_id, environment, check_id, components, status, reason, last_plan_id,
        created_at, expires_at)
      select $1, unit_key, $3, environment, 'c', '{a}', 'ASKED', 'The plan would change more.', last_plan_id, now(),
        '2999-01-01'
      from units where unit_key = $2 and environment = 'development'`,
    [id, idKey(unitId), unitId],
  );
  return id;
}
