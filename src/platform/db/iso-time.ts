import { sql, type Sql } from "./sql.ts";

/** SQL for a timestamp as it travels: UTC, milliseconds. `column` is ours, never a caller's. */
export const isoTime = (column: string): Sql<string> =>
  sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);
