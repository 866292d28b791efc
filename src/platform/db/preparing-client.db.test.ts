import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { inTransaction } from "./database.ts";
import { sql } from "./sql.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

describe("statements that come often", () => {
  it("are prepared by each connection that runs them, and rare ones are not", async () => {
    const seen = await inTransaction(db.database, async (one) => {
      const ask = (n: number) => sql<{ sum: number }>`select ${n}::int + 1 as sum`.execute(one);
      const prepared = async (): Promise<string[]> => {
        const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements
          where statement like 'select $1::int + 1%'`.execute(one);
        return rows.map(({ statement }) => statement);
      };
      await ask(1);
      const early = await prepared();
      const sums: number[] = [];
      for (let n = 0; n < 40; n++) sums.push((await ask(n)).rows[0]?.sum ?? 0);
      return { early, late: await prepared(), sums };
    });
    expect(seen.early).toEqual([]);
    expect(seen.late).toEqual(["select $1::int + 1 as sum"]);
    expect(seen.sums).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
  });

  it("are prepared also after a great many rare ones", async () => {
    const names = await inTransaction(db.database, async (one) => {
      for (let n = 0; n < 1_200; n++) await sql`select ${n}::int as ${sql.raw(`rare_${n}`)}`.execute(one);
      for (let n = 0; n < 30; n++) await sql`select ${n}::int as after_rare`.execute(one);
      const { rows } = await sql<{ name: string }>`select name from pg_prepared_statements
        where statement like '%after_rare'`.execute(one);
      return rows.map(({ name }) => name);
    });
    expect(names).toHaveLength(1);
  });

  it("still fail with what is wrong, and the next use works", async () => {
    const divide = (by: number) => sql<{ q: number }>`select 100 / ${by}::int as q`.execute(db.database.db);
    for (let n = 0; n < 30; n++) await divide(1);
    await expect(divide(0)).rejects.toMatchObject({ code: "22012" });
    expect((await divide(4)).rows).toEqual([{ q: 25 }]);
  });

  it("are the same texts with other parameters for the driver's own way to ask", async () => {
    for (let n = 0; n < 30; n++) {
      const { rows } = await db.database.pool.query("select $1::text as own", [`v${n}`]);
      expect(rows).toEqual([{ own: `v${n}` }]);
    }
  });
});
