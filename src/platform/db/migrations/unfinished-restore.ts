/** A schema that a restore has begun to fill is marked until the restore is over; nothing may work with it before. */
import type { Pool } from "pg";
import { Failure } from "../../errors/failure.ts";
import type { Connection } from "../database.ts";

/** The table that is the mark; its row names the backup. */
export const unfinishedRestoreTable = "unfinished_restore";

/** Rejects with PLATFORM_BACKUP where the schema has the mark. */
export async function refuseUnfinishedRestore(
  pool: Pick<Pool, "query">,
  { schema, dbname }: Connection,
): Promise<void> {
  const { rowCount } = await pool.query("select 1 from pg_tables where schemaname = $1 and tablename = $2", [
    schema,
    unfinishedRestoreTable,
  ]);
  if (rowCount === 0) return;
  throw new Failure({
    kind: "conflict",
    code: "PLATFORM_BACKUP",
    message: `The schema ${schema} of the database ${dbname} has rows of a backup whose restore is unfinished.`,
    solutions: [
      "Repeat `plinth restore` with the same backup; it goes on where it was.",
      "Or start with a new database, or a new data directory.",
    ],
  });
}
