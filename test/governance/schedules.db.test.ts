/** Schedules over a real database and real rows of the coordinator; the engine is the small one of the tests. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { deployedUnits } from "../../src/coordinator/units/deployed-store.ts";
import type { EngineInput } from "../../src/governance/engines/engine.ts";
import type { EvaluatedPolicy } from "../../src/governance/evaluations/policy.ts";
import { right, testEngines, testPolicy, wrong } from "../../src/governance/evaluations/testdata.ts";
import type { ScheduledPolicy } from "../../src/governance/reports/schedules.ts";
import { insertReport, readReport } from "../../src/governance/reports/store.ts";
import { startEvaluationWorker, type EvaluationWorker } from "../../src/governance/reports/worker.ts";
import { openDatabase, type Database } from "../../src/platform/db/database.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { storeDeployedUnit } from "./deployed-rows.ts";

let db: TestDatabase;
/** Governance's own tables. */
let governed: Database;
const workers: EvaluationWorker[] = [];
/** Let engines that are held go on, before their workers are closed. */
const goOns: (() => void)[] = [];
let policies: EvaluatedPolicy[];
let scheduled: ScheduledPolicy[];
let now: Date;
const since = new Date("2026-11-23T08:30:00Z");

const described = ({ resource }: EngineInput) =>
  (resource as { description?: string }).description ? right : wrong("no description");

beforeAll(async () => {
  db = await testDatabase();
  governed = openDatabase({ connection: { ...db.connection, schema: "coordinator" }, log: silentLogger });
  const id = "urn:Unit-0010";
  const components = [
    { id: `${id}:c0`, kind: "outputport" },
    { id: `${id}:c1`, kind: "workload" },
  ];
  await storeDeployedUnit(db.database, { id, components });
});
beforeEach(async () => {
  await governed.pool.query(
    "truncate results, evaluation_reports, evaluation_report_parts, policy_ticks cascade",
  );
  policies = [testPolicy({ resourceType: "outputport" })];
  now = new Date("2026-11-23T09:00:30Z");
});
afterEach(async () => {
  for (const goOn of goOns.splice(0)) goOn();
  for (const worker of workers.splice(0)) await worker.close();
});
afterAll(async () => {
  await governed.close();
  await db.drop();
});

async function startWorker(engines = testEngines({ described }).engines): Promise<EvaluationWorker> {
  const worker = await startEvaluationWorker({
    database: governed,
    log: silentLogger,
    now: () => now,
    deployedUnits: deployedUnits(db.database.db),
    readActive: async () => policies,
    readInForce: async (id) => policies.find((policy) => policy.id === id) ?? null,
    readExceptions: async () => [],
    readScheduled: async () => scheduled,
    engines,
    environments: ["development", "production"],
    scheduleEveryMs: 20,
    parallel: 2,
  });
  workers.push(worker);
  return worker;
}

const reportRows = async () => {
  const { rows } = await governed.pool.query(
    `select policy_id, environment, tick, status from evaluation_reports
     where kind = 'schedule' order by tick, environment`,
  );
  return rows as { policy_id: string; environment: string; tick: Date; status: string }[];
};

it("is begun once for each minute that it names, whatever workers run", async () => {
  scheduled = [{ id: "described", schedule: "*/15 * * * *", environments: ["development"], since }];
  for (let n = 0; n < 3; n++) await startWorker();
  const ends = (count: number) =>
    expect
      .poll(async () => (await reportRows()).filter(({ status }) => status === "completed").length)
      .toBe(count);
  await ends(1);
  now = new Date("2026-11-23T09:15:00Z");
  await ends(2);
  // Nothing ran for a while: the last minute is made up for.
  now = new Date("2026-11-23T10:10:00Z");
  await ends(3);
  const ticks = (await reportRows()).map(({ tick }) => tick.toISOString().slice(11, 16));
  expect(ticks).toEqual(["09:00", "09:15", "10:00"]);
  const { rows } = await governed.pool.query(
    "select resource_id, outcome, source, at from results order by at",
  );
  expect(rows).toEqual(
    ["09:00", "09:15", "10:00"].map((time) => ({
      resource_id: "urn:Unit-0010:c0",
      outcome: "error",
      source: "schedule",
      at: new Date(`2026-11-23T${time}:00Z`),
    })),
  );
});

it("is not begun again while its last report has not ended; what people ask for does not wait behind it", async () => {
  const every = { schedule: "* * * * *", environments: ["development"], since };
  scheduled = [
    { id: "described", ...every },
    { id: "slow", ...every },
  ];
  policies = [...policies, testPolicy({ id: "slow", resourceType: "outputport" })];
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
  const { promise: stands, resolve: stand } = Promise.withResolvers<void>();
  goOns.push(goOn);
  const { engines } = testEngines({ described });
  await startWorker({
    ...engines,
    async evaluate(inputs, jobs, signal) {
      // One resource that is asked about is no report of a schedule.
      if (inputs[0]?.resourceId !== "ext:topic") {
        stand();
        await goesOn;
      }
      return engines.evaluate(inputs, jobs, signal);
    },
  });
  await stands;
  const minutesBegun = async () => {
    const { rows } = await governed.pool.query<{ tick: Date }>(
      "select distinct tick from policy_ticks order by tick",
    );
    return rows.map(({ tick }) => tick.toISOString().slice(11, 16));
  };
  for (const minute of ["09:01", "09:02", "09:03"]) {
    now = new Date(`2026-11-23T${minute}:30Z`);
    await expect.poll(minutesBegun).toEqual([minute]);
  }
  expect(
    (await reportRows()).map(({ policy_id: id, tick, status }) => [id, tick.getUTCMinutes(), status]),
  ).toEqual(
    expect.arrayContaining([
      ["described", 0, "pending"],
      ["slow", 0, "pending"],
    ]),
  );
  expect(await reportRows()).toHaveLength(2);
  await insertReport(governed.db, {
    id: "asked",
    kind: "evaluation",
    environment: "development",
    requestedBy: "user:ada",
    request: {
      id: "ext:topic",
      displayName: "Topic",
      resourceType: "topic",
      descriptor: {},
      isTrusted: false,
    },
    policyId: null,
    tick: null,
    at: now,
  });
  await expect.poll(async () => (await readReport(governed.db, "asked"))?.status).toBe("completed");
  goOn();
  await expect
    .poll(async () => (await reportRows()).filter(({ status }) => status === "pending"))
    .toEqual([]);
  now = new Date("2026-11-23T09:04:30Z");
  await expect
    .poll(async () => (await reportRows()).filter(({ tick }) => tick.getUTCMinutes() === 4))
    .toHaveLength(2);
});

it("is not begun again when its report was deleted for its age", async () => {
  scheduled = [{ id: "described", schedule: "0 0 1 1 *", environments: ["development"], since: new Date(0) }];
  const first = await startWorker();
  await expect.poll(async () => (await reportRows())[0]?.status).toBe("completed");
  await first.close();
  await governed.pool.query("delete from evaluation_reports");
  const rounds: number[] = [];
  scheduled = new Proxy(scheduled, {
    get(list, key) {
      if (key === Symbol.iterator) rounds.push(1);
      return Reflect.get(list, key) as unknown;
    },
  });
  await startWorker();
  await expect.poll(() => rounds.length).toBeGreaterThan(2);
  expect(await reportRows()).toEqual([]);
});

it("does not make up for minutes before the policy was as it is", async () => {
  const after = new Date("2026-11-23T09:00:10Z");
  scheduled = [
    { id: "described", schedule: "*/15 * * * *", environments: [], since: after },
    { id: "every", schedule: "0 * * * *", environments: [], since },
  ];
  await startWorker();
  await expect.poll(async () => (await reportRows()).length).toBe(2);
  expect((await reportRows()).map(({ policy_id: id, environment }) => `${id} ${environment}`)).toEqual([
    "every development",
    "every production",
  ]);
});

it("of a policy that was disabled since ends without results", async () => {
  scheduled = [{ id: "described", schedule: "0 * * * *", environments: ["development"], since }];
  policies = [];
  await startWorker();
  await expect.poll(async () => (await reportRows())[0]?.status).toBe("completed");
  const { rows } = await governed.pool.query("select from results");
  expect(rows).toEqual([]);
});
