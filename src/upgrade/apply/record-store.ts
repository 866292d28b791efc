/** Records in the database what an upgrade did there. */
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

/** One audit row for each step that changed something. */
export async function recordStep(db: Db, step: string, detail: object): Promise<void> {
  await sql`insert into audit (actor, operation, subject, request_id, detail)
    values ('service:default/plinth', 'upgrade', ${`upgrade:2.2.0/${step}`}, 'upgrade', ${JSON.stringify(detail)}::jsonb)`.execute(
    db,
  );
}

/** Records a file's step where the audit has none of that very file: an earlier run may have been cut short before it could. */
export async function recordFileOnce(
  db: Db,
  step: string,
  detail: { file: string; createdAt?: string },
): Promise<void> {
  const subject = `upgrade:2.2.0/${step}`;
  await sql`insert into audit (actor, operation, subject, request_id, detail)
    select 'service:default/plinth', 'upgrade', ${subject}, 'upgrade', ${JSON.stringify(detail)}::jsonb
    where not exists (select from audit where subject = ${subject} and detail ->> 'file' = ${detail.file}
      and detail ->> 'createdAt' is not distinct from ${detail.createdAt ?? null})`.execute(db);
}

/**
 * The record of a backup that an upgrade has taken; null where there is none. It is outdated where something else was recorded
 * after it, and no migration was applied since: a restore of it would lose that.
 */
export async function readTakenBackup(
  db: Db,
  { file, createdAt }: { file: string; createdAt: string },
): Promise<{ isOutdated: boolean } | null> {
  const { rows } = await sql<{ isOutdated: boolean }>`
    select exists (select from audit later where later.id > taken.id and later.request_id <> 'upgrade')
      and not exists (select from schema_migrations where applied_at > taken.at) as "isOutdated"
    from audit taken
    where taken.subject = 'upgrade:2.2.0/backup' and taken.detail ->> 'file' = ${file}
      and taken.detail ->> 'createdAt' = ${createdAt}
    order by taken.id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/**
 * Stores drafts beside what is published, where there is none from before. Returns the pages that got one. The
 * table is there once the migrations are applied.
 */
export async function storeDrafts(
  db: Db,
  drafts: readonly { pageId: string; content: object }[],
): Promise<string[]> {
  const { rows } = await sql<{
    pageId: string;
  }>`insert into custom_views as v (page_id, revision, draft, updated_by)
    select page_id, 0, draft, 'service:default/plinth'
    from json_to_recordset(${JSON.stringify(drafts.map(({ pageId, content }) => ({ page_id: pageId, draft: content })))}::json)
      as r(page_id text, draft json)
    on conflict (page_id) do update set draft = excluded.draft where v.draft is null and v.content is null
    returning page_id as "pageId"`.execute(db);
  return rows.map(({ pageId }) => pageId);
}

/** Deletes access that has no consumable part to go to; each row is audited. Returns how many there were. */
export async function deleteUnresolvedAccess(db: Db): Promise<number> {
  const { rows } = await sql`with gone as (delete from acls_unresolved returning *)
    insert into audit (actor, operation, subject, request_id, detail)
    select 'service:default/plinth', 'revokeAccess', 'component:' || component_id || '@' || environment, 'upgrade',
      jsonb_build_object('identity', identity, 'accessRequestId', request_id, 'upgrade', 'unresolved')
    from gone returning 1`.execute(db);
  return rows.length;
}
