/** A database whose data layer tracks it, and what stands in the way of its upgrade; for programs outside the tests. */
import { connectTo, type Connection } from "../../src/platform/db/database.ts";
import { ensureDatabase } from "../../src/platform/db/migrations/migrate.ts";
import { platformService } from "../../src/platform/db/migrations/service.ts";
import { fillConnection, fillTrackedDatabase } from "./old-database.ts";

export interface TrackedDatabase {
  connection: Connection;
  /** What is tracked now. */
  tracked: () => Promise<unknown>;
  /** While `work` runs, every program waits before its migrations. */
  whileMigrationsWait(work: () => Promise<void>): Promise<void>;
  /** The next migration fails from now on. */
  breakMigration(): Promise<void>;
  mendMigration(): Promise<void>;
}

/** Makes a database beside that of the connection. */
export async function withTrackedDatabase(
  server: Connection,
  work: (database: TrackedDatabase) => Promise<void>,
): Promise<void> {
  const connection = { ...server, dbname: "tracked" };
  await ensureDatabase(connection);
  await fillConnection(connection, fillTrackedDatabase);
  const client = await connectTo(connection);
  try {
    await work({
      connection,
      tracked: async () => (await client.query("select sources from data_layer_metadata")).rows[0].sources,
      async whileMigrationsWait(during) {
        await client.query("select pg_advisory_lock($1)", [platformService.lock]);
        await during();
        await client.query("select pg_advisory_unlock($1)", [platformService.lock]);
      },
      breakMigration: async () => void (await client.query("create table custom_views (id int)")),
      mendMigration: async () => void (await client.query("drop table custom_views")),
    });
  } finally {
    await client.end();
  }
}
