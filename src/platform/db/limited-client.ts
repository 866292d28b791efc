/**
 * Connections with a time limit for each statement, and for the request that it belongs to
 * (lib/database-wait.ts). When a statement takes too long, the server is asked to cancel it and the
 * connection is closed, because its late response would be taken for that of the next statement.
 */
import { AsyncResource } from "node:async_hooks";
import { connect } from "node:net";
import pg from "pg";
import type { DatabaseWait } from "../lib/database-wait.ts";
import { currentDatabaseWait, outsideRequest } from "../lib/request-scope.ts";
import { DatabaseTimeout, markRefused } from "./failures.ts";

export interface LimitedConfig extends pg.ClientConfig {
  /** Longest wait for one statement; none without it. */
  limitMs?: number;
}

export interface ConnectOptions {
  applicationName?: string | undefined;
  /** Longest wait for one statement; none without it. */
  limitMs?: number;
  /** Ends the attempt to connect. */
  signal?: AbortSignal;
}

/** Messages of the server, as the driver reads them. */
interface ParameterStatus {
  parameterName: string;
  parameterValue: string;
}
interface ReadyForQuery {
  /** I: outside of any transaction. */
  status: string;
}

type AnyFunction = (...args: unknown[]) => unknown;

/** What the server says by itself, at the beginning and when it changes, from PostgreSQL 14 on. */
const readOnlyParameters = new Set(["in_hot_standby", "default_transaction_read_only"]);
/**
 * How long a connection to a server that takes no changes is used. After a failover another server takes them under the same
 * name, and only new connections get there.
 */
const readOnlyMs = 2_000;

/** How long closing a connection may take. */
const closeTimeoutMs = 2_000;
/** Limits are rounded up to it, so that the timers of all statements share few lists. */
const stepMs = 100;

export class LimitedClient extends pg.Client {
  /** By the clock of `performance`. */
  readonly openedAt = performance.now();
  readonly #limitMs: number;
  #givenUp: Error | undefined;

  constructor(config: LimitedConfig = {}) {
    super(config);
    this.#limitMs = config.limitMs ?? Infinity;
    // The driver's own signatures are overloads of three forms; each instance wraps them by what they have in common.
    const query = this.query.bind(this) as AnyFunction;
    this.query = ((...args: unknown[]) => this.#limit(query, args)) as typeof this.query;
    const open = this.connect.bind(this) as AnyFunction;
    this.connect = ((...args: unknown[]) => this.#open(open, args)) as typeof this.connect;
    const close = this.end.bind(this) as AnyFunction;
    this.end = ((...args: unknown[]) => {
      const timer = setTimeout(() => this.connection.stream.destroy(), closeTimeoutMs);
      timer.unref();
      this.once("end", () => clearTimeout(timer));
      return close(...args);
    }) as typeof this.end;
    this.#leaveReadOnlyServer();
  }

  /** Between two transactions; a statement that its user sends after that fails as on any connection that is lost. */
  #leaveReadOnlyServer(): void {
    const readOnly = new Set<string>();
    this.connection.on("parameterStatus", ({ parameterName, parameterValue }: ParameterStatus) => {
      if (!readOnlyParameters.has(parameterName)) return;
      if (parameterValue === "on") readOnly.add(parameterName);
      else readOnly.delete(parameterName);
    });
    this.connection.on("readyForQuery", ({ status }: ReadyForQuery) => {
      if (readOnly.size === 0 || status !== "I" || performance.now() < this.openedAt + readOnlyMs) return;
      // Once the driver has ended the statement that this belongs to.
      queueMicrotask(() => void this.end().catch(() => undefined));
    });
  }

  /** Closes at once. Waiting statements fail, and the server is asked to cancel the running one. */
  abandon(reason: Error = new DatabaseTimeout()): void {
    if (this.connection.stream.destroyed) return;
    requestCancel(this);
    this.drop(reason);
  }

  /** The same where the server is gone and nothing runs on it. */
  drop(reason: Error): void {
    const { stream } = this.connection;
    if (stream.destroyed) return;
    this.#givenUp = reason;
    stream.destroy(reason);
  }

  #limit(query: AnyFunction, args: unknown[]): unknown {
    // The driver would say that it is not queryable, which hides why from whoever rolls back.
    if (this.#givenUp !== undefined) return fail(args, this.#givenUp);
    const wait = currentDatabaseWait();
    const limitMs = Math.min(this.#limitMs, wait?.left() ?? Infinity);
    if (limitMs === Infinity) return query(...args);
    return whenSettled(
      query,
      args,
      startLimit(limitMs, wait, () => this.abandon()),
    );
  }

  /** The driver leaves a connection open that the server answered with an error. */
  #open(open: AnyFunction, args: unknown[]): unknown {
    const openOutside: AnyFunction = (...given) => outsideRequest(() => open(...given));
    return whenSettled(openOutside, args, (error) => {
      if (!error) return;
      markRefused(error);
      this.connection.stream.destroy();
    });
  }
}

/** A pool in which a request waits for a connection no longer than it may wait for the database. */
export class LimitedPool extends pg.Pool {
  constructor(config: pg.PoolConfig & LimitedConfig) {
    super(config);
    const take = this.connect.bind(this) as AnyFunction;
    this.connect = ((...args: unknown[]) => this.#take(take, args)) as typeof this.connect;
  }

  #take(take: AnyFunction, args: unknown[]): unknown {
    const [given] = args;
    // The pool calls back in the async context that freed the connection; the statement belongs to the one
    // that asked for it.
    const callback = typeof given === "function" ? inThisContext(given as Taken) : undefined;
    const wait = currentDatabaseWait();
    const limitMs = wait?.left() ?? Infinity;
    if (wait === undefined || limitMs === Infinity || this.idleCount > this.waitingCount)
      return callback === undefined ? take() : take(callback);
    if (callback !== undefined) return takeWithin(take, { limitMs, wait, callback });
    return new Promise<pg.PoolClient | undefined>((resolve, reject) => {
      takeWithin(take, {
        limitMs,
        wait,
        callback: (error, client) => (error ? reject(error) : resolve(client)),
      });
    });
  }
}

type Taken = (error: Error | undefined, client?: pg.PoolClient, done?: (problem?: unknown) => void) => void;

/**
 * Runs the callback in the async context of this call. `AsyncLocalStorage.bind` does so too, but gives each function a hidden class
 * of its own, which keeps the whole request in memory until the next full collection
 * (`docs/decisions/2026-11-27-objects-of-a-request.md`).
 */
function inThisContext(callback: Taken): Taken {
  const context = new AsyncResource("plinth.connection", { requireManualDestroy: true });
  return (...taken) => context.runInAsyncScope(callback, undefined, ...taken);
}

function takeWithin(
  take: AnyFunction,
  { limitMs, wait, callback }: { limitMs: number; wait: DatabaseWait; callback: Taken },
): void {
  let isOver = false;
  const finish: Taken = (error, client, done) => {
    // The connection came after the wait had been given up.
    if (isOver) return client?.release();
    isOver = true;
    stop();
    callback(error, client, done);
  };
  const stop = startLimit(limitMs, wait, () => finish(new DatabaseTimeout()));
  take(finish);
}

/** Returns a function that ends the limit, to be called exactly once, also after a timeout. */
export function startLimit(
  limitMs: number,
  wait: DatabaseWait | undefined,
  onTimeout: () => void,
): () => void {
  const timer = setTimeout(onTimeout, Math.ceil(limitMs / stepMs) * stepMs);
  wait?.begin();
  return () => {
    clearTimeout(timer);
    wait?.end();
  };
}

/** Calls `settled` with the error or nothing, once, whether the work takes a callback as its last argument or promises. */
function whenSettled(work: AnyFunction, args: unknown[], settled: (error?: unknown) => void): unknown {
  const last = args.length - 1;
  const callback = args[last];
  if (typeof callback === "function") {
    const done = (error: unknown, ...rest: unknown[]): void => {
      settled(error);
      (callback as AnyFunction)(error, ...rest);
    };
    return work(...args.slice(0, last), done);
  }
  const result = work(...args);
  if (result instanceof Promise)
    result.then(
      () => settled(),
      (error: unknown) => settled(error),
    );
  else settled();
  return result;
}

function fail(args: unknown[], error: Error): unknown {
  const callback = args.at(-1);
  if (typeof callback !== "function") return Promise.reject(error);
  process.nextTick(callback, error);
  return undefined;
}

const cancelCode = 80_877_102;
const cancelMs = 2_000;

/**
 * PostgreSQL takes such a request on a connection of its own, which counts for no limit of connections and is closed
 * after its 16 bytes. Without it a statement would go on (and keep its locks, and its place) after its connection.
 */
function requestCancel(client: pg.Client): void {
  const { host, port } = client;
  const { processID, secretKey } = client as { processID?: number | null; secretKey?: number | null };
  if (processID == null || secretKey == null) return;
  const request = Buffer.alloc(16);
  for (const [index, field] of [request.length, cancelCode, processID, secretKey].entries())
    request.writeInt32BE(field, index * 4);
  const socket = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  const timer = setTimeout(() => socket.destroy(), cancelMs);
  timer.unref();
  socket.on("error", () => {});
  socket.on("close", () => clearTimeout(timer));
  socket.end(request);
  socket.resume();
}
