/** What people want to be told about. */
import type { NoticeKind } from "../../../../platform/config/schema/schema-notices.ts";
import type { Db } from "../../../../platform/db/database.ts";
import { sql } from "../../../../platform/db/sql.ts";

export interface Choice {
  ref: string;
  kind: NoticeKind;
  wanted: boolean;
}

export async function readChoices(db: Db, refs: readonly string[]): Promise<Choice[]> {
  const { rows } = await sql<Choice>`select ref, kind, wanted from notice_choices
    where ref = any(${[...refs]}::text[])`.execute(db);
  return rows;
}

/** Whether anybody has asked to be told about one of the kinds. */
export async function isAnyWanted(db: Db, kinds: readonly NoticeKind[]): Promise<boolean> {
  const { rows } = await sql`select 1 from notice_choices where wanted and kind = any(${[...kinds]}::text[])
    limit 1`.execute(db);
  return rows.length > 0;
}

export async function writeChoice(db: Db, { ref, kind, wanted }: Choice, at: Date): Promise<void> {
  await sql`insert into notice_choices (ref, kind, wanted, changed_at) values (${ref}, ${kind}, ${wanted}, ${at})
    on conflict (ref, kind) do update set wanted = excluded.wanted, changed_at = excluded.changed_at`.execute(
    db,
  );
}
