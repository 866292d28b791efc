/** One PostgreSQL database: a pool, Kysely over it, and a listener. Every area's stores get it from app.ts. */
import { Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import pg from "pg";
import type { Logger } from "../lib/logger.ts";
import { DatabaseWait, withinDatabaseWait } from "../lib/database-wait.ts";
import { connectionLimits } from "./connection-limits.ts";
import { LimitedClient, LimitedPool, type ConnectOptions } from "./limited-client.ts";
import { createListener, type Listener } from "./listener.ts";
import { preparingClient } from "./preparing-client.ts";

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
  connect(options?: Omit<ConnectOptions, "applicationName">): Promise<LimitedClient>;
  close(): Promise<void>;
}

/** What a store takes: the pool or a transaction, whichever the service holds. */
export type Db = Kysely<unknown> | Transaction<unknown>;

// Counts and identity columns stay below 2^53; strings would be compared as strings.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export function openDatabase(options: DatabaseOptions): Database {
  const { connection, log } = options;
  const settings = settingsOf(connection, options.applicationName);
  const statementTimeoutMs = options.statementTimeoutMs ?? 30_000;
  const pool = new LimitedPool({
    Client: preparingClient(),
    ...settings,
    max: options.poolSize ?? connectionLimits.pool,
    statement_timeout: statementTimeoutMs,
    // The server's timeout does not arrive over a connection that has gone silent; ours comes a little later.
    limitMs: statementTimeoutMs + 5_000,
    idle_in_transaction_session_timeout: 60_000,
  });
  pool.on("error", (error) => log.warn({ reason: error.message }, "an idle database connection broke"));
  const members = watchMembers(pool);
  const connect: Database["connect"] = (own) =>
    connectTo(connection, { applicationName: options.applicationName, ...own });
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const listener = createListener(connect, log);
  return {
    kysely,
    pool,
    connection,
    listener,
    connect,
    async close() {
      await listener.close();
      const ended = kysely.destroy().then(async () => {
        // Kysely does not close a pool that it has never used.
        if (!pool.ending) await pool.end();
      });
      // Nobody waits for what still runs after the grace, and its connection may never be returned.
      const timer = setTimeout(() => members.abandonAll(), closeGraceMs);
      await Promise.race([ended, members.gone()]);
      clearTimeout(timer);
    },
  };
}

/** How long statements under way may take when the database is closed. */
const closeGraceMs = 3_000;

interface Members {
  abandonAll(): void;
  /** Resolves when no connection of the pool is open. */
  gone(): Promise<void>;
}

function watchMembers(pool: pg.Pool): Members {
  const open = new Set<LimitedClient>();
  let onGone = (): void => {};
  pool.on("connect", (client) => {
    // The pool handles errors of idle clients only: without this handler a connection that breaks between two
    // statements of a transaction would end the process. The transaction fails at its next statement.
    client.on("error", () => {});
    const member = client as unknown as LimitedClient;
    open.add(member);
    member.once("end", () => {
      open.delete(member);
      if (open.size === 0) onGone();
    });
  });
  return {
    abandonAll: () => open.forEach((member) => member.abandon()),
    gone: () =>
      new Promise((done) => {
        onGone = done;
        if (open.size === 0) done();
      }),
  };
}

/** One connection outside any pool. Its owner ends it and watches its 'end'; nothing is left open when this rejects. */
export async function connectTo(
  connection: Connection,
  options: ConnectOptions = {},
): Promise<LimitedClient> {
  const { signal, limitMs } = options;
  const client = new LimitedClient({
    ...settingsOf(connection, options.applicationName),
    ...(limitMs === undefined ? {} : { limitMs }),
  });
  // Without a listener a broken connection would end the process.
  client.on("error", () => {});
  const abandon = (): void => client.abandon(new Error("The connection is not wanted any more."));
  signal?.throwIfAborted();
  signal?.addEventListener("abort", abandon, { once: true });
  try {
    await client.connect();
    return client;
  } finally {
    signal?.removeEventListener("abort", abandon);
  }
}

const settingsOf = (connection: Connection, applicationName = "plinth"): pg.ClientConfig => ({
  host: connection.host,
  port: connection.port,
  user: connection.user,
  password: connection.password,
  database: connection.dbname,
  options: `-c search_path="${connection.schema.replaceAll('"', '""')}"`,
  application_name: applicationName,
  connectionTimeoutMillis: connectTimeoutMs,
  keepAlive: true,
  // An idle connection notices within a minute that its other end is gone.
  keepAliveInitialDelayMillis: 30_000,
});

const connectTimeoutMs = 5_000;

/** Runs `work` in one transaction; it commits when the promise resolves and rolls back when it rejects. */
export function inTransaction<T>(
  database: Database,
  work: (tx: Transaction<unknown>) => Promise<T>,
): Promise<T> {
  return database.kysely.transaction().execute(work);
}

/** Resolves when the database answers, and rejects when it does not within 2 s. For readiness. */
export async function ping(database: Database): Promise<void> {
  await withinDatabaseWait(new DatabaseWait(pingMs), () => sql`select 1`.execute(database.kysely));
}

const pingMs = 2_000;
