/** What a backup is made of. */
import pg from "pg";
import type { Connection } from "../db/database.ts";
import type { MigratedService } from "../db/migrations/service.ts";

/** One schema of the installation. */
export interface BackedUpService {
  service: MigratedService;
  connection: Connection;
  /** Has rows as soon as a program has worked with the schema; undefined where another one tells. */
  usedTable?: string;
}

/** Written last, so that a backup without it is not whole. */
export interface Manifest {
  format: 1;
  createdAt: string;
  /** Version of the product that made it. */
  program: string | null;
  services: ServiceManifest[];
  /** Files of the data directory, with their sizes. */
  files: { path: string; bytes: number }[];
}

export interface ServiceManifest {
  name: string;
  /** The newest migration. */
  migration: string;
  tables: { name: string; columns: string[]; rows: number }[];
  sequences: { name: string; last: string | null }[];
}

export const manifestName = "manifest.json";

/** A connection for statements that may take long. */
export async function connectFor(
  { connection }: BackedUpService,
  applicationName: string,
): Promise<pg.Client> {
  const { host, port, user, password, dbname: database } = connection;
  const client = new pg.Client({ host, port, user, password, database, application_name: applicationName });
  // Without a listener a connection that breaks would end the process; the statement under way rejects.
  client.on("error", () => {});
  await client.connect();
  await client.query("select set_config('search_path', $1, false)", [`"${connection.schema}"`]);
  return client;
}
