/** Conditions on the column `last_error`, which holds a `LastError` as JSON, or null. */
import { sql, type Sql } from "../db/sql.ts";
import { currentMs } from "./last-error.ts";

/** Whether the work may be tried: it has no error, or its next attempt is due. */
export const isDue = (alias: string): Sql =>
  sql.raw(`(${alias}.last_error is null or (${alias}.last_error ->> 'nextAttemptAt')::timestamptz <= now())`);

/** The error while it is current; null when the work has gone on since. */
export const currentError: Sql = sql`case
  when (last_error ->> 'nextAttemptAt')::timestamptz > now() - make_interval(secs => ${currentMs / 1000})
  then last_error end`;
