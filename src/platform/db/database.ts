/** One PostgreSQL database: a pool, Kysely over it, and a listener. Every area's stores get it from compose. */
import { Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import pg from "pg";
import type { Logger } from "../lib/logger.ts";
import { PreparingClient } from "./preparing-client.ts";
import { createListener, type Listener } from "./listener.ts";

export interface Connection {
  host: string;
  port: number;
  user: string;
  password: string;
  dbname: string;
  /** The schema that holds our tables; it is the whole search path. */
  schema: string;
}

export interface DatabaseOptions {
  connection: Connection;
  log: Logger;
  /** Connections in the pool. */
  poolSize?: number;
  applicationName?: string;
  /** Longest time of one statement, in ms. */
  statementTimeoutMs?: number;
}

export interface Database {
  kysely: Kysely<unknown>;
  pool: pg.Pool;
  connection: Connection;
  listener: Listener;
  /** A connection of one's own, outside the pool; for session locks and LISTEN. The caller ends it. */
  connect(): Promise<pg.Client>;
  close(): Promise<void>;
}

/** What a store takes: the pool or a transaction, whichever the service holds. */
export type Db = Kysely<unknown> | Transaction<unknown>;

// Counts and identity columns stay below 2^53; a string would only invite string comparison.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export function openDatabase(options: DatabaseOptions): Database {
  const { connection } = options;
  const settings = settingsOf(connection, options.applicationName);
  const statementTimeoutMs = options.statementTimeoutMs ?? 30_000;
  const pool = new pg.Pool({
    Client: PreparingClient,
    ...settings,
    max: options.poolSize ?? 20,
    statement_timeout: statementTimeoutMs,
    // The server's limit can't be heard over a connection that has gone silent; ours is a little later.
    query_timeout: statementTimeoutMs + 5_000,
    idle_in_transaction_session_timeout: 60_000,
  });
  pool.on("error", (error) =>
    options.log.warn({ reason: error.message }, "an idle database connection broke"),
  );
  // The pool listens on idle clients only: one that breaks between two statements of a transaction would end
  // the process. Its transaction learns of it from its next statement.
  pool.on("connect", (client) => client.on("error", () => {}));
  const connect = (): Promise<pg.Client> => connectTo(connection, options.applicationName);
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const listener = createListener(connect, options.log);
  return {
    kysely,
    pool,
    connection,
    listener,
    connect,
    async close() {
      await listener.close();
      await kysely.destroy();
    },
  };
}

/** One connection outside any pool. Its owner ends it and watches its 'end'. */
export async function connectTo(connection: Connection, applicationName?: string): Promise<pg.Client> {
  const client = new pg.Client(settingsOf(connection, applicationName));
  // Without a listener a broken connection would end the process.
  client.on("error", () => {});
  await client.connect();
  return client;
}

const settingsOf = (connection: Connection, applicationName = "plinth"): pg.ClientConfig => ({
  host: connection.host,
  port: connection.port,
  user: connection.user,
  password: connection.password,
  database: connection.dbname,
  options: `-c search_path="${connection.schema.replaceAll('"', '""')}"`,
  application_name: applicationName,
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
});

/** Runs `work` in one transaction; it commits when the promise resolves and rolls back when it rejects. */
export function inTransaction<T>(
  database: Database,
  work: (tx: Transaction<unknown>) => Promise<T>,
): Promise<T> {
  return database.kysely.transaction().execute(work);
}

/** Resolves when the database answers; rejects otherwise. For readiness. */
export async function ping(database: Database): Promise<void> {
  await sql`select 1`.execute(database.kysely);
}
