/** Reports over a real database and real rows of the coordinator; the engine is the small one of the tests. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { deployedUnits } from "../../src/coordinator/units/deployed-store.ts";
import type { EngineInput } from "../../src/governance/engines/engine.ts";
import type { EvaluatedPolicy } from "../../src/governance/evaluations/policy.ts";
import { right, testEngines, testPolicy, wrong } from "../../src/governance/evaluations/testdata.ts";
import type { StoredResource } from "../../src/governance/reports/pages.ts";
import { evaluatePolicies } from "../../src/governance/evaluations/evaluate.ts";
import { resourcesOfUnit } from "../../src/governance/evaluations/resources.ts";
import { resultRow } from "../../src/governance/evaluations/result-row.ts";
import { verdictOf } from "../../src/governance/evaluations/verdict.ts";
import { countOldResults, insertResults, pruneResults } from "../../src/governance/results/store.ts";
import { runReport, type ReportDeps } from "../../src/governance/reports/run-report.ts";
import {
  claimReports,
  insertReport,
  pruneReports,
  readParts,
  readReport,
} from "../../src/governance/reports/store.ts";
import { startEvaluationWorker, type EvaluationWorker } from "../../src/governance/reports/worker.ts";
import { inTransaction, openDatabase, type Database } from "../../src/platform/db/database.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { storeDeployedUnit } from "./deployed-rows.ts";

let db: TestDatabase;
/** Governance's own tables. */
let governed: Database;
const workers: EvaluationWorker[] = [];

beforeAll(async () => {
  db = await testDatabase();
  governed = openDatabase({ connection: { ...db.connection, schema: "coordinator" }, log: silentLogger });
});
beforeEach(async () => {
  await db.database.pool.query("truncate units, unit_components cascade");
  await governed.pool.query(
    "truncate results, evaluation_reports, evaluation_report_parts, policy_ticks cascade",
  );
});
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.close();
});
afterAll(async () => {
  await governed.close();
  await db.drop();
});

const unit = (n: number, components = 2) => {
  const id = `urn:Unit-${String(n).padStart(4, "0")}`;
  return {
    id,
    kind: "dataproduct",
    dataProductOwner: `user:owner-${n}`,
    components: Array.from({ length: components }, (_, c) => ({
      id: `${id}:c${c}`,
      kind: c % 2 === 0 ? "outputport" : "workload",
      ...(n % 10 === 0 ? {} : { description: "It has one." }),
    })),
  };
};

const described = ({ resource }: EngineInput) =>
  (resource as { description?: string }).description ? right : wrong("no description");

let policies: EvaluatedPolicy[] = [];
let now = new Date("2026-11-23T09:00:30Z");

function depsOf(more: Partial<ReportDeps> = {}): ReportDeps {
  return {
    database: governed,
    log: silentLogger,
    now: () => now,
    deployedUnits: deployedUnits(db.database.db),
    readActive: async () => policies,
    readInForce: async (id) => policies.find((policy) => policy.id === id) ?? null,
    readExceptions: async () => [],
    engines: testEngines({ described }).engines,
    ...more,
  };
}

async function startWorker(more: Partial<ReportDeps> = {}): Promise<EvaluationWorker> {
  const schedules = {
    readScheduled: async () => [],
    environments: ["development", "production"],
  };
  const worker = await startEvaluationWorker({ ...depsOf(more), ...schedules, parallel: 2 });
  workers.push(worker);
  return worker;
}

const { id: _, ...trialPolicy } = testPolicy({ resourceType: "outputport" });

const insert = (id: string, kind: "evaluation" | "trial", request: object) =>
  insertReport(governed.db, {
    id,
    kind,
    environment: "development",
    requestedBy: "user:ada",
    request,
    policyId: null,
    tick: null,
    at: now,
  });

const stored = (more: Partial<StoredResource> = {}): StoredResource => ({
  id: "ext:topic",
  displayName: "Topic",
  resourceType: "topic",
  descriptor: {},
  isTrusted: false,
  ...more,
});

const ended = (id: string) =>
  eventually(`the end of ${id}`, async () => {
    const report = await readReport(governed.db, id);
    return report?.status === "pending" ? null : report;
  });

const resultsOf = async (id: string) =>
  (await readParts(governed.db, id)).flatMap((part) => JSON.parse(part) as { resource: { id: string } }[]);

const countRows = async (): Promise<number> => {
  const { rows } = await governed.pool.query<{ n: number }>("select count(*) as n from results");
  return rows[0]?.n ?? 0;
};

describe("a report of one resource", () => {
  it("is pending until a worker is there, and then has its results, which are stored", async () => {
    policies = [testPolicy(), testPolicy({ id: "elsewhere", resourceType: "table" })];
    await insert("r1", "evaluation", stored());
    expect(await readReport(governed.db, "r1")).toMatchObject({ status: "pending", counts: {} });
    await startWorker();
    expect(await ended("r1")).toMatchObject({ status: "completed", counts: { ok: 0, error: 1 } });
    expect(await resultsOf("r1")).toMatchObject([
      {
        governanceEntityId: "described",
        governanceEntityVersion: 3,
        outcome: "error",
        resource: { id: "ext:topic", resourceType: "topic" },
        result: { isError: false, satisfiesPolicy: false, errors: [{ message: "no description" }] },
        advice: "Describe it.",
      },
    ]);
    expect(await countRows()).toBe(1);
  });

  it("does not touch the results of what is deployed, unless its caller is trusted", async () => {
    policies = [testPolicy()];
    await storeDeployedUnit(db.database, unit(1));
    await startWorker();
    await insert("r2", "evaluation", stored({ id: "urn:unit-0001:c0", resourceType: "outputport" }));
    await ended("r2");
    expect(await countRows()).toBe(0);
    await insert(
      "r3",
      "evaluation",
      stored({ id: "urn:unit-0001:c0", resourceType: "outputport", isTrusted: true }),
    );
    await ended("r3");
    expect(await countRows()).toBe(1);
  });
});

it("a result has the time by which its grace was judged, however long its engine took", async () => {
  const begun = new Date("2026-11-23T09:00:30Z");
  const graceUntil = new Date("2026-11-23T09:00:40Z");
  now = begun;
  policies = [testPolicy({ status: "grace", graceUntil })];
  const { engines } = testEngines({
    described(input) {
      now = new Date("2026-11-23T09:00:50Z");
      return described(input);
    },
  });
  await insert("slow", "evaluation", stored());
  await startWorker({ engines });
  await ended("slow");
  const { rows } = await governed.pool.query("select outcome, policy_status, at from results");
  expect(rows).toEqual([{ outcome: "warning", policy_status: "grace", at: begun }]);
});

describe("a trial over everything", () => {
  beforeEach(async () => {
    for (let n = 0; n < 120; n++) await storeDeployedUnit(db.database, unit(n));
    // Nothing of it is deployed.
    await storeDeployedUnit(db.database, unit(900), { deployed: [] });
    await storeDeployedUnit(db.database, unit(901), { environment: "production" });
  });

  it("evaluates each deployed resource of the environment once, and lists who would be hit", async () => {
    await startWorker();
    await insert("t1", "trial", { policy: { id: "trial", ...trialPolicy } });
    expect(await ended("t1")).toMatchObject({ status: "completed", counts: { ok: 108, error: 12 } });
    const results = await resultsOf("t1");
    expect(results).toHaveLength(12);
    expect(results[1]).toMatchObject({
      resource: { id: "urn:Unit-0010:c0" },
      unit: { id: "urn:Unit-0010", owner: "user:owner-10" },
    });
    expect(await countRows()).toBe(0);
  });

  it("of a metric lists the value and the label of each", async () => {
    const thresholds = [
      { label: "few", to: 1 },
      { label: "some", from: 1 },
    ];
    const metric = { ...trialPolicy, kind: "metric", thresholds, spec: { engine: "cel", assert: "length" } };
    const length = ({ resource }: EngineInput) => ({
      ok: true,
      value: (resource as { description?: string }).description?.length ?? 0,
      errors: [],
    });
    await startWorker({ engines: testEngines({ length }).engines });
    await insert("t0", "trial", { policy: { id: "trial", ...metric } });
    expect(await ended("t0")).toMatchObject({ status: "completed", counts: { ok: 120, error: 0 } });
    const results = (await resultsOf("t0")) as any[];
    expect(results).toHaveLength(120);
    expect(results.slice(0, 2)).toMatchObject([
      { resource: { id: "urn:Unit-0000:c0" }, result: { value: 0, label: "few" } },
      { resource: { id: "urn:Unit-0001:c0" }, result: { value: 11, label: "some" } },
    ]);
  });

  it("goes on after the last page when its worker is gone, whose late page is refused", async () => {
    await insert("t2", "trial", { policy: { id: "trial", ...trialPolicy } });
    const [first] = await claimReports(governed.db, { underWay: [], limit: 1 });
    expect(await claimReports(governed.db, { underWay: [], limit: 1 })).toEqual([]);
    // The first worker stops for long in its second page.
    const seen: string[] = [];
    const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
    const { promise: stands, resolve: stand } = Promise.withResolvers<void>();
    const slow = testEngines({ described }).engines;
    const late = runReport(
      depsOf({
        engines: {
          ...slow,
          async evaluate(inputs, jobs, signal) {
            seen.push(inputs[0]?.resourceId ?? "");
            if (seen.length === 2) {
              stand();
              await goesOn;
            }
            return slow.evaluate(inputs, jobs, signal);
          },
        },
      }),
      first!,
      new AbortController().signal,
    );
    await stands;
    // In one transaction, or the first worker could renew its lease in between.
    const [second] = await inTransaction(governed, async (tx) => {
      await sql`update evaluation_reports set leased_until = now() - interval '1 second'`.execute(tx);
      return claimReports(tx, { underWay: [], limit: 1 });
    });
    expect(second).toMatchObject({ id: "t2", parts: 1, claims: 2 });
    goOn();
    await late;
    // Its second page was refused, and it has gone no further.
    expect(seen).toHaveLength(2);
    expect(await readParts(governed.db, "t2")).toHaveLength(1);
    await runReport(depsOf(), second!, new AbortController().signal);
    expect(await ended("t2")).toMatchObject({ counts: { ok: 108, error: 12 } });
    const ids = (await resultsOf("t2")).map(({ resource }) => resource.id);
    expect([ids.length, new Set(ids).size]).toEqual([12, 12]);
  });

  it("fails when it was begun too often without a page", async () => {
    await insert("t3", "trial", { policy: { id: "trial", ...trialPolicy } });
    await governed.pool.query("update evaluation_reports set claims = 5");
    await startWorker();
    expect(await ended("t3")).toMatchObject({
      status: "failed",
      failure: expect.stringContaining("5 times"),
    });
  });

  it("is given back at a stop, at once for the next worker", async () => {
    await insert("t4", "trial", { policy: { id: "trial", ...trialPolicy } });
    const { promise: stands, resolve: stand } = Promise.withResolvers<void>();
    const stopped = await startWorker({
      engines: {
        select: async () => [],
        evaluate: (_inputs, jobs, signal) => {
          stand();
          return new Promise((done) =>
            signal.addEventListener("abort", () =>
              done(jobs.map(() => ({ ok: false, reason: "limit", message: "" }))),
            ),
          );
        },
      },
    });
    await stands;
    await stopped.close();
    const { rows } = await governed.pool.query("select leased_until, claims, parts from evaluation_reports");
    expect(rows).toEqual([{ leased_until: null, claims: 0, parts: 0 }]);
    await startWorker();
    expect(await ended("t4")).toMatchObject({ status: "completed", counts: { ok: 108, error: 12 } });
  });
});

describe("the clean-up", () => {
  const minute = (n: number): Date => new Date(Date.UTC(2026, 0, 1, 0, n));

  it("deletes old results, but the latest of each policy over each resource stays", async () => {
    const { engines } = testEngines({ described });
    const resources = resourcesOfUnit({ descriptor: unit(10), environment: "development" });
    const request = { policies: [testPolicy()], resources, signal: new AbortController().signal, runId: "r" };
    for (const n of [1, 2, 3]) {
      const at = minute(n);
      const evaluated = await evaluatePolicies(
        { engines, readExceptions: async () => [] },
        { ...request, now: at },
      );
      await insertResults(
        governed.db,
        evaluated.map((each) => resultRow(each, at, "plan")),
      );
    }
    expect(await pruneResults(governed.db, minute(3), 4)).toBe(4);
    expect(await pruneResults(governed.db, minute(9), 100)).toBe(2);
    expect(await pruneResults(governed.db, minute(9), 100)).toBe(0);
    const { rows } = await governed.pool.query("select distinct at from results");
    expect(rows).toEqual([{ at: minute(3) }]);
    expect(await countRows()).toBe(3);
  });

  it("keeps the latest result of each unit that has the component, and what was pushed last of it", async () => {
    const results: [minute: number, unitKey: string | null, source: "report" | "pushed"][] = [
      [1, "urn:one", "report"],
      [2, "urn:two", "report"],
      [3, "urn:two", "report"],
      [4, null, "pushed"],
      [5, "urn:three", "pushed"],
      [6, "urn:three", "report"],
    ];
    const resource = resourcesOfUnit({ descriptor: unit(10), environment: "development" })[0]!;
    const verdict = verdictOf({ policy: testPolicy(), outcome: right, exception: null, now });
    const rows = results.map(([n, unitKey, source]) => ({
      ...resultRow({ policy: testPolicy(), resource, verdict }, minute(n), source),
      unitKey,
    }));
    await insertResults(governed.db, rows);
    expect(await countOldResults(governed.db, minute(9), 100)).toBe(2);
    expect(await pruneResults(governed.db, minute(9), 100)).toBe(2);
    const { rows: left } = await governed.pool.query("select at from results order by at");
    expect(left.map(({ at }) => at)).toEqual([1, 3, 5, 6].map(minute));
  });

  it("deletes reports that ended before, with their parts", async () => {
    policies = [testPolicy()];
    now = minute(5);
    await insert("old", "evaluation", stored());
    const worker = await startWorker();
    await ended("old");
    await worker.close();
    await insert("open", "evaluation", stored());
    expect(await pruneReports(governed.db, minute(5), 10)).toBe(0);
    expect(await pruneReports(governed.db, minute(6), 10)).toBe(1);
    expect(await readParts(governed.db, "old")).toEqual([]);
    expect(await readReport(governed.db, "open")).not.toBeNull();
  });
});

it("a report waits for the platform's database, however often it is away, and is completed then", async () => {
  await storeDeployedUnit(db.database, unit(1));
  const units = deployedUnits(db.database.db);
  let asked = 0;
  const away: ReportDeps["deployedUnits"] = {
    ...units,
    async list(query) {
      if (++asked <= 6) throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
      return units.list(query);
    },
  };
  await startWorker({ deployedUnits: away, awayMs: 20 });
  await insert("away", "trial", { policy: { id: "trial", ...trialPolicy } });
  expect(await ended("away")).toMatchObject({ status: "completed", failure: null, counts: { ok: 1 } });
  expect(asked).toBeGreaterThan(6);
});

it("a report keeps its budget for the text of errors from page to page, and from worker to worker", async () => {
  for (let n = 0; n < 120; n++) await storeDeployedUnit(db.database, unit(n, 1));
  const text = "x".repeat(2_000);
  const errors = Array.from({ length: 100 }, () => ({ message: text }));
  const { engines } = testEngines({ described: () => ({ ok: true, satisfied: false, errors }) });
  await insert("long", "trial", { policy: { id: "trial", ...trialPolicy } });
  await insertPart("long", [{ result: { errors: [{ message: "y".repeat(1_000_000) }] } }]);
  await startWorker({ engines });
  await ended("long");
  const parts = await readParts(governed.db, "long");
  expect(parts.length).toBeGreaterThan(2);
  const found = parts.slice(1).flatMap((part) => JSON.parse(part) as { result: { errors: object[] } }[]);
  expect(found).toHaveLength(120);
  const whole = found.filter(({ result }) => result.errors.length === 100).length;
  // Of 4 MiB the first part has had one million characters.
  expect(whole).toBe(Math.floor((4 * 1_024 * 1_024 - 1_000_000) / 200_000));
  expect(found.at(-1)?.result.errors).toEqual([{ message: "100 more errors are not shown." }]);
});

/** A part of a report, as an earlier worker has left it. */
async function insertPart(id: string, results: object[]): Promise<void> {
  await governed.pool.query(
    "insert into evaluation_report_parts (report_id, part, results) values ($1, 0, $2)",
    [id, JSON.stringify(results)],
  );
  await governed.pool.query("update evaluation_reports set parts = 1 where id = $1", [id]);
}
