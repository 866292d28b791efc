/** The statements that show units, plans and adapters at a glance, explained on large tables. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql, type Sql } from "../../src/platform/db/sql.ts";
import { pageSql } from "../../src/coordinator/plans/operation-store.ts";
import { durationsSql, maxSamples } from "../../src/coordinator/plans/progress/timing-store.ts";
import { facetsSql } from "../../src/coordinator/units/lists/store.ts";
import { addressesSql, callsSql, maxCalls, maxLooked } from "../../src/coordinator/watching/calls/store.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { explainIn } from "../support/explain.ts";
import { storeManyOperations } from "../support/stored-history.ts";

const plans = 10_000;
const tasksPerPlan = 10;
const adapters = 20;
const units = 10_000;
let db: TestDatabase;

beforeAll(async () => {
  db = await testDatabase();
  const own = db.database.db;
  await storeManyOperations(own, plans);
  await sql`insert into plan_tasks (plan_id, task_id, position, stage, action, depends_on, status, adapter_id,
      idempotency_key, started_at, stopped_at)
    select p.id, 'task-' || k, k, 1, case when k % 2 = 0 then 'PROVISION' else 'VALIDATE_COMPONENT' end, '{}',
      case when k = 7 then 'FAILED' else 'COMPLETED' end, 'adapter-' || (p.n + k) % ${adapters}::int, p.id || k,
      p.created_at, p.created_at + make_interval(secs => k)
    from (select id, created_at, row_number() over (order by id)::int as n from execution_plans) p,
      generate_series(1, ${tasksPerPlan}::int) k`.execute(own);
  await sql`insert into tech_adapters (id, version, name)
    select 'adapter-' || n, '1', 'Adapter ' || n from generate_series(0, ${adapters - 1}::int) n`.execute(
    own,
  );
  await sql`insert into adapter_deployments (adapter_id, environment, url)
    select a.id, e.name, 'http://adapter' from tech_adapters a, unnest(array['staging', 'production']) e(name)`.execute(
    own,
  );
  await sql`insert into units (unit_key, environment, unit_id, descriptor, descriptor_version)
    select 'unit-' || n, 'staging', 'unit-' || n, json_build_object('name', 'm' || n, 'domain', 'd' || n % 10,
      'components', json_build_array(json_build_object('id', 'c'))), '1' from generate_series(1, ${units}::int) n`.execute(
    own,
  );
  await sql`insert into unit_components (unit_key, environment, component_key, component_id, status, descriptor,
      hash, plan_id)
    select 'unit-' || n, 'staging', 'c', 'c', 'DEPLOYED', '{}', '', 'p' from generate_series(1, ${units}::int) n`.execute(
    own,
  );
  await sql`analyze`.execute(own);
}, 120_000);
afterAll(() => db.drop());

const explain = (statement: Sql) => explainIn(db.database.db, statement);

describe("of a hundred thousand ended tasks", () => {
  it("the durations of a plan's adapters read the last ones of each", async () => {
    const { scans, indexes, touched } = await explain(durationsSql("plan-1"));
    expect(scans).toEqual([]);
    expect(indexes).toContain("plan_tasks_ended");
    expect(touched).toBeLessThan(tasksPerPlan * (maxSamples + 10));
  });

  it.each([
    ["the last calls", null],
    ["older ones", { stoppedAt: "2026-01-01T01:00:00Z", planId: "plan-5", taskId: "task-5" }],
  ])("%s of an adapter are read from the index", async (_what, after) => {
    const query = { adapterId: "adapter-7", environment: "staging", limit: 20, after };
    const { scans, indexes, touchedOf } = await explain(callsSql(query));
    expect(scans).not.toContain("plan_tasks");
    expect(indexes).toContain("plan_tasks_ended");
    expect(touchedOf("plan_tasks")).toBeLessThan(2 * maxLooked);
    // While there are few plans, PostgreSQL 15 reads all of them for the environments of those calls.
    expect(touchedOf("execution_plans")).toBeLessThanOrEqual(plans + maxLooked);
  });

  it("the health of all adapters reads the last calls of each", async () => {
    const query = { environments: [], adapterId: undefined, limit: 101, after: null };
    const { scans, indexes, touched } = await explain(addressesSql(query));
    expect(scans).not.toContain("plan_tasks");
    expect(indexes).toContain("plan_tasks_ended");
    // While there are few plans, all of them are read for the environments of those calls.
    expect(touched).toBeLessThan(adapters * maxCalls * 3 + plans);
  });

  it("a page of operations with their progress reads the tasks of the page alone", async () => {
    const statement = pageSql({
      unitKey: undefined,
      environments: [],
      statuses: ["FAILED"],
      after: undefined,
      before: undefined,
      order: "desc",
      limit: 20,
      withDescriptors: false,
      withProgress: true,
    });
    const { scans, touched } = await explain(statement);
    expect(scans).not.toContain("plan_tasks");
    expect(touched).toBeLessThan(5_000);
  });

  it("facets read each unit once", async () => {
    const statement = facetsSql({
      environments: ["staging"],
      statuses: ["DEPLOYED"],
      search: undefined,
      owner: "user:ann",
      domain: undefined,
      kind: undefined,
      limit: 50,
      hasRoots: true,
    });
    const { touched } = await explain(statement);
    expect(touched).toBeGreaterThanOrEqual(units);
    expect(touched).toBeLessThan(12 * units);
  });
});
