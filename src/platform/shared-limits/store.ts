/** The rows of the processes that share limits. */
import { sql } from "../db/sql.ts";
import type { Db, Transaction } from "../db/database.ts";
import { isDeadWorker } from "../jobs/worker-lease.ts";
import type { ShareRow, View } from "./plan-round.ts";

/** Notified with the id of the member that waits for a share, or has given some back. */
export const limitsChannel = "plinth_limits";

/** Two-part advisory lock under which shares change. */
const lockClass = 0x504d;

/** A process that is no worker is alive while its heartbeat is younger. */
export const memberLeaseMs = 6_000;

export async function readView(db: Db): Promise<View> {
  const { rows } = await sql<View>`select extract(epoch from clock_timestamp())::float8 * 1000 as "nowMs",
      coalesce((select json_agg(json_build_object('id', m.id, 'serves', m.serves, 'workerId', m.worker_id,
          'joinedMs', extract(epoch from m.joined_at)::float8 * 1000,
          'heartbeatMs', extract(epoch from m.heartbeat_at)::float8 * 1000,
          'goneMs', extract(epoch from m.gone_at)::float8 * 1000,
          'isDead', case when m.worker_id is null
            then m.heartbeat_at < now() - make_interval(secs => ${memberLeaseMs / 1000})
            else ${isDeadWorker("m.worker_id")} end) order by m.id) from limit_members m), '[]') as members,
      coalesce((select json_agg(json_build_object('memberId', s.member_id, 'name', s.name, 'period', s.period,
          'demand', s.demand, 'share', s.share, 'used', s.used) order by s.name, s.member_id)
        from limit_shares s), '[]') as shares`.execute(db);
  return rows[0]!;
}

/** Waits until no other process changes shares; what is read afterwards holds until the end of the transaction. */
export const lockShares = async (tx: Transaction): Promise<void> =>
  void (await sql`select pg_advisory_xact_lock(${lockClass}, 0)`.execute(tx));

export interface MemberWrite {
  id: string;
  workerId: string | null;
  serves: boolean;
}

/** Also marks members that have died, and removes what they held when they have been marked for `goneMs`. */
export async function writeMembers(tx: Transaction, own: MemberWrite, goneMs: number): Promise<void> {
  await sql`insert into limit_members (id, worker_id, serves) values (${own.id}, ${own.workerId}, ${own.serves})
    on conflict (id) do update set worker_id = excluded.worker_id, serves = excluded.serves, heartbeat_at = now(),
      gone_at = null`.execute(tx);
  await sql`delete from limit_members where gone_at < now() - make_interval(secs => ${goneMs / 1000})`.execute(
    tx,
  );
  await sql`update limit_members m set gone_at = now() where gone_at is null and m.id <> ${own.id}
    and case when m.worker_id is null then m.heartbeat_at < now() - make_interval(secs => ${memberLeaseMs / 1000})
      else ${isDeadWorker("m.worker_id")} end`.execute(tx);
}

/** Shares of a rate stay until their minute is over, whoever had them: what was answered was answered. */
export async function writeShares(
  tx: Transaction,
  own: string,
  {
    written,
    dropped,
    period,
  }: { written: readonly Omit<ShareRow, "memberId">[]; dropped: readonly string[]; period: number },
): Promise<void> {
  await sql`delete from limit_shares where (period > 0 and period < ${period - 1})
    or (period = 0 and (member_id not in (select id from limit_members)
      or (member_id = ${own} and name = any(${[...dropped]}::text[]))))`.execute(tx);
  await sql`insert into limit_shares (member_id, name, period, demand, share, used)
    select ${own}, w.name, w.period, w.demand, w.share, w.used
    from json_to_recordset(${JSON.stringify(written)}::json)
      as w(name text, period int, demand int, share int, used int)
    on conflict (name, period, member_id) do update
      set demand = excluded.demand, share = excluded.share, used = excluded.used`.execute(tx);
}

export const notifyMembers = async (db: Db, own: string): Promise<void> =>
  void (await sql`select pg_notify(${limitsChannel}, ${own})`.execute(db));

/** Gives back all that the member holds of what is at work at once. */
export async function removeMember(db: Db, own: string): Promise<void> {
  await sql`with gone as (delete from limit_members where id = ${own}),
      freed as (delete from limit_shares where member_id = ${own} and period = 0 returning 1)
    select pg_notify(${limitsChannel}, ${own}) from freed limit 1`.execute(db);
}
