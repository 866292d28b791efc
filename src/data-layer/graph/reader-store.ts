/** Statements of queries: each in a read-only transaction that knows who reads. */
import pg from "pg";
import type { Database } from "../../platform/db/database.ts";

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

export interface WithReader {
  <T>(settings: ReaderSettings | null, work: (client: ReaderClient) => Promise<T>): Promise<T>;
  release(): void;
}

/** Texts that one connection prepares; further ones are sent as they are. */
const maxPrepared = 200;

/** As the library asks for connections. Begin and settings are one message, since their answers are not looked at. */
export function readerOf({ pool }: Pick<Database, "pool">): WithReader {
  const prepared = new WeakMap<pg.PoolClient, Set<string>>();
  const withReader = async <T>(
    settings: ReaderSettings | null,
    work: (client: ReaderClient) => Promise<T>,
  ): Promise<T> => {
    if (settings === null) throw new Error("A query of the data layer has no reader.");
    const client = await pool.connect();
    const names = prepared.get(client) ?? new Set<string>();
    prepared.set(client, names);
    let isIdle = false;
    try {
      await client.query(`begin read only; ${settingStatement(settings)}`);
      try {
        const result = await work(clientOver(client, names));
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
      client.release(!isIdle);
    }
  };
  return Object.assign(withReader, { release: () => undefined });
}

const settingStatement = (settings: ReaderSettings): string =>
  `select ${Object.entries(settings)
    .map(([name, value]) => `set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(value)}, true)`)
    .join(", ")}`;

function clientOver(client: pg.PoolClient, names: Set<string>): ReaderClient {
  return {
    rawClient: client,
    async query({ text, values = [], arrayMode, name }) {
      const isNamed = name !== undefined && (names.has(name) || names.size < maxPrepared);
      if (isNamed) names.add(name);
      const { rows, rowCount } = await client.query({
        text,
        values: [...values],
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
