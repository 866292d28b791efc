/** Records one-time actions, and reads what they depend on. */
import type { Db } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";

/**
 * False when it was done before. A second process waits here until the first has committed or rolled back.
 */
export async function claimAction(db: Db, name: string, at: Date): Promise<boolean> {
  const { rows } = await sql`insert into startup_actions (name, done_at, detail) values (${name}, ${at}, '{}')
    on conflict (name) do nothing returning name`.execute(db);
  return rows.length > 0;
}

export async function noteAction(db: Db, name: string, detail: object): Promise<void> {
  await sql`update startup_actions set detail = ${JSON.stringify(detail)}::json where name = ${name}`.execute(
    db,
  );
}

export async function hasEntityOfKind(db: Db, kind: string): Promise<boolean> {
  const { rows } = await sql`select 1 from catalogue_entities where kind = ${kind} limit 1`.execute(db);
  return rows.length > 0;
}

/** Whether another actor has registered a location. */
export async function hasLocationOfOthers(db: Db, actor: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from catalogue_locations where registered_by <> ${actor} limit 1`.execute(db);
  return rows.length > 0;
}
