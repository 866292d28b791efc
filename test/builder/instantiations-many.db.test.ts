/** The statements of the workers over many tasks that have ended: read from indexes, and old tasks go in small parts. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import {
  claimAbandoned,
  claimOpen,
  findAbandoned,
} from "../../src/builder/instantiations/running/claim-store.ts";
import { prunePlans, pruneTasks } from "../../src/builder/instantiations/store.ts";
import { listTasks } from "../../src/builder/instantiations/task-store.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";

const many = 50_000;
const workerId = "00000000-0000-4000-8000-00000000000a";
let db: TestDatabase;

beforeAll(async () => {
  db = await testDatabase();
  const { db: pool } = db.database;
  await sql`insert into template_plans (hash, plan, used_at) values ('old', '{}', now() - interval '2 days')`.execute(
    pool,
  );
  await sql`insert into instantiations (id, template_ref, title, plan_hash, status, owner, parameters, created_at, ended_at)
    select gen_random_uuid(), 'template:default/t', 't', 'old', 'completed', 'user:default/u' || n % 100, '{}',
      timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-01-01' + n * interval '1 second'
    from generate_series(1, ${many}::int) n`.execute(pool);
  await sql`insert into events (stream, type, at, data)
    select 'instantiation:' || id, 'completion', ended_at, '{}' from instantiations`.execute(pool);
  await sql`insert into instantiations (id, template_ref, title, plan_hash, status, owner, parameters, created_at)
    values (gen_random_uuid(), 'template:default/t', 't', 'new', 'open', 'user:default/u1', '{}', '2025-01-01')`.execute(
    pool,
  );
  await sql`analyze`.execute(pool);
});
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
      `select id from instantiations where status = 'open' and not (owner = any ('{}')) order by created_at limit 10
       for update skip locked`,
      [],
    ),
  ).toEqual([]);
  expect(
    await scansOf(
      `select id from instantiations where status = 'processing' order by created_at limit 10`,
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
  const page = await listTasks(db.database.db, filter);
  expect(page.map(({ createdBy }) => createdBy)).toEqual(Array(3).fill("user:default/u7"));
});

it("a task among many is taken once, and again when its worker is gone", async () => {
  const at = new Date();
  const take = { workerId, at, driving: [], full: ["user:default/u2"], limit: 10 };
  expect(await claimOpen(db.database, { ...take, full: ["user:default/u1"] })).toEqual([]);
  const taken = await claimOpen(db.database, take);
  expect(taken).toMatchObject([{ fence: 1, steps: [], checkpoints: [], hasWorkspace: false }]);
  expect(await claimOpen(db.database, take)).toEqual([]);
  // Its worker holds no lease, so another one may take it over, under a higher fence.
  const other = { workerId: "00000000-0000-4000-8000-00000000000b", driving: [], full: [], limit: 10 };
  const found = await findAbandoned(db.database, other);
  expect(found).toEqual([{ id: taken[0]?.id, owner: "user:default/u1" }]);
  const claim = { workerId: other.workerId, at };
  expect((await claimAbandoned(db.database, taken[0]?.id ?? "", claim))?.fence).toBe(2);
});

it("workers that look at the same time never take more of one user than all of them may", async () => {
  await sql`insert into instantiations (id, template_ref, title, plan_hash, status, owner, parameters, created_at)
    select gen_random_uuid(), 'template:default/t', 't', 'new', 'open', 'user:default/' || u, '{}', now()
    from generate_series(1, 30), unnest(array['greedy', 'eager']) u`.execute(db.database.db);
  const look = (n: number) =>
    claimOpen(db.database, {
      workerId: `00000000-0000-4000-8000-00000000000${n}`,
      at: new Date(),
      driving: [],
      full: [],
      limit: 6,
      perUser: 7,
    });
  for (let round = 0; round < 3; round++) await Promise.all([1, 2, 3, 4, 5].map(look));
  const { rows } = await sql<{
    owner: string;
    n: number;
  }>`select owner, count(*)::int as n from instantiations
    where status = 'processing' and owner = any(array['user:default/greedy', 'user:default/eager'])
    group by owner order by owner`.execute(db.database.db);
  expect(rows).toEqual([
    { owner: "user:default/eager", n: 7 },
    { owner: "user:default/greedy", n: 7 },
  ]);
  await sql`update instantiations set status = 'completed', ended_at = now() where owner = 'user:default/eager'
    and status = 'processing'`.execute(db.database.db);
  expect(await look(1)).toHaveLength(6);
  await sql`delete from instantiations where owner = any(array['user:default/greedy', 'user:default/eager'])`.execute(
    db.database.db,
  );
});

it.each([[undefined], [7]])(
  "passes over what it still drives, and takes what comes after it (%s of one user)",
  async (perUser) => {
    const { rows } = await sql<{
      id: string;
    }>`insert into instantiations (id, template_ref, title, plan_hash, status, owner, parameters, created_at)
    select gen_random_uuid(), 'template:default/t', 't', 'new', 'open', 'user:default/again', '{}', now() + n * interval '1 s'
    from generate_series(1, 4) n returning id`.execute(db.database.db);
    const [first, second, third, fourth] = rows.map(({ id }) => id);
    const look = async (driving: string[]) => {
      const claim = {
        workerId,
        at: new Date(),
        driving,
        full: ["user:default/u1", "user:default/u2"],
        limit: 2,
        ...(perUser && { perUser }),
      };
      return (await claimOpen(db.database, claim)).map(({ id }) => id);
    };
    expect(await look([first!, second!])).toEqual([third, fourth]);
    expect(await look([first!])).toEqual([second]);
    expect(await look([])).toEqual([first]);
    await sql`delete from instantiations where owner = 'user:default/again'`.execute(db.database.db);
  },
);

it("workers that look at the same time take different tasks", async () => {
  await sql`insert into instantiations (id, template_ref, title, plan_hash, status, owner, parameters, created_at)
    select gen_random_uuid(), 'template:default/t', 't', 'new', 'open', 'user:default/many', '{}', now()
    from generate_series(1, 40)`.execute(db.database.db);
  const look = (n: number) =>
    claimOpen(db.database, {
      workerId: `00000000-0000-4000-8000-00000000000${n}`,
      at: new Date(),
      driving: [],
      full: [],
      limit: 10,
    });
  const taken = (await Promise.all([1, 2, 3, 4].map(look))).flat().map(({ id }) => id);
  const rest = (await look(5)).map(({ id }) => id);
  expect(new Set([...taken, ...rest]).size).toBe(taken.length + rest.length);
  for (let more = rest; more.length > 0; taken.push(...more)) more = (await look(6)).map(({ id }) => id);
  expect(taken.length + rest.length).toBe(40);
  await sql`delete from instantiations where owner = 'user:default/many'`.execute(db.database.db);
});

it("old tasks go in small parts with their events, the others and what goes on stay", async () => {
  const { db: pool } = db.database;
  const before = new Date("2026-01-01T00:05:00Z");
  const counts: number[] = [];
  do counts.push(await pruneTasks(pool, before, 100));
  while (counts.at(-1) !== 0);
  expect(counts).toEqual([100, 100, 99, 0]);
  const { rows } = await sql<{ tasks: number; events: number }>`select
    (select count(*) from instantiations) as tasks,
    (select count(*) from events where stream like 'instantiation:%' and type = 'completion') as events`.execute(
    pool,
  );
  expect(rows).toEqual([{ tasks: many - 299 + 1, events: many - 299 }]);
  await prunePlans(pool);
  const left = await sql<{ hash: string }>`select hash from template_plans`.execute(pool);
  expect(left.rows).toEqual([{ hash: "old" }]);
});
