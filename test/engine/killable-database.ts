/**
 * A database that can die under its user as the process does by kill -9: from one moment on no answer is
 * delivered any more, nothing further is sent, and every connection is cut, the lease's too. What the server
 * has been handed it still finishes, as it would.
 */
import type pg from "pg";
import { dbOver, openDatabase, type Connection, type Database } from "../../src/platform/db/database.ts";
import { createListener } from "../../src/platform/db/listener.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";

/** A write becomes permanent: a group of transitions, or the commit of a claim or an end. */
export interface Moment {
  /** Counted from the arming, from 1. */
  number: number;
  /** `before` it is sent, or `after` it was committed and before its user knows. */
  side: "before" | "after";
}

export interface KillableDatabase {
  database: Database;
  /** Counts from here on, and dies at the moment if one is given. */
  arm(moment: Moment | null): void;
  /** Moments since the arming. */
  passed(): number;
  /** Resolves when it has died. */
  death: Promise<void>;
  isDead(): boolean;
  kill(): void;
  /** Gives back what is left; for the living as for the dead. */
  dispose(): Promise<void>;
}

type Query = (...args: unknown[]) => Promise<unknown>;

export function killableDatabase(connection: Connection): KillableDatabase {
  const real = openDatabase({ connection, log: silentLogger, poolSize: 8 });
  const clients = new Set<pg.Client>();
  real.pool.on("connect", (client) => clients.add(client as pg.Client));
  const { promise: death, resolve: died } = Promise.withResolvers<void>();
  const never = new Promise<never>(() => {});
  let dead = false;
  let count = 0;
  let fatal: Moment | null = null;

  const kill = (): void => {
    dead = true;
    for (const client of clients) cut(client);
    died();
  };
  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    if (dead) return never;
    try {
      const value = await work();
      return dead ? never : value;
    } catch (error) {
      if (dead) return never;
      throw error;
    }
  };
  const send = async (query: Query, args: unknown[]): Promise<unknown> => {
    if (!isMoment(args[0])) return query(...args);
    count++;
    const isFatal = fatal?.number === count;
    if (isFatal && fatal?.side === "before") kill();
    if (dead) return never;
    const result = await query(...args);
    if (isFatal) kill();
    return result;
  };
  const facadeOf = (client: pg.PoolClient): pg.PoolClient =>
    new Proxy(client, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        const bound = (member as Query).bind(target);
        return name === "query" ? (...args: unknown[]) => guard(() => send(bound, args)) : bound;
      },
    });
  const pool = {
    query: (...args: unknown[]) => guard(() => send(real.pool.query.bind(real.pool) as Query, args)),
    connect: () => guard(async () => facadeOf(await real.pool.connect())),
    end: async () => {},
  } as unknown as pg.Pool;
  const connect: Database["connect"] = (options) =>
    guard(async () => {
      const client = await real.connect(options);
      clients.add(client);
      return client;
    });
  const listener = createListener(connect, silentLogger);
  return {
    database: { db: dbOver(pool), pool, connection, listener, connect, close: () => listener.close() },
    arm(moment) {
      count = 0;
      fatal = moment;
    },
    passed: () => count,
    death,
    isDead: () => dead,
    kill,
    async dispose() {
      if (!dead) await listener.close();
      await real.close();
    },
  };
}

function isMoment(query: unknown): boolean {
  if (typeof query === "string") return query === "commit";
  return (
    typeof query === "object" &&
    query !== null &&
    "name" in query &&
    String(query.name).startsWith("write-group")
  );
}

/** What the kernel does for a process that is gone. */
function cut(client: pg.Client): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } };
  connection.stream.destroy();
}
