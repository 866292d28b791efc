/** The number that rises with every change of agents, skills, models and external agents; a trigger raises it. */
import { sql } from "kysely";
import type { Db } from "../../platform/db/database.ts";

export async function readRecordVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`select version from assistant_record_version`.execute(db);
  return rows[0]?.version ?? 0;
}
