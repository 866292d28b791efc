import { afterAll, beforeAll, expect, it } from "vitest";
import { sql } from "./sql.ts";
import { testDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { readTableMark } from "./table-mark.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  await sql`create table boats (name text)`.execute(db.database.db);
  await sql`create table ports (name text)`.execute(db.database.db);
});
afterAll(() => db.drop());

const mark = (...tables: string[]): Promise<string> => readTableMark(db.database.db, tables);

it.each([
  ["inserted", "insert into boats values ('a'), ('b')"],
  ["updated", "update boats set name = 'c' where name = 'a'"],
  ["deleted", "delete from boats where name = 'b'"],
])("is another one once rows were %s, and that of another table stays", async (_what, statement) => {
  const [boats, ports] = [await mark("boats"), await mark("ports")];
  await sql.raw(statement).execute(db.database.db);
  await expect.poll(() => mark("boats")).not.toBe(boats);
  expect(await mark("ports")).toBe(ports);
  expect(await mark("boats", "ports")).toBe(`${await mark("boats")} ${ports}`);
});

it("of a table that there is not is empty", async () => {
  expect(await mark("submarines")).toBe("");
});
