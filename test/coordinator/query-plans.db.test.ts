/** The statements of the hot lists, explained on large tables: each page is read from an index, whatever is asked for. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../src/platform/db/database.ts";
import { sql, type Sql } from "../../src/platform/db/sql.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { pageSql, type OperationQuery } from "../../src/coordinator/plans/operation-store.ts";
import { logPageSql, type LogQuery } from "../../src/coordinator/plans/store.ts";
import { explainIn } from "../support/explain.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { storeManyLines, storeManyOperations } from "../support/stored-history.ts";

const rows = 100_000;
let db: TestDatabase;

beforeAll(async () => {
  db = await testDatabase();
  await storeManyOperations(db.database.db, rows);
  await storeManyLines(db.database.db, "plan-7", rows);
  await storeManyLines(db.database.db, "plan-8", 1_000);
});
afterAll(() => db.drop());

const explain = (statement: Sql) => explainIn(db.database.db, statement);

const middle = new Date("2026-01-01T03:00:00Z");
const operations: OperationQuery = {
  unitKey: undefined,
  environments: [],
  statuses: [],
  after: undefined,
  before: undefined,
  order: "desc",
  limit: 20,
  withDescriptors: false,
  withProgress: false,
};

describe("operations", () => {
  it.each<[string, Partial<OperationQuery>, string]>([
    ["the newest", {}, "operations_listed"],
    ["older ones", { before: middle }, "operations_listed"],
    ["the oldest first", { order: "asc", after: middle }, "operations_listed"],
    ["with descriptors", { withDescriptors: true }, "operations_listed"],
    ["of one environment", { environments: ["staging"] }, "operations_listed"],
    ["of two environments", { environments: ["staging", "production"], before: middle }, "operations_listed"],
    ["of a rare status", { statuses: ["TERMINATED"] }, "operations_listed"],
    ["of a status that none has", { statuses: ["TERMINATING"] }, "operations_listed"],
    [
      "of both",
      { environments: ["staging"], statuses: ["FAILED", "RUNNING"], after: middle },
      "operations_listed",
    ],
    ["of a plan", { planId: "plan-7" }, "operations_plan"],
    ["of a unit", { unitKey: "unit-7" }, "operations_of_unit"],
    [
      "to roll back to",
      { unitKey: "unit-7", environments: ["staging"], statuses: ["SUCCEEDED"] },
      "operations_of_unit",
    ],
  ])("%s", async (...[, query, index]) => {
    const { scans, indexes, touched } = await explain(pageSql({ ...operations, ...query }));
    expect(scans).toEqual([]);
    expect(indexes).toContain(index);
    expect(touched).toBeLessThan(2_000);
  });
});

describe("a page of operations that a connection asks for again and again", () => {
  it("is planned once for all values, also after the table has grown", async () => {
    const own = await testDatabase();
    const database = openDatabase({ connection: own.connection, log: silentLogger, poolSize: 1 });
    try {
      const storeOfTenUnits = async (count: number): Promise<void> => {
        await sql`delete from execution_plans`.execute(database.db);
        await storeManyOperations(database.db, count);
        await sql`update operations set unit_key = 'unit-' || substr(id, length(id)), status = 'SUCCEEDED'`.execute(
          database.db,
        );
        await sql`vacuum analyze operations`.execute(database.db);
      };
      await storeOfTenUnits(1_000);
      const { text } = pageSql({ ...operations, unitKey: "unit-7" }).compile();
      await sql`prepare page as ${sql.raw(text)}`.execute(database.db);
      const ask = async (times: number): Promise<void> => {
        for (let n = 0; n < times; n++) await sql`execute page('unit-7', 20, 20)`.execute(database.db);
      };
      await ask(6);
      await storeOfTenUnits(30_000);
      await ask(10);
      const { rows: uses } = await sql<{ generic: number; custom: number }>`select generic_plans as generic,
          custom_plans as custom from pg_prepared_statements where name = 'page'`.execute(database.db);
      expect(uses).toEqual([{ generic: 11, custom: 5 }]);
    } finally {
      await database.close();
      await own.drop();
    }
  });
});

const lines: LogQuery = { planId: "plan-7", level: "DEBUG", taskId: undefined, after: 0, limit: 100 };

describe("log lines", () => {
  it.each<[string, Partial<LogQuery>]>([
    ["all", {}],
    ["from amid the log", { after: rows / 2 }],
    ["errors", { level: "ERROR" }],
    ["warnings from amid the log", { level: "WARNING", after: rows / 2 }],
    ["of a plan that has few", { planId: "plan-8" }],
    ["of a plan that has none", { planId: "plan-9" }],
  ])("%s", async (...[, query]) => {
    const { scans, indexes, touched } = await explain(logPageSql({ ...lines, ...query }));
    expect(scans).toEqual([]);
    expect(indexes).toContain("events_logs");
    expect(touched).toBeLessThan(2_000);
  });
});
