import { afterAll, beforeAll, expect, it } from "vitest";
import { sql } from "./sql.ts";
import { testDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { readTableMarks } from "./table-mark.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  await sql`create table boats (name text)`.execute(db.database.db);
  await sql`create table ports (name text)`.execute(db.database.db);
});
afterAll(() => db.drop());

const marks = (...groups: string[][]): Promise<string[]> => readTableMarks(db.database.db, groups);
const mark = async (...tables: string[]): Promise<string> => (await marks(tables))[0]!;

it.each([
  ["inserted", "insert into boats values ('a'), ('b')"],
  ["updated", "update boats set name = 'c' where name = 'a'"],
  ["deleted", "delete from boats where name = 'b'"],
])("is another one once rows were %s, and that of another table stays", async (_what, statement) => {
  const [boats, ports] = [await mark("boats"), await mark("ports")];
  await sql.raw(statement).execute(db.database.db);
  await expect.poll(() => mark("boats")).not.toBe(boats);
  const changed = await mark("boats");
  expect(await marks(["ports"], ["boats"], [], ["boats", "ports"])).toEqual([
    ports,
    changed,
    "",
    `${changed} ${ports}`,
  ]);
});

it("of a table that there is not is empty", async () => {
  expect(await mark("submarines")).toBe("");
});
