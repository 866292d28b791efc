/** What people are told about: found, told about, ended. One process at a time looks. */
import type { NoticeKind } from "../../../../platform/config/schema/schema-notices.ts";
import type { Db } from "../../../../platform/db/database.ts";
import { sql } from "../../../../platform/db/sql.ts";

export interface Look {
  fence: number;
  /** How far the events have been read; null before the first look. */
  eventPosition: number | null;
}

/** Begins a look, unless another process has begun one within the time. */
export async function beginLook(
  db: Db,
  { at, everyMs }: { at: Date; everyMs: number },
): Promise<Look | null> {
  const before = new Date(at.getTime() - everyMs);
  const { rows } = await sql<Look>`update notice_look set looked_at = ${at}, fence = fence + 1
    where looked_at is null or looked_at <= ${before} or looked_at > ${at}::timestamptz + interval '1 minute'
    returning fence, event_position as "eventPosition"`.execute(db);
  return rows[0] ?? null;
}

/** False when another look has begun since: what this one has found is out of date. */
export async function lockLook(db: Db, fence: number): Promise<boolean> {
  const { rows } = await sql`select 1 from notice_look where fence = ${fence} for update`.execute(db);
  return rows.length > 0;
}

export async function setEventPosition(db: Db, position: number | null): Promise<void> {
  await sql`update notice_look set event_position = ${position}`.execute(db);
}

export interface NoticeKey {
  kind: NoticeKind;
  id: string;
}

/** Those of them that were found before. */
export async function readKnown(db: Db, keys: readonly NoticeKey[]): Promise<NoticeKey[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<NoticeKey>`select n.kind, n.subject_id as id from notices n
    join json_to_recordset(${JSON.stringify(keys)}::json) as k (kind text, id text)
      on k.kind = n.kind and k.id = n.subject_id`.execute(db);
  return rows;
}

/** Those that are no longer listed have ended; one that is listed again has not. */
export async function endUnlisted(
  db: Db,
  { kinds, listed, at }: { kinds: readonly NoticeKind[]; listed: readonly NoticeKey[]; at: Date },
): Promise<void> {
  const keys = sql`select 1 from json_to_recordset(${JSON.stringify(listed)}::json) as k (kind text, id text)
    where k.kind = n.kind and k.id = n.subject_id`;
  await sql`update notices n set ended_at = ${at}
    where ended_at is null and kind = any(${[...kinds]}::text[]) and not exists (${keys})`.execute(db);
  if (listed.length === 0) return;
  await sql`update notices n set ended_at = null from json_to_recordset(${JSON.stringify(listed)}::json)
      as k (kind text, id text)
    where k.kind = n.kind and k.id = n.subject_id and n.ended_at is not null`.execute(db);
}

export interface NewNotice extends NoticeKey {
  title: string;
  environment: string | null;
  path: string;
  since: Date;
  expiresAt: Date | null;
  visibleTo: readonly string[] | null;
  operatorsSee: boolean;
  foundAt: Date;
}

export interface NewEntry extends NoticeKey {
  channel: string;
  recipient: string;
  dueAt: Date;
}

export async function insertNotice(db: Db, notice: NewNotice): Promise<void> {
  await sql`insert into notices (kind, subject_id, title, environment, path, since, expires_at, visible_to,
      operators_see, found_at)
    values (${notice.kind}, ${notice.id}, ${notice.title}, ${notice.environment}, ${notice.path}, ${notice.since},
      ${notice.expiresAt}, ${notice.visibleTo === null ? null : [...notice.visibleTo]}::text[],
      ${notice.operatorsSee}, ${notice.foundAt})
    on conflict do nothing`.execute(db);
}

export async function insertEntries(db: Db, entries: readonly NewEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await sql`insert into notice_entries (kind, subject_id, channel, recipient, due_at)
    select kind, id, channel, recipient, "dueAt" from json_to_recordset(${JSON.stringify(entries)}::json)
      as e (kind text, id text, channel text, recipient text, "dueAt" timestamptz)
    on conflict do nothing`.execute(db);
}
