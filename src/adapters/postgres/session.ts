/** Connections and transactions. Every operation of the adapter is one transaction of this file. */
import { Client, DatabaseError, Pool } from "pg";
import type { ClientConfig, PoolClient, QueryConfig } from "pg";

import { Failure } from "../../platform/errors/failure.ts";
import type { Logger } from "../../platform/lib/logger.ts";
import { quote } from "./descriptor/identifiers.ts";
import { postgresLimits } from "./limits.ts";
import { failureOf } from "./errors.ts";

/** One transaction. */
export interface Session {
  /** Sends one statement through the extended protocol, so that a text can never hold two. */
  query<Row extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  /**
   * Waits for a lock that ends with the transaction. Does nothing in a dry run, which must block no other
   * transaction.
   */
  lock(name: string, mode?: "shared" | "exclusive"): Promise<void>;
  /** Runs as another role, with unqualified names looked up in one schema. */
  asRole<T>(role: string, run: () => Promise<T>, schema?: string): Promise<T>;
  /** Rolls back to where it began when `run` throws, and throws on. */
  savepoint<T>(run: () => Promise<T>): Promise<T>;
  /** True when everything will be rolled back: no data is read or written. */
  dryRun: boolean;
  /** Set when untrusted SQL has run: the connection is closed afterwards, with any locks it took. */
  tainted: boolean;
}

export interface Address {
  host: string;
  port: number;
  database: string;
}

export interface Database {
  address: Address;
  transaction<T>(options: TransactionOptions, run: (session: Session) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface TransactionOptions {
  signal?: AbortSignal;
  dryRun?: boolean;
}

/** Thrown inside a transaction after a concurrent change: it is rolled back and run again. */
export class Restart extends Error {}

export interface DatabaseOptions {
  url: string;
  log: Logger;
  statementTimeoutMs?: number;
  lockTimeoutMs?: number;
}

export function createDatabase(options: DatabaseOptions): Database {
  const { url, log } = options;
  const connection = {
    connectionString: url,
    connectionTimeoutMillis: postgresLimits.connectTimeoutMs,
    keepAlive: true,
    // A connection whose other end is gone holds its place for a minute at most.
    keepAliveInitialDelayMillis: postgresLimits.keepAliveMs,
  };
  const pool = new Pool({
    ...connection,
    // One more for the dry runs.
    max: postgresLimits.poolConnections + 1,
    application_name: "plinth-postgres-adapter",
    idleTimeoutMillis: 10_000,
  });
  // An idle connection that breaks is replaced on the next use; without a listener it would end the process.
  pool.on("error", (error) => log.warn({ err: error }, "idle database connection lost"));
  // A connection that breaks between two statements must not end the process either; the next statement
  // fails.
  pool.on("connect", (client) => client.on("error", () => {}));
  const { host, port, database } = new Client(connection);
  const take = createSemaphore(postgresLimits.poolConnections);
  // Dry runs create the same schemas and roles, so they would only wait for each other in the database.
  const takeDry = createSemaphore(1);

  const once = async <T>(given: TransactionOptions, run: (session: Session) => Promise<T>): Promise<T> => {
    given.signal?.throwIfAborted();
    const client = await pool.connect();
    const session = createSession(client, given);
    let stop = (): void => {};
    let broken = false;
    try {
      const processId = await begin(session, options);
      stop = cancelOnAbort(processId, connection, given.signal);
      const result = await run(session);
      given.signal?.throwIfAborted();
      await session.query(given.dryRun === true ? "ROLLBACK" : "COMMIT");
      return result;
    } catch (error) {
      await session.query("ROLLBACK").catch(() => (broken = true));
      throw error;
    } finally {
      stop();
      // A cancellation may arrive late: on a reused connection it would cancel another transaction's
      // statement.
      client.release(broken || session.tainted || given.signal?.aborted === true);
    }
  };

  return {
    address: { host, port, database: database ?? "" },
    transaction: (given, run) =>
      (given.dryRun === true ? takeDry : take)(async () => {
        for (let attempt = 1; ; attempt += 1) {
          try {
            return await once(given, run);
          } catch (error) {
            if (
              given.signal?.aborted !== true &&
              attempt < postgresLimits.transactionAttempts &&
              isPassing(error)
            ) {
              continue;
            }
            throw failureOf(error);
          }
        }
      }),
    close: () => pool.end(),
  };
}

/** @returns the id of the server's process, by which a statement can be cancelled. */
async function begin(session: Session, options: DatabaseOptions): Promise<number> {
  const { dryRun } = session;
  const statementTimeout = options.statementTimeoutMs ?? postgresLimits.statementTimeoutMs;
  const lockTimeout = options.lockTimeoutMs ?? postgresLimits.lockTimeoutMs;
  await session.query("BEGIN");
  const [row] = await session.query<{ pid: number }>(
    `SELECT pg_backend_pid() AS pid, set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true),
            set_config('search_path', 'pg_catalog', true), set_config('standard_conforming_strings', 'on', true),
            set_config('idle_in_transaction_session_timeout', '60s', true), set_config('jit', 'off', true)`,
    [
      `${dryRun ? postgresLimits.dryRunStatementTimeoutMs : statementTimeout}ms`,
      `${dryRun ? postgresLimits.dryRunLockTimeoutMs : lockTimeout}ms`,
    ],
  );
  return row?.pid ?? 0;
}

function createSession(client: PoolClient, { signal, dryRun = false }: TransactionOptions): Session {
  const query: Session["query"] = async (text, values = []) => {
    if (text !== "ROLLBACK") signal?.throwIfAborted();
    // `queryMode` is not in the type declarations of pg yet.
    const config: QueryConfig & { queryMode: string } = { text, values, queryMode: "extended" };
    return (await client.query(config)).rows;
  };
  const session: Session = {
    query,
    dryRun,
    tainted: false,
    lock: async (name, mode = "exclusive") => {
      if (dryRun) return;
      const suffix = mode === "shared" ? "_shared" : "";
      await query(`SELECT pg_advisory_xact_lock${suffix}(hashtextextended($1, 7007))`, [name]);
    },
    asRole: async (role, run, schema) => {
      await query(`SET LOCAL ROLE ${quote(role)}`);
      if (schema !== undefined) await query(`SET LOCAL search_path TO ${quote(schema)}, pg_temp`);
      const result = await run();
      if (schema !== undefined) await query("SET LOCAL search_path TO pg_catalog");
      await query("SET LOCAL ROLE NONE");
      return result;
    },
    savepoint: async (run) => {
      await query("SAVEPOINT attempt");
      try {
        const result = await run();
        await query("RELEASE SAVEPOINT attempt");
        return result;
      } catch (error) {
        // Rolling back keeps the savepoint; it must not stand in for an outer one of the same name.
        await query("ROLLBACK TO SAVEPOINT attempt");
        await query("RELEASE SAVEPOINT attempt");
        throw error;
      }
    },
  };
  return session;
}

/** A cancelled statement fails, the transaction is rolled back, and the caller sees the abort. */
function cancelOnAbort(processId: number, connection: ClientConfig, signal?: AbortSignal): () => void {
  if (!signal) return () => {};
  const cancel = async (): Promise<void> => {
    const other = new Client({ ...connection, query_timeout: postgresLimits.connectTimeoutMs });
    other.on("error", () => {});
    try {
      await other.connect();
      await other.query("SELECT pg_cancel_backend($1)", [processId]);
    } finally {
      await other.end();
    }
  };
  const listener = (): void => void cancel().catch(() => {});
  signal.addEventListener("abort", listener, { once: true });
  if (signal.aborted) listener();
  return () => signal.removeEventListener("abort", listener);
}

/**
 * Limits concurrent runs; the others wait here instead of in the pool, whose wait ends with a connect
 * timeout.
 */
export function createSemaphore(width: number): <T>(run: () => Promise<T>) => Promise<T> {
  let inside = 0;
  const waiting: Array<() => void> = [];
  return async (run) => {
    if (inside >= width) await new Promise<void>((resolve) => waiting.push(resolve));
    else inside += 1;
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else inside -= 1;
    }
  };
}

/**
 * Deadlocks, serialisation failures, and an object that another transaction created between our check and our
 * CREATE. Roles belong to all databases of a server while advisory locks hold in one, so the lock can't
 * exclude that for roles.
 */
const passingCodes = new Set(["40P01", "40001", "42710", "42P06"]);

function isPassing(error: unknown): boolean {
  if (error instanceof Restart) return true;
  if (error instanceof Failure) return false;
  if (!(error instanceof DatabaseError)) return false;
  if (error.code === "23505" && error.constraint?.startsWith("pg_")) return true;
  return passingCodes.has(error.code ?? "") || (error.code === "XX000" && /concurrently/.test(error.message));
}
