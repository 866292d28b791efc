/**
 * How much do starts and lists lose while old rows are deleted? A server as a process of its own accepts starts from 16
 * callers and answers pages of operations; old plans with their tasks and events, two million rows, are deleted beside it as
 * a worker does it. Windows with and without the deletion take turns, and which of a pair comes first alternates: a machine may get
 * faster or slower by a quarter within a minute. The median of what each pair lost is compared. The goal is a loss of at most
 * 10 %. In the end the rest is deleted alone, which says how long all of it takes.
 *
 *   node bench/retention.ts [--rows 2000000] [--pairs 20] [--seconds 2]
 */
import { Pool } from "undici";
import { coordinatorRetention } from "../src/coordinator/watching/retention/rules.ts";
import { openDatabase, type Database } from "../src/platform/db/database.ts";
import { sql } from "../src/platform/db/sql.ts";
import { runRetention } from "../src/platform/jobs/retention.ts";
import { silentLogger } from "../src/platform/lib/logger.ts";
import { loadConfig } from "../src/platform/config/load.ts";
import { databaseVariables } from "../test/crash/processes.ts";
import { benchCommand } from "./support/command.ts";
import { benchDatabase } from "./support/fixtures.ts";
import { callJson, startServerProcess, unlimitedRequests } from "./support/server-process.ts";

const { sizes } = benchCommand({
  rows: { usual: 2_000_000, quick: 100_000 },
  pairs: { usual: 20, quick: 2 },
  seconds: { usual: 2, quick: 2 },
});
const callers = 16;
const goal = 0.1;
const tasksOfPlan = 20;
const eventsOfPlan = 45;
/** Itself, its operation, its tasks and its events. */
const rowsOfPlan = 2 + tasksOfPlan + eventsOfPlan;
/** Plans of one unit, of which the last ten stay. */
const plansOfUnit = 100;

async function storeOldPlans(database: Database, rows: number): Promise<void> {
  const plans = Math.ceil(rows / rowsOfPlan);
  const each = sql`select n, 'old-' || n as id, 'unit-' || n % ${Math.max(1, Math.floor(plans / plansOfUnit))} as unit,
      now() - interval '400 days' + n * interval '10 seconds' as at
    from generate_series(1, ${plans}::int) n`;
  const { db } = database;
  await sql`insert into execution_plans (id, kind, unit_key, unit_id, environment, action, status, originator, request,
      descriptor_version, traceparent, deadline_at, created_at, stopped_at)
    select id, 'PROVISIONING', unit, unit, 'development', 'PROVISION', 'COMPLETED', 'user:default/ada',
      '{"descriptor":{"id":"u","components":[]}}', '1.0.0', '', at, at, at + interval '1 minute'
    from (${each}) e`.execute(db);
  await sql`insert into plan_tasks (plan_id, task_id, position, stage, action, component_key, component_id, status,
      idempotency_key, started_at, stopped_at)
    select e.id, 'provision:part-' || t, t, 1, 'PROVISION', 'part-' || t, 'part-' || t, 'COMPLETED',
      e.id || t, at, at + interval '1 minute'
    from (${each}) e, generate_series(1, ${tasksOfPlan}::int) t`.execute(db);
  await sql`insert into operations (id, plan_id, unit_key, unit_id, environment, action, status, originator, components,
      start_time, stop_time)
    select id, id, unit, unit, 'development', 'DEPLOY', 'SUCCEEDED', 'user:default/ada', '[]', at,
      at + interval '1 minute' from (${each}) e`.execute(db);
  await sql`insert into events (stream, type, at, level, data)
    select 'plan:' || e.id, case when t % 3 = 0 then 'log' else 'task' end, at, case when t % 3 = 0 then 20 end,
      '{"message":"The component was deployed as it was asked for."}'
    from (${each}) e, generate_series(1, ${eventsOfPlan}::int) t`.execute(db);
  await sql`insert into units (unit_key, environment, unit_id, last_plan_id, last_plan_status)
    select unit, 'development', unit, max(id), 'COMPLETED' from (${each}) e group by unit`.execute(db);
  for (const table of ["execution_plans", "plan_tasks", "operations", "events", "units"])
    await sql`vacuum analyze ${sql.ref(table)}`.execute(db);
}

const startBody = (unit: string): object => {
  const components = Array.from({ length: 8 }, (_, n) => ({
    id: `${unit}:part-${n}`,
    name: `part-${n}`,
    infrastructureTemplateId: "urn:dmb:itm:bench:1",
    dependsOn: n < 3 ? [] : [`${unit}:part-${n - 3}`],
  }));
  return {
    descriptor: { id: unit, name: unit, version: "1.0.0", environment: "development", components },
    targetStatus: components.map(({ id }) => ({ componentId: id, targetStatus: "DEPLOYED" })),
  };
};

interface Window {
  startsPerSecond: number;
  listsPerSecond: number;
}

/** Callers that do one thing again and again until the time is up; how often they did it, per second. */
async function rate(call: () => Promise<void>): Promise<number> {
  let made = 0;
  const until = performance.now() + sizes.seconds * 1_000;
  const caller = async (): Promise<void> => {
    while (performance.now() < until) {
      await call();
      made++;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return made / sizes.seconds;
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const bench = await benchDatabase();
const server = await startServerProcess({ ...databaseVariables(bench.connection), ...unlimitedRequests }, [
  "--workers",
  "off",
]);
const calls = new Pool(server.url, { connections: callers });
const beside = openDatabase({ connection: bench.connection, log: silentLogger, poolSize: 2 });
try {
  const base = `${server.url}/api/coordinator`;
  await callJson(`${base}/v1/tech-adapters`, "POST", {
    id: "urn:dmb:itm:bench:1",
    version: "1",
    name: "Bench",
  });
  await callJson(`${base}/v1/tech-adapters/urn:dmb:itm:bench:1/deployments/development`, "PUT", {
    url: "http://127.0.0.1:9",
  });
  await storeOldPlans(bench.database, sizes.rows);
  const { config } = loadConfig({ files: [], env: {}, cwd: process.cwd() });
  const rules = coordinatorRetention(config, beside).filter(
    ({ name }) => name === "plans" || name === "logs",
  );
  let deleted = 0;
  let busyMs = 0;
  const prune = async (signal: AbortSignal): Promise<void> => {
    const from = performance.now();
    const { batchRows, busyPercent } = config.retention;
    const onBatch = (_rule: string, end: { deleted: number }): void => void (deleted += end.deleted);
    const options = { database: beside, jobs: {} as never, log: silentLogger, now: () => new Date(), rules };
    await runRetention({ ...options, batchRows, busyPercent, onBatch }, signal);
    busyMs += performance.now() - from;
  };

  let next = 0;
  const ask = async (method: "GET" | "POST", path: string, body?: object): Promise<void> => {
    for (;;) {
      const headers = { "content-type": "application/json" };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await calls.request({ method, path: `/api/coordinator${path}`, headers, ...sent });
      await answer.body.dump();
      if (answer.statusCode < 300) return;
      if (answer.statusCode !== 503) throw new Error(`${path} was answered ${answer.statusCode}`);
      await new Promise((done) => setTimeout(done, 100));
    }
  };
  const start = (): Promise<void> => {
    const unit = `bench-${next++}:1`;
    return ask("POST", `/v2/deployment-units/${unit}/provisioning?environment=development`, startBody(unit));
  };
  const list = (): Promise<void> =>
    ask("GET", `/v2/provisioning-operations?limit=20&deployment-unit-id=unit-${next++ % 200}`);
  const measure = async (): Promise<Window> => ({
    startsPerSecond: await rate(start),
    listsPerSecond: await rate(list),
  });

  const measureBeside = async (): Promise<Window> => {
    const stop = new AbortController();
    const before = deleted;
    const pruning = prune(stop.signal);
    const window = await measure();
    stop.abort();
    await pruning;
    if (deleted === before) throw new Error("Nothing was left to delete: give more rows.");
    return window;
  };

  await measure();
  const pairs: { quiet: Window; busy: Window }[] = [];
  for (let n = 0; n < sizes.pairs; n++) {
    if (n % 2 === 0) pairs.push({ quiet: await measure(), busy: await measureBeside() });
    else pairs.push({ busy: await measureBeside(), quiet: await measure() });
  }
  const inWindows = deleted;
  const perSecond = (inWindows / busyMs) * 1_000;
  console.log(`deleted beside the load   ${inWindows} rows, ${perSecond.toFixed(0)}/s`);
  const report = (name: string, of: (window: Window) => number): void => {
    const without = median(pairs.map(({ quiet }) => of(quiet)));
    const withIt = median(pairs.map(({ busy }) => of(busy)));
    const losses = pairs.map(({ quiet, busy }) => 1 - of(busy) / of(quiet)).toSorted((a, b) => a - b);
    const lossAt = (part: number): number => losses[Math.floor(losses.length * part)] ?? 0;
    const percentAt = (part: number): string => (lossAt(part) * 100).toFixed(1);
    const loss = lossAt(0.5);
    const verdict = loss <= goal ? "met" : "MISSED";
    if (loss > goal) process.exitCode = 1;
    console.log(
      `${name}   ${without.toFixed(0)}/s without, ${withIt.toFixed(0)}/s beside it: ${percentAt(0.5)} % less, ` +
        `half of the pairs from ${percentAt(0.25)} to ${percentAt(0.75)} (goal ${goal * 100} %: ${verdict})`,
    );
  };
  report("starts", ({ startsPerSecond }) => startsPerSecond);
  report("lists ", ({ listsPerSecond }) => listsPerSecond);
  const from = performance.now();
  await prune(new AbortController().signal);
  const seconds = (performance.now() - from) / 1_000;
  console.log(`the rest alone            ${deleted - inWindows} rows in ${seconds.toFixed(0)} s`);
  const { rows } = await sql<{ n: number }>`select count(*) as n from execution_plans
    where id like 'old-%'`.execute(bench.database.db);
  console.log(`old plans that stay       ${rows[0]?.n ?? 0}, the last ten of each unit`);
} finally {
  await calls.close();
  await beside.close();
  await server.close();
  await bench.close();
}
