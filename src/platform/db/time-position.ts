/** Positions in lists of several sources that are ordered by a time, to the millisecond, and then by an id. */
import { sql, type Sql } from "./sql.ts";

/** What comes after it is listed: a later time, or the same one and a greater id. */
export interface TimePosition {
  since: Date;
  id: string;
}

/** The order of such a list; `at` and `id` are expressions of ours. */
export const timeOrder = (at: string, id: string): Sql =>
  sql.raw(`date_trunc('milliseconds', ${at}), (${id}) collate "C"`);

export const isAfter = (at: string, id: string, after: TimePosition | null): Sql =>
  after === null ? sql`true` : sql`(${timeOrder(at, id)}) > (${after.since}::timestamptz, ${after.id})`;
