/** Rows of webhooks: how far each has been handed the events, whether it has stopped, and whether anybody still has it. */
import type { Db } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { WebhookTarget } from "../../context.ts";

export interface LockedWebhook {
  position: number;
  /** Events with this id or a lower one happened before the webhook was new. */
  beginsAfter: number;
  isGone: boolean;
}

export const goneError = "Its receiver has answered 410; a replay or another address takes it up again.";

const removedError =
  "Its webhook is not in the configuration any more. Once it is there again, a replay sends it.";

/**
 * Locks the webhook's row, and inserts it on the first call; a changed address reactivates a gone webhook. Also stores that
 * a process has the webhook.
 */
export async function lockWebhook(db: Db, { name, url }: WebhookTarget, at: Date): Promise<LockedWebhook> {
  await sql`insert into webhooks (name, url, position, begins_after, configured_at)
    select ${name}, ${url}, coalesce(max(seq), 0), (select coalesce(max(id), 0) from events), ${at}
    from outgoing_events on conflict do nothing`.execute(db);
  const { rows } = await sql<LockedWebhook & { url: string; isNoted: boolean }>`select position, url,
      begins_after as "beginsAfter", gone_at is not null as "isGone",
      coalesce(configured_at > ${at}::timestamptz - interval '1 hour', false) as "isNoted"
    from webhooks where name = ${name} for update`.execute(db);
  const row = rows[0] ?? { position: 0, beginsAfter: 0, isGone: false, url, isNoted: true };
  if (!row.isNoted) await sql`update webhooks set configured_at = ${at} where name = ${name}`.execute(db);
  if (row.url === url) return row;
  await sql`update webhooks set url = ${url}, gone_at = null where name = ${name}`.execute(db);
  return { ...row, isGone: false };
}

export async function stopWebhook(db: Db, webhook: string, at: Date): Promise<void> {
  await sql`update webhooks set gone_at = ${at} where name = ${webhook}`.execute(db);
  await sql`update webhook_deliveries set status = 'DEAD', next_attempt_at = null, worker_id = null,
      last_error = ${goneError}, ended_at = ${at}
    where webhook = ${webhook} and status = 'PENDING'`.execute(db);
}

export interface RemovedQuery {
  /** Names of the webhooks that the process has. */
  configured: readonly string[];
  /** No process has had the others since then. */
  before: Date;
  at: Date;
  limit: number;
}

/** Ends some of what waits for webhooks that are not configured any more; returns how many. */
export async function endRemoved(db: Db, query: RemovedQuery): Promise<number> {
  const { configured, before, at, limit } = query;
  const { rows } = await sql<{ ended: number }>`with removed as materialized (
      select name from webhooks where configured_at < ${before} and name <> all(${configured}::text[])
      order by name for update
    ), ended as (
      update webhook_deliveries set status = 'DEAD', next_attempt_at = null, worker_id = null,
        last_error = ${removedError}, ended_at = ${at}
      where id in (select id from webhook_deliveries
        where status = 'PENDING' and webhook in (select name from removed) limit ${limit})
      returning id
    ), marked as (
      update webhooks set configured_at = null
      where name in (select name from removed) and (select count(*) from ended) < ${limit}
    )
    select count(*) as ended from ended`.execute(db);
  return rows[0]?.ended ?? 0;
}
