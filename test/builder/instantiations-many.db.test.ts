/** The statements of the workers over many tasks that have ended: read from indexes, and old tasks go in small parts. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { claimTask, findAbandoned, prunePlans, pruneTasks } from "../../src/builder/instantiations/store.ts";
import { recoveredEvent } from "../../src/builder/instantiations/task-events.ts";
import { listTasks } from "../../src/builder/instantiations/task-store.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";

const many = 50_000;
const workerId = "00000000-0000-4000-8000-00000000000a";
let db: TestDatabase;

beforeAll(async () => {
  db = await testDatabase();
  const { kysely } = db.database;
  await sql`insert into template_plans (hash, plan, used_at) values ('old', '{}', now() - interval '2 days')`.execute(
    kysely,
  );
  await sql`insert into instantiations (id, template_ref, title, plan_hash, status, owner, parameters, created_at, ended_at)
    select gen_random_uuid(), 'template:default/t', 't', 'old', 'completed', 'user:default/u' || n % 100, '{}',
      timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-01-01' + n * interval '1 second'
    from generate_series(1, ${many}::int) n`.execute(kysely);
  await sql`insert into events (stream, type, at, data)
    select 'instantiation:' || id, 'completion', ended_at, '{}' from instantiations`.execute(kysely);
  await sql`insert into instantiations (id, template_ref, title, plan_hash, status, owner, parameters, created_at)
    values (gen_random_uuid(), 'template:default/t', 't', 'new', 'open', 'user:default/u1', '{}', '2025-01-01')`.execute(
    kysely,
  );
  await sql`analyze`.execute(kysely);
}, 120_000);
afterAll(() => db.drop());

/** Lines of the plan that read the table from end to end; the statements are the cores of those in the stores. */
async function scansOf(statement: string, values: string[]): Promise<string[]> {
  const literal = values.reduce((text, value, index) => text.replaceAll(`$${index + 1}`, value), statement);
  const { rows } = await db.database.pool.query<{ "QUERY PLAN": string }>(`explain ${literal}`);
  return rows.map((row) => row["QUERY PLAN"]).filter((line) => line.includes("Seq Scan on instantiations"));
}

it("the sweep, the lists and the pruning read from indexes", async () => {
  expect(
    await scansOf(
      `select id from instantiations where status in ('open', 'processing') order by created_at limit 10`,
      [],
    ),
  ).toEqual([]);
  expect(
    await scansOf(
      `select id from instantiations i where i.owner = $1 and true and true order by i.created_at desc, i.id desc limit 21`,
      ["'user:default/u1'"],
    ),
  ).toEqual([]);
  expect(
    await scansOf(
      `select id from instantiations where created_at < $1 and status not in ('open', 'processing')
       order by created_at, id limit 200 for update skip locked`,
      ["'2026-01-01 01:00Z'"],
    ),
  ).toEqual([]);
  const filter = { owner: "user:default/u7", status: [], limit: 3, after: null, offset: 0 };
  const page = await listTasks(db.database.kysely, filter);
  expect(page.map(({ createdBy }) => createdBy)).toEqual(Array(3).fill("user:default/u7"));
});

it("a task among many is found and taken once", async () => {
  const query = { workerId, driving: [], full: [], limit: 10 };
  const [{ id } = { id: "" }] = await findAbandoned(db.database, query);
  const claim = { workerId, at: new Date(), recovered: recoveredEvent(new Date()) };
  const taken = await claimTask(db.database, id, claim);
  expect(taken).toMatchObject({ id, fence: 1, steps: [], checkpoints: [], hasWorkspace: false });
  const other = { ...claim, workerId: "00000000-0000-4000-8000-00000000000b" };
  // Its worker holds no lease, so another one may take it over, under a higher fence.
  expect((await claimTask(db.database, id, other))?.fence).toBe(2);
});

it("old tasks go in small parts with their events, the others and what goes on stay", async () => {
  const { kysely } = db.database;
  const before = new Date("2026-01-01T00:05:00Z");
  const counts: number[] = [];
  do counts.push(await pruneTasks(kysely, before, 100));
  while (counts.at(-1) !== 0);
  expect(counts).toEqual([100, 100, 99, 0]);
  const { rows } = await sql<{ tasks: number; events: number }>`select
    (select count(*) from instantiations) as tasks,
    (select count(*) from events where stream like 'instantiation:%' and type = 'completion') as events`.execute(
    kysely,
  );
  expect(rows).toEqual([{ tasks: many - 299 + 1, events: many - 299 }]);
  await prunePlans(kysely);
  const left = await sql<{ hash: string }>`select hash from template_plans`.execute(kysely);
  expect(left.rows).toEqual([{ hash: "old" }]);
});
