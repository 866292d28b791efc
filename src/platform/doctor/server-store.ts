/** What the database says of itself. */
import type { Db } from "../db/database.ts";
import { sql } from "../db/sql.ts";

export interface DatabaseServer {
  /** As `server_version_num`: 170002. */
  version: number;
  /** Of the database. */
  bytes: number;
}

export async function readServer(db: Db): Promise<DatabaseServer> {
  const { rows } = await sql<DatabaseServer>`select current_setting('server_version_num')::int as version,
      pg_database_size(current_database()) as bytes`.execute(db);
  const [found] = rows;
  if (!found) throw new Error("The database has answered without a row.");
  return found;
}
