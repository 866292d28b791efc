/** A schema that a restore has begun to fill is marked until the restore is over; nothing may work with it before. */
import type { ClientBase } from "pg";
import { Failure } from "../../errors/failure.ts";
import type { Connection } from "../database.ts";

/** The table that is the mark; its row names the backup. */
export const unfinishedRestoreTable = "unfinished_restore";

/** Whether the schema has the mark. */
export async function hasUnfinishedRestore(
  client: Pick<ClientBase, "query">,
  { schema }: Connection,
): Promise<boolean> {
  const { rowCount } = await client.query(
    "select 1 from pg_tables where schemaname = $1 and tablename = $2",
    [schema, unfinishedRestoreTable],
  );
  return rowCount !== 0;
}

/** Rejects with PLATFORM_BACKUP where the schema has the mark. */
export async function refuseUnfinishedRestore(
  client: Pick<ClientBase, "query">,
  connection: Connection,
): Promise<void> {
  if (!(await hasUnfinishedRestore(client, connection))) return;
  const { schema, dbname } = connection;
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
