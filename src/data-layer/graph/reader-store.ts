/** Statements of queries: each in a read-only transaction that knows who reads. */
import pg from "pg";
import type { Database } from "../../platform/db/database.ts";
import type { LimitedClient } from "../../platform/db/limited-client.ts";

/** What policies and views see of the caller. */
export type ReaderSettings = Readonly<Record<string, string>>;

interface Statement {
  text: string;
  values?: readonly unknown[];
  arrayMode?: boolean;
  name?: string;
}

interface ReaderClient {
  rawClient: pg.PoolClient;
  query(statement: Statement): Promise<{ rows: unknown[]; rowCount: number | null; notices: never[] }>;
  withTransaction<T>(work: (client: ReaderClient) => Promise<T>): Promise<T>;
}

/** What one query may take, of all databases together. */
export interface QueryBounds {
  /** Aborts with the reason that the query is answered with; its statements are cancelled. */
  signal: AbortSignal;
  /** Longest answer, in characters. */
  maxLength: number;
  /** Counts what was read, in characters. Aborts when that is more than an answer may have. */
  read(length: number): void;
  /** The answer would be too long. */
  exceed(): void;
}

export interface WithReader {
  <T>(settings: ReaderSettings | null, work: (client: ReaderClient) => Promise<T>): Promise<T>;
  release(): void;
}

export interface Reader {
  /** For one query. */
  within(bounds: QueryBounds): WithReader;
}

/** Texts that one connection prepares; further ones are sent as they are. */
const maxPrepared = 200;

/**
 * As the library asks for connections. Begin and settings are one message, since their answers are not looked at. One query has
 * half of the pool at most, so that another one is not kept waiting by its statements.
 */
export function readerOf({ pool }: Pick<Database, "pool">): Reader {
  const prepared = new WeakMap<pg.PoolClient, Set<string>>();
  const limits = new WeakMap<QueryBounds, ParallelLimit>();
  const read = async <T>(
    settings: ReaderSettings,
    work: (client: ReaderClient) => Promise<T>,
    bounds: QueryBounds,
  ): Promise<T> => {
    const { signal } = bounds;
    signal.throwIfAborted();
    const client = await pool.connect();
    const names = prepared.get(client) ?? new Set<string>();
    prepared.set(client, names);
    const abandon = (): void => (client as unknown as LimitedClient).abandon(signal.reason as Error);
    signal.addEventListener("abort", abandon, { once: true });
    let isIdle = false;
    try {
      signal.throwIfAborted();
      await client.query(`begin read only; ${settingStatement(settings)}`);
      try {
        const result = await work(clientOver(client, names, bounds));
        await client.query("commit");
        isIdle = true;
        return result;
      } catch (error) {
        isIdle = await client.query("rollback").then(
          () => true,
          () => false,
        );
        throw error;
      }
    } finally {
      signal.removeEventListener("abort", abandon);
      client.release(!isIdle);
    }
  };
  return {
    within(bounds) {
      const own = limits.get(bounds) ?? limitParallel(Math.max(1, Math.floor(pool.options.max / 2)));
      limits.set(bounds, own);
      return Object.assign(
        async <T>(settings: ReaderSettings | null, work: (client: ReaderClient) => Promise<T>) => {
          if (settings === null) throw new Error("A query of the data layer has no reader.");
          return own(() => read(settings, work, bounds));
        },
        { release: () => undefined },
      );
    },
  };
}

type ParallelLimit = <T>(work: () => Promise<T>) => Promise<T>;

/** So many at once; the others wait. */
function limitParallel(most: number): ParallelLimit {
  const waiting: (() => void)[] = [];
  let free = most;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

const settingStatement = (settings: ReaderSettings): string =>
  `select ${Object.entries(settings)
    .map(([name, value]) => `set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(value)}, true)`)
    .join(", ")}`;

function clientOver(client: pg.PoolClient, names: Set<string>, bounds: QueryBounds): ReaderClient {
  const types = countingTypes(bounds);
  return {
    rawClient: client,
    async query({ text, values = [], arrayMode, name }) {
      const isNamed = name !== undefined && (names.has(name) || names.size < maxPrepared);
      if (isNamed) names.add(name);
      const { rows, rowCount } = await client.query({
        text,
        values: [...values],
        types,
        ...(arrayMode === true ? { rowMode: "array" } : {}),
        ...(isNamed ? { name } : {}),
      } as pg.QueryConfig);
      return { rows, rowCount, notices: [] };
    },
    withTransaction() {
      throw new Error("The data layer only reads.");
    },
  };
}

/** The driver's own, which count the text of each value as it arrives: what is too much is never gathered. */
function countingTypes(bounds: QueryBounds): pg.CustomTypesConfig {
  return {
    getTypeParser(id: number, format?: "text" | "binary") {
      const parse: (value: string) => unknown = pg.types.getTypeParser(id, format);
      return (value: string) => {
        bounds.read(value.length);
        bounds.signal.throwIfAborted();
        return parse(value);
      };
    },
  };
}
