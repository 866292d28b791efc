/** What a transaction leaves behind, on each way it can end: rows, errors and the pool's connection. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { silentLogger } from "../lib/logger.ts";
import { inTransaction, openDatabase, type Database, type Db, type Transaction } from "./database.ts";
import { isDatabaseAway } from "./failures.ts";
import { sql } from "./sql.ts";

let admin: TestDatabase;
/** Its pool has one connection, so that a connection that is not given back stops the next statement. */
let database: Database;

beforeAll(async () => {
  admin = await testDatabase();
  await sql`create table boats (name text primary key,
    mate text references boats (name) deferrable initially deferred)`.execute(admin.database.db);
});
afterAll(() => admin.drop());
beforeEach(async () => {
  await sql`truncate boats`.execute(admin.database.db);
  database = openDatabase({ connection: admin.connection, log: silentLogger, poolSize: 1 });
});
afterEach(() => database.close());

const insert = (db: Db, name: string, mate: string | null = null) =>
  sql`insert into boats (name, mate) values (${name}, ${mate})`.execute(db);
const names = async (): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select name from boats order by name`.execute(
    admin.database.db,
  );
  return rows.map(({ name }) => name);
};
/** The connection that serves next; its state is that of one on which nothing has begun. */
const nextPid = async (): Promise<number> => {
  const { rows } = await sql<{ pid: number; is_idle: boolean }>`select pg_backend_pid() as pid,
    now() = statement_timestamp() as is_idle`.execute(database.db);
  expect(rows[0]?.is_idle).toBe(true);
  expect(database.pool).toMatchObject({ totalCount: 1, idleCount: 1, waitingCount: 0 });
  return rows[0]!.pid;
};
const terminate = (pid: number) => sql`select pg_terminate_backend(${pid})`.execute(admin.database.db);

/** As if the connection answered that statement otherwise. */
async function answering(
  text: string,
  answer: (send: () => Promise<unknown>) => Promise<unknown>,
): Promise<void> {
  const client = await database.pool.connect();
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
  const replaced = (...args: unknown[]): Promise<unknown> =>
    args[0] === text ? answer(() => query(...args)) : query(...args);
  client.query = replaced as typeof client.query;
  client.release();
}

describe("a transaction", () => {
  it("commits, gives back what its work returned, and uses one connection of the pool", async () => {
    const before = await nextPid();
    const returned = await inTransaction(database, async (tx) => {
      await insert(tx, "ark");
      expect(await names()).toEqual([]);
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      return rows[0]?.pid;
    });
    expect(returned).toBe(before);
    expect(await names()).toEqual(["ark"]);
    expect(await nextPid()).toBe(before);
  });

  it("rolls back when its work rejects, with the error of the work", async () => {
    const before = await nextPid();
    const error = new Error("the work's own");
    const work = async (tx: Db): Promise<void> => {
      await insert(tx, "ark");
      throw error;
    };
    await expect(inTransaction(database, work)).rejects.toBe(error);
    expect(await names()).toEqual([]);
    expect(await nextPid()).toBe(before);
  });

  it("sees one snapshot where it asks for it", async () => {
    const counted = await inTransaction(
      database,
      async (tx) => {
        const count = async (): Promise<number> => (await sql`select 1 from boats`.execute(tx)).rowCount;
        const first = await count();
        await insert(admin.database.db, "ark");
        return [first, await count()];
      },
      { isolation: "repeatable read" },
    );
    expect(counted).toEqual([0, 0]);
  });

  it("refuses statements after its end, for its connection serves others by then", async () => {
    const left: Transaction[] = [];
    await inTransaction(database, async (tx) => void left.push(tx));
    await inTransaction(database, async (tx) => {
      left.push(tx);
      throw new Error("no");
    }).catch(() => {});
    for (const tx of left) await expect(insert(tx, "late")).rejects.toThrow("a transaction that has ended");
    expect(await names()).toEqual([]);
  });

  it("rejects when a statement of it failed whose error the work dropped", async () => {
    const before = await nextPid();
    const work = async (tx: Db): Promise<void> => {
      await insert(tx, "ark");
      await insert(tx, "ark").catch(() => {});
    };
    await expect(inTransaction(database, work)).rejects.toThrow("was rolled back");
    expect(await names()).toEqual([]);
    expect(await nextPid()).toBe(before);
  });
});

describe("a transaction whose own statements fail", () => {
  it("gives the connection back after a commit that PostgreSQL refuses", async () => {
    const before = await nextPid();
    const work = inTransaction(database, async (tx) => void (await insert(tx, "ark", "nobody")));
    await expect(work).rejects.toMatchObject({ code: "23503" });
    expect(await names()).toEqual([]);
    expect(await nextPid()).toBe(before);
  });

  it("gives up the connection after a begin that failed, for it may have begun all the same", async () => {
    const before = await nextPid();
    await answering("begin", async (send) => {
      await send();
      throw new Error("no answer to begin");
    });
    await expect(inTransaction(database, async (tx) => insert(tx, "ark"))).rejects.toThrow(
      "no answer to begin",
    );
    expect(await nextPid()).not.toBe(before);
    expect(await names()).toEqual([]);
  });

  it("gives up the connection after a rollback that failed, with the error of the work", async () => {
    const before = await nextPid();
    await answering("rollback", () => Promise.reject(new Error("no answer to rollback")));
    const work = inTransaction(database, async (tx) => {
      await insert(tx, "ark");
      throw new Error("the work's own");
    });
    await expect(work).rejects.toThrow("the work's own");
    expect(await nextPid()).not.toBe(before);
    expect(await names()).toEqual([]);
  });

  it("says that the database is away when the connection breaks at a statement or at the commit", async () => {
    for (const at of ["statement", "commit"]) {
      const before = await nextPid();
      const work = inTransaction(database, async (tx) => {
        await insert(tx, "ark");
        await terminate(before);
        if (at === "statement") await insert(tx, "boat");
      });
      expect(isDatabaseAway(await work.catch((error: unknown) => error))).toBe(true);
      expect(await nextPid()).not.toBe(before);
      expect(await names()).toEqual([]);
    }
  });
});

describe("a statement of its own", () => {
  it("gives its connection back also when it fails, without closing it", async () => {
    const before = await nextPid();
    await expect(sql`select 1 / 0`.execute(database.db)).rejects.toMatchObject({ code: "22012" });
    expect(await nextPid()).toBe(before);
  });

  it("tells how many rows it has changed", async () => {
    const { rowCount } = await sql`insert into boats (name) values ('a'), ('b')`.execute(database.db);
    expect(rowCount).toBe(2);
    expect((await sql`update boats set mate = null where name = 'c'`.execute(database.db)).rowCount).toBe(0);
  });

  it("gives each value to PostgreSQL as the driver does", async () => {
    const at = new Date("2026-01-02T03:04:05.678Z");
    const values = sql`select ${undefined}::text as nothing, ${at}::timestamptz as at, ${Buffer.from([0, 255])}::bytea
      as bytes, ${["a", null, 'q"']}::text[] as list, ${{ a: [1] }}::jsonb as json, ${7}::bigint as whole`;
    expect((await values.execute(database.db)).rows).toEqual([
      {
        nothing: null,
        at,
        bytes: Buffer.from([0, 255]),
        list: ["a", null, 'q"'],
        json: { a: [1] },
        whole: 7,
      },
    ]);
  });

  it("fails after the database was closed, as nothing that would be repeated", async () => {
    await sql`select 1`.execute(database.db);
    await database.close();
    const error = await sql`select 1`.execute(database.db).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: "The database was closed." });
    expect(isDatabaseAway(error)).toBe(false);
    await expect(inTransaction(database, async () => {})).rejects.toThrow("The database was closed.");
  });
});
