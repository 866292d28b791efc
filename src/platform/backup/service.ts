/** What a backup is made of. */
import pg from "pg";
import type { Connection } from "../db/database.ts";
import type { MigratedService } from "../db/migrations/service.ts";
import { startFailure } from "../db/start/start-failure.ts";
import { Failure } from "../errors/failure.ts";

/** One schema of the installation. */
export interface BackedUpService {
  service: MigratedService;
  connection: Connection;
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

/** A connection for statements that may take long. Rejects with what the driver says; `withPlainFaults` makes it plain. */
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

/** Does the work; where the database is the reason that it fails, the Failure says which one, why and what to do. */
export const withPlainFaults = <T>(
  { connection, service }: BackedUpService,
  work: () => Promise<T>,
): Promise<T> =>
  work().catch((error: unknown) => {
    throw startFailure(error, connection, { service });
  });

/** What keeps a restore from its place. */
export const conflict = (message: string, solutions: string[]): Failure =>
  new Failure({ kind: "conflict", code: "PLATFORM_BACKUP", message, solutions });
