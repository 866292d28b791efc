/** Which transactions are named as those that hold back events. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { testDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { listEventWriters, longSeconds } from "./settled-store.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

it("names those that are open for so long, and no other that happens to write at the moment", async () => {
  const named = (forSeconds: number) => listEventWriters(db.database.db, { limit: 10, forSeconds });
  const writer = await db.database.connect();
  try {
    await writer.query("begin");
    await writer.query(`insert into events (stream, type, at, data) values ('s', 'plan', now(), '{}')`);
    const { rows } = await writer.query<{ pid: number }>("select pg_backend_pid() as pid");
    expect(await named(0)).toEqual([{ pid: rows[0]!.pid, prepared: null, seconds: expect.any(Number) }]);
    expect(await named(longSeconds)).toEqual([]);
  } finally {
    await writer.end();
  }
  expect(await named(0)).toEqual([]);
});
