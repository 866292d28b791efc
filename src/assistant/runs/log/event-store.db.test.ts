import { afterAll, beforeAll, expect, it } from "vitest";
import { sql } from "../../../platform/db/sql.ts";
import { testDatabase, type TestDatabase } from "../../../../test/support/database.ts";
import { newId } from "../../../platform/lib/ids.ts";
import { runLogChannel } from "./notice-store.ts";
import { readRunEvents, writeBatches } from "./event-store.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

it("writes and tells of any number of runs in one statement, and not of those that belong to others", async () => {
  const { db: pool, listener } = db.database;
  const ids = Array.from({ length: 450 }, newId);
  await sql`with sessions as (
      insert into assistant_sessions (id, owner, created_at, updated_at)
      select id, 'user:me', now(), now() from unnest(${ids}::uuid[]) as id returning id
    )
    insert into assistant_runs (id, session_id, owner, actor, request_id, request_hash, message, status, fence, created_at)
    select id, id, 'user:me', '{}', id::text, '', '', 'running', 3, now() from sessions`.execute(pool);
  const notified = new Set<string>();
  const stop = await listener.listen(runLogChannel, (payload) => {
    for (const id of payload?.split(",") ?? []) notified.add(id);
  });
  const [lost, ...claimed] = ids as [string, ...string[]];
  const batchOf = (runId: string, fence: number) => ({
    runId,
    fence,
    firstSeq: 2,
    events: [`{"type":"A","of":"${runId}"}`, '{"type":"B"}'],
  });
  const written = await writeBatches(pool, [batchOf(lost, 2), ...claimed.map((id) => batchOf(id, 3))]);
  expect(written).toEqual(new Set(claimed));
  await expect.poll(() => notified.size).toBe(claimed.length);
  expect(notified).toEqual(new Set(claimed));
  expect(await readRunEvents(pool, claimed[400] ?? "", 1)).toEqual({
    firstSeq: 2,
    events: [`{"type":"A","of":"${claimed[400]}"}`, '{"type":"B"}'],
    isAll: true,
    isGone: false,
  });
  const nothing = { firstSeq: 1, events: [], isAll: true };
  expect(await readRunEvents(pool, lost, 0)).toEqual({ ...nothing, isGone: false });
  expect(await readRunEvents(pool, newId(), 0)).toEqual({ ...nothing, isGone: true });
  stop();
});
