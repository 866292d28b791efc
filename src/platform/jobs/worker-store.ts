/** Which workers are there, and what the database has to say of itself, for metrics. */
import type { Db } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { isDeadWorker } from "./worker-lease.ts";

export interface PlatformNumbers {
  aliveWorkers: number;
  /** Rows of workers that ended without a farewell; they go after a day. */
  deadWorkers: number;
  /** Of the workers that live, the longest time without a heartbeat; 0 without any. */
  oldestHeartbeatSeconds: number;
  /** Of the server, and how many it takes. */
  connections: number;
  maxConnections: number;
  /** Seconds since 1970 by the clock of the database. */
  clock: number;
}

export async function readPlatformNumbers(db: Db): Promise<PlatformNumbers> {
  const { rows } = await sql<PlatformNumbers>`with known as (
      select ${isDeadWorker("seen.id")} as "isDead", extract(epoch from now() - heartbeat_at) as age from workers seen)
    select (select count(*) from known where not "isDead") as "aliveWorkers",
      (select count(*) from known where "isDead") as "deadWorkers",
      (select coalesce(max(age), 0)::float8 from known where not "isDead") as "oldestHeartbeatSeconds",
      (select count(*) from pg_stat_activity where backend_type = 'client backend') as connections,
      current_setting('max_connections')::int as "maxConnections",
      extract(epoch from clock_timestamp())::float8 as clock`.execute(db);
  const [found] = rows;
  if (!found) throw new Error("The database has answered without a row.");
  return found;
}
