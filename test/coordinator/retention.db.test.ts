/** Old rows are deleted, and nothing that a unit's state, a resume or an open question stands on. */
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findLaterAccess, findLaterChange, readOrigin } from "../../src/coordinator/starts/resume-store.ts";
import { readUnit } from "../../src/coordinator/units/store.ts";
import { countOldEvents, deleteEvents } from "../../src/coordinator/watching/retention/event-store.ts";
import {
  countOldPlans,
  deletePlans,
  type OldPlans,
  type PlanPosition,
} from "../../src/coordinator/watching/retention/plan-store.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { runRetention, simpleRule, type RetentionRule } from "../../src/platform/jobs/retention.ts";
import { readStates } from "../../src/platform/jobs/retention-store.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await testDatabase();
});
afterAll(() => test.drop());

const now = new Date("2026-11-01T00:00:00.000Z");
const dayMs = 86_400_000;
const daysAgo = (days: number): Date => new Date(now.getTime() - days * dayMs);
const environment = "development";
const db = () => test.database.db;

const unitCount = 2;
const plan = fc.record({
  unit: fc.nat(unitCount - 1),
  daysAgo: fc.integer({ min: 300, max: 900 }),
  kind: fc.constantFrom("PROVISIONING", "PROVISIONING", "PROVISIONING", "ACCESS", "VALIDATION"),
  status: fc.constantFrom("COMPLETED", "FAILED", "TERMINATED"),
  isStarted: fc.boolean(),
  /** Of its component: the unit's row of it refers to the plan, unless a later one takes it. */
  component: fc.nat(3),
  isGranted: fc.boolean(),
  outcome: fc.constantFrom("none", "none", "none", "open", "settled"),
});
type History = (typeof plan extends fc.Arbitrary<infer P> ? P : never)[];
const history: fc.Arbitrary<History> = fc.array(plan, { minLength: 5, maxLength: 40 });

async function clear(): Promise<void> {
  for (const table of ["acls", "execution_plans", "events", "unit_components", "units", "retention_state"])
    await sql`delete from ${sql.ref(table)}`.execute(db());
}

/** Puts the plans into the database, the oldest first, as the engine leaves them. */
async function store(plans: History): Promise<void> {
  const sorted = plans.toSorted((a, b) => b.daysAgo - a.daysAgo);
  for (const [index, each] of sorted.entries()) {
    const id = `plan-${index}`;
    const unit = `unit-${each.unit}`;
    const key = `part-${each.component}`;
    // The index keeps two of one day apart.
    const at = new Date(daysAgo(each.daysAgo).getTime() + index * 1_000);
    const end = new Date(at.getTime() + 60_000);
    const isUnits = each.kind !== "VALIDATION";
    await sql`insert into execution_plans (id, kind, unit_key, unit_id, environment, action, status, originator,
        request, traceparent, deadline_at, created_at, stopped_at)
      values (${id}, ${each.kind}, ${unit}, ${unit}, ${environment}, 'PROVISION', ${each.status}, 'user:default/ada',
        '{"descriptor":{}}', '', ${end}, ${at}, ${end})`.execute(db());
    await sql`insert into plan_tasks (plan_id, task_id, position, stage, action, component_key, status,
        idempotency_key, started_at, snapshot)
      values (${id}, 'task', 1, 1, 'PROVISION', ${key}, ${each.status}, ${id}, ${each.isStarted ? at : null},
        ${JSON.stringify({ members: [{ key, consumable: false }] })}::json)`.execute(db());
    await sql`insert into events (stream, type, at, level, data) values
      (${`plan:${id}`}, 'log', ${at}, 20, '{}'), (${`plan:${id}`}, 'plan', ${end}, null, '{}')`.execute(db());
    if (isUnits)
      await sql`insert into units (unit_key, environment, unit_id) values (${unit}, ${environment}, ${unit})
        on conflict do nothing`.execute(db());
    if (each.kind === "PROVISIONING") {
      await sql`insert into operations (id, plan_id, unit_key, unit_id, environment, action, status, originator,
          components, start_time)
        values (${id}, ${id}, ${unit}, ${unit}, ${environment}, 'DEPLOY',
          ${each.status === "COMPLETED" ? "SUCCEEDED" : each.status}, 'user:default/ada', '[]', ${at})`.execute(
        db(),
      );
      await sql`update units set last_plan_id = ${id}, last_plan_status = ${each.status}
        where unit_key = ${unit}`.execute(db());
      if (each.isStarted || each.status === "COMPLETED")
        await sql`insert into unit_components (unit_key, environment, component_key, component_id, status, descriptor,
            hash, plan_id, consumable)
          values (${unit}, ${environment}, ${key}, ${key}, 'DEPLOYED', '{}', '', ${id}, true)
          on conflict (unit_key, environment, component_key) do update set plan_id = excluded.plan_id`.execute(
          db(),
        );
    }
    if (each.kind === "ACCESS") {
      await sql`insert into unit_components (unit_key, environment, component_key, component_id, status, descriptor,
          hash, plan_id, consumable)
        values (${unit}, ${environment}, ${key}, ${key}, 'DEPLOYED', '{}', '', 'of 2020', true)
        on conflict do nothing`.execute(db());
      await sql`insert into acl_requests (request_id, body_hash, plan_id, unit_key, environment, component_key,
          component_id, identities, originator, http_request_id, created_at)
        values (${id}, '', ${id}, ${unit}, ${environment}, ${key}, ${key}, '{}', 'user:default/ada', '', ${at})`.execute(
        db(),
      );
      if (each.isGranted)
        await sql`insert into acls (unit_key, environment, component_key, component_id, identity, request_id)
          values (${unit}, ${environment}, ${key}, ${key}, 'user:default/ada', ${id})
          on conflict (unit_key, environment, component_key, identity)
          do update set request_id = excluded.request_id`.execute(db());
    }
    if (each.outcome !== "none")
      await sql`insert into unknown_outcomes (plan_id, task_id, environment, action, task_status, idempotency_key,
          traceparent, attempts, since, ended_at, settled_at)
        values (${id}, 'task', ${environment}, 'PROVISION', 'FAILED', ${id}, '', 1, ${at}, ${end},
          ${each.outcome === "settled" ? end : null})`.execute(db());
  }
}

const readIds = async (): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`select id from execution_plans order by id`.execute(db());
  return rows.map(({ id }) => id);
};

/** What others see of the units, and what a resume of each plan that can be resumed would say. */
async function readState(planIds: readonly string[]) {
  const units = [];
  for (let n = 0; n < unitCount; n++)
    units.push(await readUnit(test.database.pool, { unitKey: `unit-${n}`, environment }));
  const { rows: access } = await sql`select * from acls order by unit_key, component_key, identity`.execute(
    db(),
  );
  const { rows: open } =
    await sql`select * from unknown_outcomes where settled_at is null order by plan_id`.execute(db());
  const verdicts = [];
  for (const id of planIds) {
    const origin = await readOrigin(db(), id);
    if (origin?.kind !== "PROVISIONING" || origin.status === "COMPLETED") continue;
    const at = { unitKey: origin.unitKey ?? "", environment };
    const change = await findLaterChange(db(), at, origin);
    // Whatever it names: a resume is refused because of either.
    verdicts.push([id, change === null && (await findLaterAccess(db(), at, origin)) === null, change]);
  }
  // What the components were deployed from, as consumers of them are told.
  const { rows: components } = await sql`select c.unit_key, c.component_key, p.id from unit_components c
    left join execution_plans p on p.id = c.plan_id order by 1, 2`.execute(db());
  return { units, access, open, components, verdicts };
}

async function deleteAll(old: OldPlans, limit: number): Promise<number> {
  let after: PlanPosition | null = null;
  let deleted = 0;
  for (let batches = 0; batches < 500; batches++) {
    const end = await deletePlans(test.database, old, { after, limit });
    deleted += end.deleted;
    if (end.isDone) return deleted;
    after = end.position;
  }
  throw new Error("The deletion does not end.");
}

describe("plans", () => {
  it("of drawn histories: what stays says the same of every unit, and of every resume", async () => {
    await fc.assert(
      fc.asyncProperty(
        history,
        fc.integer({ min: 1, max: 2 }),
        fc.constantFrom(10, 25, 1_000),
        async (plans, perUnit, limit) => {
          await clear();
          await store(plans);
          const old = { before: daysAgo(365), validations: false, perUnit, areEventsRead: false };
          const all = await readIds();
          const counted = await countOldPlans(db(), old, 1_000);
          const everything = await readState(all);
          await deleteAll(old, limit);
          const left = await readIds();
          const after = await readState(left);
          const stayed = everything.verdicts.filter(([id]) => left.includes(String(id)));
          expect(after).toEqual({ ...everything, verdicts: stayed });
          // What a plan that is deleted made needless may go with it.
          expect(all.length - left.length).toBeGreaterThanOrEqual(counted);
          const { rows } = await sql<{ n: number }>`select
            (select count(*) from events e where not exists (select 1 from execution_plans p
              where e.stream = 'plan:' || p.id)) +
            (select count(*) from execution_plans p where p.stopped_at is null) as n`.execute(db());
          expect(rows).toEqual([{ n: 0 }]);
        },
      ),
      { numRuns: 25 },
    );
  });

  it("that are old go, but for the last ones of their unit", async () => {
    await clear();
    const one = {
      unit: 0,
      kind: "PROVISIONING",
      status: "COMPLETED",
      isStarted: true,
      component: 0,
    } as const;
    const ages = [800, 700, 600, 500, 400, 300];
    await store(ages.map((each) => ({ ...one, daysAgo: each, isGranted: false, outcome: "none" })));
    const old = { before: daysAgo(365), validations: false, perUnit: 3, areEventsRead: false };
    expect(await countOldPlans(db(), old, 100)).toBe(3);
    await deleteAll(old, 10);
    expect(await readIds()).toEqual(["plan-3", "plan-4", "plan-5"]);
  });

  const plain = { unit: 0, isStarted: true, component: 0, isGranted: false, outcome: "none" } as const;
  const done = { ...plain, kind: "PROVISIONING", status: "COMPLETED" } as const;
  const failed = { ...plain, kind: "PROVISIONING", status: "FAILED", isStarted: false } as const;
  const access = { ...plain, kind: "ACCESS", status: "COMPLETED" } as const;
  it.each<[string, string[], History]>([
    [
      "the last that changed the unit, while those after it did nothing: an older one could be resumed",
      ["plan-0", "plan-1", "plan-3"],
      [
        { ...failed, daysAgo: 800, isStarted: true, outcome: "open" },
        { ...failed, daysAgo: 700, isStarted: true, component: 1 },
        { ...failed, daysAgo: 600 },
        { ...failed, daysAgo: 500 },
      ],
    ],
    [
      "a change of access after one that could be resumed",
      ["plan-0", "plan-1"],
      [
        { ...failed, daysAgo: 800 },
        { ...access, daysAgo: 700 },
      ],
    ],
    [
      "the change that somebody's access is from",
      ["plan-1"],
      [
        { ...access, daysAgo: 800 },
        { ...access, daysAgo: 700, isGranted: true },
      ],
    ],
    [
      "those that components were deployed by",
      ["plan-0", "plan-2", "plan-3"],
      [
        { ...done, daysAgo: 800, component: 1 },
        { ...done, daysAgo: 700 },
        { ...done, daysAgo: 600 },
        { ...done, daysAgo: 500, component: 2 },
      ],
    ],
    [
      "the last that completed: a unit can be rolled back to it",
      ["plan-0", "plan-2"],
      [
        { ...done, daysAgo: 800 },
        { ...failed, daysAgo: 700, isStarted: true },
        { ...failed, daysAgo: 600, isStarted: true },
      ],
    ],
  ])("that stay: %s", async (_what, ids, plans) => {
    await clear();
    await store(plans);
    await sql`update unit_components set plan_id = 'of 2020'
      where not exists (select 1 from operations o where o.status = 'SUCCEEDED')`.execute(db());
    await deleteAll({ before: daysAgo(365), validations: false, perUnit: 1, areEventsRead: false }, 100);
    expect(await readIds()).toEqual(expect.arrayContaining(ids));
  });

  it("of validations go by a time of their own, whatever is kept of units", async () => {
    await clear();
    const one = { unit: 0, kind: "VALIDATION", status: "FAILED", isStarted: true, component: 0 } as const;
    await store([31, 29].map((each) => ({ ...one, daysAgo: each, isGranted: false, outcome: "none" })));
    const old = { before: daysAgo(30), validations: true, perUnit: 10, areEventsRead: false };
    await deleteAll(old, 100);
    expect(await readIds()).toEqual(["plan-1"]);
  });

  it("of a unit that is busy, and those whose events were not read yet, stay", async () => {
    await clear();
    const one = {
      unit: 0,
      kind: "PROVISIONING",
      status: "COMPLETED",
      isStarted: true,
      component: 0,
    } as const;
    await store(
      [800, 700, 600].map((each) => ({ ...one, daysAgo: each, isGranted: false, outcome: "none" })),
    );
    const old = { before: daysAgo(365), validations: false, perUnit: 1, areEventsRead: false };
    const other = await test.database.pool.connect();
    await other.query("begin; select 1 from units for update");
    await deleteAll(old, 100);
    await other.query("rollback");
    other.release();
    expect(await readIds()).toHaveLength(3);
    await sql`update outgoing_position set position = (select min(id) from events)`.execute(db());
    await deleteAll({ ...old, areEventsRead: true }, 100);
    expect(await readIds()).toHaveLength(3);
    await sql`update outgoing_position set position = null`.execute(db());
    await deleteAll(old, 100);
    expect(await readIds()).toEqual(["plan-2"]);
  });
});

describe("events", () => {
  const line = (stream: string, type: string, days: number) =>
    sql`insert into events (stream, type, at, level, data)
      values (${stream}, ${type}, ${daysAgo(days)}, 20, '{}')`.execute(db());
  const left = async (): Promise<string[]> => {
    const { rows } = await sql<{ what: string }>`select stream || ' ' || type as what from events
      order by id`.execute(db());
    return rows.map(({ what }) => what);
  };
  beforeEach(async () => {
    await clear();
    const insert = (id: string, end: Date | null) =>
      sql`insert into execution_plans (id, kind, environment, action,
        status, originator, request, traceparent, deadline_at, stopped_at)
      values (${id}, 'VALIDATION', ${environment}, 'PROVISION', ${end ? "COMPLETED" : "RUNNING"}, '', '{}', '', now(),
        ${end})`.execute(db());
    await insert("ended", daysAgo(99));
    await insert("running", null);
    for (const stream of ["plan:ended", "plan:running"]) {
      await line(stream, "log", 100);
      await line(stream, "plan", 100);
    }
    await line("unit:development:a", "drift", 100);
    await line("access-request:1", "access-request", 100);
    await line("plan:ended", "log", 10);
    await line("plan:ended", "log", 100);
  });
  const old = { before: daysAgo(90), areEventsRead: false };

  it("of ended plans that are log lines, and those of units, go in the order of their ids", async () => {
    expect(await countOldEvents(db(), old, 100)).toBe(3);
    let position = 0;
    for (let batches = 0; ; batches++) {
      expect(batches).toBeLessThan(10);
      const end = await deleteEvents(db(), old, { after: position, limit: 3 });
      position = end.position;
      if (end.isDone) break;
    }
    expect(await left()).toEqual([
      "plan:ended plan",
      "plan:running log",
      "plan:running plan",
      "access-request:1 access-request",
      "plan:ended log",
      // It comes after one that is not old yet: a later pass finds it.
      "plan:ended log",
    ]);
    const again = await deleteEvents(db(), { ...old, before: daysAgo(5) }, { after: position, limit: 10 });
    expect(again).toMatchObject({ deleted: 2, isDone: true });
  });

  it("that are still to be read for webhooks stay", async () => {
    await sql`update outgoing_position set position = (select min(id) - 1 from events)`.execute(db());
    const end = await deleteEvents(db(), { ...old, areEventsRead: true }, { after: 0, limit: 100 });
    await sql`update outgoing_position set position = null`.execute(db());
    expect(end).toMatchObject({ deleted: 0, isDone: true });
    expect(await left()).toHaveLength(8);
  });
});

describe("a round", () => {
  const options = (rules: RetentionRule[]) => ({
    database: test.database,
    jobs: {} as never,
    log: silentLogger,
    now: () => now,
    rules,
    batchRows: 10,
    busyPercent: 100,
  });
  /** A rule over so many rows. */
  const counted = (name: string, rows: { left: number }): RetentionRule =>
    simpleRule(
      { name, setting: "x", keepDays: 1 },
      {
        async prune(_before, limit) {
          const deleted = Math.min(limit, rows.left);
          rows.left -= deleted;
          return deleted;
        },
        count: async () => rows.left,
      },
    );
  beforeEach(clear);

  it("runs every rule to its end, also beside one that fails, and rests then", async () => {
    const rows = { left: 25 };
    const broken: RetentionRule = {
      ...counted("broken", { left: 0 }),
      deleteBatch: () => Promise.reject(new Error("The disk is gone.")),
    };
    const forEver = { ...counted("for-ever", { left: 10 }), keepDays: 0 };
    await runRetention(options([broken, counted("rows", rows), forEver]), new AbortController().signal);
    expect(rows.left).toBe(0);
    const states = await readStates(db());
    expect(states.get("rows")).toMatchObject({
      deleted: 25,
      passEndedAt: now,
      failure: null,
      position: null,
    });
    expect(states.get("broken")).toMatchObject({
      deleted: 0,
      passEndedAt: null,
      failure: "The disk is gone.",
    });
    expect(states.has("for-ever")).toBe(false);
    rows.left = 5;
    await runRetention(options([counted("rows", rows)]), new AbortController().signal);
    expect(rows.left).toBe(5);
  });

  it("stops after its batch when the process stops, and goes on from there", async () => {
    const rows = { left: 100 };
    const stop = new AbortController();
    const rule = counted("rows", rows);
    const stopping: RetentionRule = {
      ...rule,
      async deleteBatch(batch) {
        stop.abort();
        return rule.deleteBatch(batch);
      },
    };
    await runRetention(options([stopping]), stop.signal);
    expect(rows.left).toBe(90);
    await runRetention(options([rule]), new AbortController().signal);
    expect(rows.left).toBe(0);
    expect((await readStates(db())).get("rows")?.deleted).toBe(100);
  });
});
