import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { silentLogger } from "../lib/logger.ts";
import { inTransaction, openDatabase, type Db } from "./database.ts";
import { sql } from "./sql.ts";
import { migrate } from "./migrations/migrate.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

describe("the database", () => {
  it("rolls back what a rejected transaction wrote", async () => {
    const broken = inTransaction(db.database, async (tx) => {
      await sql`insert into tech_adapters (id, version, name) values ('a', '1', 'A')`.execute(tx);
      throw new Error("no");
    });
    await expect(broken).rejects.toThrow("no");
    const { rows } = await sql`select * from tech_adapters`.execute(db.database.db);
    expect(rows).toEqual([]);
  });

  it("applies each migration once, also when two start together", async () => {
    const both = await Promise.all([migrate(db.database), migrate(db.database)]);
    expect(both.map(({ applied }) => applied)).toEqual([[], []]);
  });

  it("survives a connection that breaks between two statements of a transaction", async () => {
    const broken = inTransaction(db.database, async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db.database.db);
      // The break arrives while nothing is asked; without a listener it would end the process.
      await new Promise((next) => setTimeout(next, 50));
      await sql`select 1`.execute(tx);
    });
    await expect(broken).rejects.toThrow(/terminat|not queryable/);
    expect((await sql`select 1`.execute(db.database.db)).rows).toHaveLength(1);
  });

  it("gives no statement a connection whose end the server has just announced", async () => {
    for (let time = 0; time < 20; time += 1) {
      await expect(
        sql`select pg_terminate_backend(pg_backend_pid())`.execute(db.database.db),
      ).rejects.toThrow(/terminat/);
      expect((await sql`select 1`.execute(db.database.db)).rows).toHaveLength(1);
    }
  });

  it("replaces a connection that was used often, never within a transaction", async () => {
    const { connection } = db;
    const own = openDatabase({ connection, log: silentLogger, poolSize: 1, usesOfConnection: 3 });
    const pidIn = async (at: Db): Promise<number | undefined> =>
      (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(at)).rows[0]?.pid;
    try {
      const pids = [await pidIn(own.db), await pidIn(own.db)];
      pids.push(
        ...(await inTransaction(own, async (tx) => [await pidIn(tx), await pidIn(tx), await pidIn(tx)])),
      );
      expect(new Set(pids).size).toBe(1);
      expect(pids).not.toContain(await pidIn(own.db));
    } finally {
      await own.close();
    }
  });

  it("has no statement compiled, whatever the server's setting", async () => {
    const { connection } = db;
    await sql`alter database ${sql.ref(connection.dbname)} set jit = on`.execute(db.database.db);
    const own = openDatabase({ connection, log: silentLogger });
    try {
      expect((await sql`show jit`.execute(own.db)).rows).toEqual([{ jit: "off" }]);
    } finally {
      await own.close();
    }
  });

  it("wakes a listener, and wakes it with null after its connection was lost", async () => {
    const received: (string | null)[] = [];
    const stop = await db.database.listener.listen("test_channel", (payload) => received.push(payload));
    await sql`select pg_notify('test_channel', 'one')`.execute(db.database.db);
    await expect.poll(() => received).toEqual(["one"]);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where query ilike 'listen %' and pid <> pg_backend_pid()
        and datname = current_database()`.execute(db.database.db);
    await expect.poll(() => received).toEqual(["one", null]);
    await sql`select pg_notify('test_channel', 'two')`.execute(db.database.db);
    await expect.poll(() => received).toEqual(["one", null, "two"]);
    stop();
  });
});
