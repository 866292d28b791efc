/** One PostgreSQL database: a pool, transactions over it, and a listener. Every area's stores get it from app.ts. */
import pg from "pg";
import type { Logger } from "../lib/logger.ts";
import { DatabaseWait } from "../lib/database-wait.ts";
import { withinDatabaseWait } from "../lib/request-scope.ts";
import { connectionLimits } from "./connection-limits.ts";
import { LimitedClient, LimitedPool, type ConnectOptions } from "./limited-client.ts";
import { createListener, type Listener } from "./listener.ts";
import { preparingClient } from "./preparing-client.ts";

export interface Connection {
  host: string;
  port: number;
  user: string;
  password: string;
  /** Called for each new connection, in place of `password`, where a reload may change the password. */
  currentPassword?: () => string;
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
  /** How often the pool gives out a connection before it opens another in its place. */
  usesOfConnection?: number;
}

export interface Database {
  /** Each statement takes a connection of the pool. */
  db: Db;
  pool: pg.Pool;
  connection: Connection;
  listener: Listener;
  /** A connection of one's own, outside the pool; for session locks and LISTEN. The caller ends it. */
  connect(options?: Omit<ConnectOptions, "applicationName">): Promise<LimitedClient>;
  close(): Promise<void>;
}

/** What a store takes: the pool or a transaction, whichever the service holds. */
export interface Db {
  query<Row>(text: string, values: unknown[]): Promise<Result<Row>>;
}

/** Statements on one connection that take effect together. It refuses statements after its end. */
export interface Transaction extends Db {
  readonly isTransaction: true;
}

export interface Result<Row> {
  rows: Row[];
  /** Rows that the statement has returned or changed. */
  rowCount: number;
}

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
    maxUses: options.usesOfConnection ?? usesOfConnection,
    statement_timeout: statementTimeoutMs,
    // The server's timeout does not arrive over a connection that has gone silent; ours comes a little later.
    limitMs: statementTimeoutMs + 5_000,
    idle_in_transaction_session_timeout: 60_000,
  });
  pool.on("error", (error) => log.warn({ reason: error.message }, "an idle database connection broke"));
  const members = watchMembers(pool);
  const connect: Database["connect"] = (own) =>
    connectTo(connection, { applicationName: options.applicationName, ...own });
  const listener = createListener(connect, log);
  listener.onMoved((openedBefore) => members.retire(openedBefore));
  let ended: Promise<void> | undefined;
  return {
    db: dbOver(pool),
    pool,
    connection,
    listener,
    connect,
    async close() {
      await listener.close();
      ended ??= pool.end();
      // Nobody waits for what still runs after the grace, and its connection may never be returned.
      const timer = setTimeout(() => members.abandonAll(), closeGraceMs);
      await Promise.race([ended, members.gone()]);
      clearTimeout(timer);
    },
  };
}

/**
 * PostgreSQL uses the generic plan of a prepared statement if it costs no more than the custom plans of its first five uses on the connection.
 * When the tables have grown since, it makes a custom plan for each use: docs/decisions/2026-11-30-plans-of-long-connections.md.
 */
const usesOfConnection = 50_000;

/** How long statements under way may take when the database is closed. */
const closeGraceMs = 3_000;

interface Members {
  abandonAll(): void;
  /** Drops those that were opened before that moment, by the clock of `performance`. */
  retire(openedBefore: number): void;
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
    retire: (openedBefore) => retire(open, openedBefore),
    gone: () =>
      new Promise((done) => {
        onGone = done;
        if (open.size === 0) done();
      }),
  };
}

/** They lead to a server that does not serve the database any more: what they wait for may never come. */
export function retire(members: Iterable<LimitedClient>, openedBefore: number): void {
  for (const member of members)
    if (member.openedAt < openedBefore)
      member.drop(new Error("Connection terminated: another server serves the database."));
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
  password: connection.currentPassword ?? connection.password,
  database: connection.dbname,
  // PostgreSQL compiles statements of a high estimated cost. Ours have many subqueries and run for a few ms; to compile them takes longer.
  options: `-c search_path="${connection.schema.replaceAll('"', '""')}" -c jit=off`,
  application_name: applicationName,
  connectionTimeoutMillis: connectTimeoutMs,
  keepAlive: true,
  // An idle connection notices within a minute that its other end is gone.
  keepAliveInitialDelayMillis: 30_000,
});

const connectTimeoutMs = 5_000;

/** Statements outside of transactions: each has a connection of the pool for itself. */
export const dbOver = (pool: pg.Pool): Db => ({
  async query<Row>(text: string, values: unknown[]) {
    const client = await takeClient(pool);
    let isEnding = false;
    try {
      return await send<Row>(client, text, values);
    } catch (error) {
      isEnding = endsConnection(error);
      throw error;
    } finally {
      // An error of the statement leaves the connection usable; the pool closes one that broke.
      client.release(isEnding);
    }
  },
});

/** The server has said that it ends the connection, which it may do only after the next statement has taken it. */
const endsConnection = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code?.startsWith("57P") === true;

/**
 * Runs `work` in one transaction, which commits when the promise resolves and rolls back when it rejects. It rejects with
 * the error of the work, or of the commit, whatever the rollback says.
 */
export async function inTransaction<T>(
  database: Pick<Database, "pool">,
  work: (tx: Transaction) => Promise<T>,
  { isolation }: { isolation?: "repeatable read" } = {},
): Promise<T> {
  const client = await takeClient(database.pool);
  // A connection that may still be in a transaction is closed instead of given to the next user of the pool.
  let isIdle = false;
  try {
    await client.query(isolation === undefined ? "begin" : "begin isolation level repeatable read", []);
    const { tx, end } = transactionOn(client);
    try {
      const result = await work(tx);
      end();
      const { command } = await client.query("commit", []);
      isIdle = true;
      // PostgreSQL answers so where a statement failed whose error the work has not passed on.
      if (command === "ROLLBACK")
        throw new Error("The transaction was rolled back: a statement in it had failed.");
      return result;
    } catch (error) {
      end();
      if (!isIdle) isIdle = await rollBack(client);
      throw error;
    }
  } finally {
    client.release(!isIdle);
  }
}

function transactionOn(client: pg.PoolClient): { tx: Transaction; end: () => void } {
  let isOpen = true;
  const tx: Transaction = {
    isTransaction: true,
    async query<Row>(text: string, values: unknown[]) {
      // The connection serves others by then.
      if (!isOpen) throw new Error("A statement was sent in a transaction that has ended.");
      return send<Row>(client, text, values);
    },
  };
  return { tx, end: () => void (isOpen = false) };
}

/** Whether the connection is out of the transaction. */
const rollBack = (client: pg.PoolClient): Promise<boolean> =>
  client.query("rollback", []).then(
    () => true,
    () => false,
  );

async function takeClient(pool: pg.Pool): Promise<pg.PoolClient> {
  if (pool.ending) throw new Error(closedText);
  const client = await pool.connect();
  if (!pool.ending) return client;
  client.release();
  throw new Error(closedText);
}

/** No error of the driver's: what is repeated while the database is out of reach must end with the process. */
const closedText = "The database was closed.";

async function send<Row>(client: pg.PoolClient, text: string, values: unknown[]): Promise<Result<Row>> {
  // A text of several statements without parameters has a list of results, which nobody reads.
  const { rows = [], rowCount } = (await client.query(text, values)) as Partial<pg.QueryResult>;
  return { rows: rows as Row[], rowCount: rowCount ?? 0 };
}

/** Resolves when the database answers, and rejects when it does not within 2 s. For readiness. */
export async function ping({ db }: Database): Promise<void> {
  await withinDatabaseWait(new DatabaseWait(pingMs), () => db.query("select 1", []));
}

const pingMs = 2_000;
