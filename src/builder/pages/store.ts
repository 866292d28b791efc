/** Reads and writes custom views. */
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { ViewContent } from "./schema.ts";

export interface StoredView {
  revision: number;
  content: ViewContent | null;
  draft: unknown;
  updatedAt: Date;
  updatedBy: string;
}

export async function readView(db: Db, pageId: string): Promise<StoredView | null> {
  const { rows } = await sql<StoredView>`select revision, content, draft, updated_at as "updatedAt",
    updated_by as "updatedBy" from custom_views where page_id = ${pageId}`.execute(db);
  return rows[0] ?? null;
}

export interface NewView {
  pageId: string;
  content: ViewContent;
  by: string;
  at: Date;
  /** The revision that it replaces; null for any. */
  replaces: number | null;
}

/** Publishes the view; the draft is done with. Null where another revision is there than the one to replace. */
export async function writeView(
  db: Db,
  { pageId, content, by, at, replaces }: NewView,
): Promise<StoredView | null> {
  const { rows } =
    await sql<StoredView>`insert into custom_views as v (page_id, revision, content, updated_at, updated_by)
    select ${pageId}, 1, ${JSON.stringify(content)}::json, ${at}, ${by}
    where coalesce(${replaces}::int, 0) = 0 or exists (select 1 from custom_views where page_id = ${pageId})
    on conflict (page_id) do update set revision = v.revision + 1, content = excluded.content, draft = null,
      updated_at = excluded.updated_at, updated_by = excluded.updated_by
    where ${replaces}::int is null or v.revision = ${replaces}::int
    returning revision, content, draft, updated_at as "updatedAt", updated_by as "updatedBy"`.execute(db);
  return rows[0] ?? null;
}
