/** How far the deletion of old rows has come. */
import type { Db } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/** Of a row in the order in which a rule looks at rows. */
export type Position = readonly (string | number)[];

export interface RuleState {
  position: Position | null;
  /** When the last pass over all old rows ended. */
  passEndedAt: Date | null;
}

export interface StoredState extends RuleState {
  rule: string;
  deleted: number;
  failure: string | null;
}

export async function readStates(db: Db): Promise<Map<string, StoredState>> {
  const { rows } =
    await sql<StoredState>`select rule, position, pass_ended_at as "passEndedAt", deleted, failure
    from retention_state`.execute(db);
  return new Map(rows.map((row) => [row.rule, row]));
}

interface Recorded {
  deleted: number;
  position: Position | null;
  /** Null while the pass goes on. */
  passEndedAt: Date | null;
}

export async function recordBatch(
  db: Db,
  rule: string,
  { deleted, position, passEndedAt }: Recorded,
): Promise<void> {
  const at = position === null ? null : JSON.stringify(position);
  await sql`insert into retention_state as s (rule, position, pass_ended_at, deleted)
    values (${rule}, ${at}::json, ${passEndedAt}, ${deleted})
    on conflict (rule) do update set position = excluded.position,
      pass_ended_at = coalesce(excluded.pass_ended_at, s.pass_ended_at), deleted = s.deleted + excluded.deleted,
      failure = null, updated_at = now()`.execute(db);
}

export async function recordFailure(db: Db, rule: string, failure: string): Promise<void> {
  await sql`insert into retention_state as s (rule, failure) values (${rule}, ${failure})
    on conflict (rule) do update set failure = excluded.failure, updated_at = now()`.execute(db);
}
