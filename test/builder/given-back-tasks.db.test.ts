/** Tasks that their workers can't bring to an end: they wait longer each time, say why, and are given up at last. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { claimAbandoned, claimOpen } from "../../src/builder/instantiations/running/claim-store.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { newId } from "../../src/platform/lib/ids.ts";
import { eventually } from "../support/eventually.ts";
import { startBuilder, type BuilderFixture } from "./builder-fixture.ts";

let fixture: BuilderFixture;

beforeAll(async () => {
  fixture = await startBuilder({ idle: true });
  fixture.addTemplate("says", {
    steps: [{ id: "say", action: "debug:log", input: { message: "hello" } }],
  });
});
afterAll(() => fixture.close());

const path = (id: string): string => `/api/builder/templates/tasks/${id}`;
const task = async (id: string) => (await fixture.call({ path: path(id), as: "operator" })).body;
const db = () => fixture.db.database;

/** As if this worker had been killed right after its claim: its id has no lease. */
const claimAndDie = (id: string) => claimAbandoned(db(), id, { workerId: newId(), at: new Date() });

const begin = async (): Promise<string> => {
  const id = await fixture.instantiate("says");
  const claim = { workerId: newId(), at: new Date(), driving: [], full: [], limit: 1 };
  expect(await claimOpen(db(), claim)).toMatchObject([{ id, lastError: null }]);
  return id;
};

/** Its next attempt is due. */
const makeDue = (id: string, change: object = {}) =>
  sql`update instantiations set last_error = last_error || ${JSON.stringify(change)}::jsonb
    || jsonb_build_object('nextAttemptAt', now()) where id = ${id}`.execute(db().db);

it("one that ends its processes waits after the third, and is given up after the fiftieth", async () => {
  const id = await begin();
  expect(await claimAndDie(id)).toMatchObject({ fence: 2, lastError: { deaths: 1 } });
  expect(await claimAndDie(id)).toMatchObject({ fence: 3, lastError: { deaths: 2 } });
  expect(await claimAndDie(id)).toBeNull();
  expect((await task(id)).waiting).toContain(
    "Its process has ended 3 times in a row while it had this work.",
  );
  await makeDue(id, { deaths: 49, attempts: 49 });
  expect(await claimAndDie(id)).toMatchObject({ lastError: { deaths: 49 } });
  expect(await claimAndDie(id)).toBeNull();
  await makeDue(id);
  const { worker } = await fixture.startWorker();
  const events = await fixture.events(id);
  const reason = "Its process has ended 50 times in a row while it had this work.";
  expect(events.findLast(({ event }) => event === "recovered")?.data.message).toContain(reason);
  expect(await task(id)).toMatchObject({
    status: "failed",
    error: `It was given up after 50 attempts without progress. ${reason}`,
    waiting: null,
  });
  // A retry begins to count anew.
  expect((await fixture.call({ method: "POST", path: `${path(id)}/retry`, body: {} })).status).toBe(200);
  await fixture.events(id);
  expect((await task(id)).status).toBe("completed");
  await worker.close(0);
});

it("one whose progress the database refuses says so, and goes on when it may", async () => {
  await db().pool.query(`create function refuse_lines() returns trigger language plpgsql as $$
    begin raise exception 'no lines' using errcode = 'P0001'; end $$`);
  await db().pool.query(`create trigger refuse_lines before insert on events for each row
    when (new.type = 'log') execute function refuse_lines()`);
  const id = await fixture.instantiate("says");
  const { worker } = await fixture.startWorker();
  const reason = "The database refused a statement (P0001); the server's log tells more.";
  await eventually("a second attempt", async () => {
    const { rows } = await sql<{
      attempts: number | null;
    }>`select (last_error ->> 'attempts')::int as attempts
      from instantiations where id = ${id}`.execute(db().db);
    return (rows[0]?.attempts ?? 0) > 1;
  });
  await eventually("the reason", async () => (await task(id)).waiting?.includes(reason) === true);
  await db().pool.query("drop trigger refuse_lines on events");
  const events = await fixture.events(id);
  expect(events.findLast(({ event }) => event === "recovered")?.data.message).toContain(reason);
  expect((await task(id)).status).toBe("completed");
  await worker.close(0);
});

it("one that no worker could go on with in many attempts is given up, with the reason", async () => {
  const id = await begin();
  const reason = "The disk is full.";
  await sql`update instantiations set worker_id = null, last_error = ${JSON.stringify({
    reason,
    since: new Date().toISOString(),
    attempts: 25,
    nextAttemptAt: new Date().toISOString(),
    progress: 0,
  })}::jsonb where id = ${id}`.execute(db().db);
  const { worker } = await fixture.startWorker();
  await fixture.events(id);
  expect((await task(id)).error).toBe(`It was given up after 25 attempts without progress. ${reason}`);
  await worker.close(0);
});
