/** How far events can be read, by what transactions of a real database hold. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { testDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { followSettled } from "./follow-settled.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

const insert = `insert into events (stream, type, at, data) values ('s', 'plan', now(), '{}') returning id`;
const append = async (): Promise<number> =>
  (await db.database.pool.query<{ id: number }>(insert)).rows[0]!.id;
async function begun() {
  const client = await db.database.connect();
  await client.query("begin");
  return client;
}

it("a transaction that has inserted holds back what came after it, also where it is rolled back", async () => {
  const first = await append();
  const read = followSettled(db.database.db);
  expect(await read()).toEqual({ settled: first, againMs: null });
  for (const ending of ["commit", "rollback"]) {
    const before = (await read()).settled;
    const writer = await begun();
    await writer.query(insert);
    const last = await append();
    expect(await read()).toEqual({ settled: before, againMs: expect.any(Number) });
    // Looked at more and more seldom.
    await expect.poll(async () => (await read()).againMs).toBeGreaterThan(100);
    expect((await read()).settled).toBe(before);
    await writer.query(ending);
    await writer.end();
    await expect.poll(read).toEqual({ settled: last, againMs: null });
  }
});

it("one that has rolled its inserts back, or has only read and written elsewhere, holds nothing back", async () => {
  const undone = await begun();
  await undone.query("create temp table kept (id int)");
  await undone.query("savepoint before");
  await undone.query(insert);
  await undone.query("rollback to savepoint before");
  const reader = await begun();
  await reader.query("select pg_current_xact_id(), count(*) from events");
  const last = await append();
  expect(await followSettled(db.database.db)()).toEqual({ settled: last, againMs: null });
  for (const client of [undone, reader]) await client.end();
});
