/**
 * Steady load for long: a server, a worker that lives through it, and one that is killed again and again. Plans of the same
 * units start at a fixed pace while others read. Time is moved by making what has ended a year older, so that old rows are
 * deleted as they are in an installation that has run for years.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase, type Connection, type Db } from "../../src/platform/db/database.ts";
import { sql, type Sql } from "../../src/platform/db/sql.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { layeredUnit } from "../crash/layered-unit.ts";
import { readOpen } from "../crash/plan-rows.ts";
import {
  databaseVariables,
  killChild,
  mockUrl,
  servedUrl,
  startMock,
  startServer,
  startWorker,
  stopChild,
  type Child,
} from "../crash/processes.ts";
import { seededRandom, type Random } from "../crash/random.ts";
import { environment, registerMock } from "../faults/registration.ts";
import { judgeSeries, type Series } from "./judge.ts";
import { readProcess, readTables, type Sample } from "./samples.ts";

export interface SoakOptions {
  connection: Connection;
  program: string;
  minutes: number;
  startsPerMinute: number;
  killEveryMs: number;
  seed: number;
  say: (line: string) => void;
}

export interface SoakReport {
  series: Series[];
  accepted: number;
  busy: number;
  reads: number;
  kills: number;
  deletedPlans: number;
  violations: string[];
}

const units = 40;
const sampleEveryMs = 15_000;
const agingEveryMs = 20_000;
const longestPlanMs = 120_000;
/** Rows of the audit are kept for years, so its tables are to grow. */
const growing = /^audit/;

interface Soak {
  options: SoakOptions;
  base: string;
  db: Db;
  random: Random;
  accepted: string[];
  counts: { busy: number; reads: number; kills: number };
  violations: string[];
  signal: AbortSignal;
}

export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const { connection, program, minutes, say } = options;
  const home = await mkdtemp(join(tmpdir(), "plinth-soak-"));
  const children: Child[] = [];
  const database = openDatabase({ connection, log: silentLogger, poolSize: 4, statementTimeoutMs: 120_000 });
  const over = new AbortController();
  try {
    await writeFile(join(home, "plinth.yaml"), JSON.stringify({ retention: { plansPerUnit: 1 } }));
    const settings = { cwd: home, env: { ...databaseVariables(connection), ...fast } };
    const journal = join(home, "journal.jsonl");
    const adapter = startMock(settings, journal);
    const server = startServer(settings, ["--areas", "coordinator", "--workers", "off"], program);
    children.push(adapter, server);
    const base = `${await servedUrl(server)}/api/coordinator`;
    await registerMock(base, await mockUrl(adapter));
    const steady = startWorker(settings, program).child;
    children.push(steady);
    const soak: Soak = {
      options,
      base,
      db: database.db,
      random: seededRandom(options.seed),
      accepted: [],
      counts: { busy: 0, reads: 0, kills: 0 },
      violations: [],
      signal: over.signal,
    };
    const samples: Sample[] = [];
    const from = performance.now();
    const watched = { "the server": server, "the worker": steady };
    const sample = async (): Promise<void> => {
      const taken = await takeSample(soak, watched, performance.now() - from);
      samples.push(taken);
      if (samples.length % 4 === 1) say(lineOf(taken, soak));
    };
    const parts = [
      every(soak, 60_000 / options.startsPerMinute, () => startPlan(soak)),
      every(soak, 250, () => readSomething(soak)),
      every(soak, agingEveryMs, () => makeOlder(soak.db)),
      every(soak, sampleEveryMs, sample),
      killAgainAndAgain(soak, () => startWorker(settings, program).child),
    ];
    const load = Promise.all(parts);
    await Promise.race([sleep(minutes * 60_000, undefined, { signal: over.signal }), load]);
    over.abort();
    await load;
    await drain(soak);
    const deleted = await sql<{ n: number }>`select coalesce(sum(deleted), 0)::int as n from retention_state
      where rule = 'plans'`.execute(database.db);
    const series = judgeSeries(samples);
    for (const { name, thirds, grows } of series)
      if (grows) soak.violations.push(`${name} grows: ${thirds.map((value) => value.toFixed(0)).join(", ")}`);
    const deletedPlans = deleted.rows[0]?.n ?? 0;
    if (deletedPlans === 0) soak.violations.push("no old plan was deleted");
    return {
      series,
      accepted: soak.accepted.length,
      ...soak.counts,
      deletedPlans,
      violations: soak.violations,
    };
  } finally {
    over.abort();
    await Promise.all(children.map((child) => stopChild(child)));
    await database.close();
    await rm(home, { recursive: true, force: true });
  }
}

const fast = {
  PLINTH_COORDINATOR_EXECUTION_POLL_INITIAL_MS: "50",
  PLINTH_COORDINATOR_EXECUTION_POLL_MAX_MS: "200",
};

/** One after the other, never two at once; ends with the run, or with what broke. */
async function every({ signal }: Soak, ms: number, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    const from = performance.now();
    await work();
    await sleep(Math.max(0, ms - (performance.now() - from)), undefined, { signal }).catch(() => undefined);
  }
}

async function startPlan({ base, accepted, random, counts }: Soak): Promise<void> {
  const unitId = `unit-${Math.floor(random() * units)}`;
  const answer = await fetch(
    `${base}/v2/deployment-units/${unitId}/provisioning?environment=${environment}`,
    {
      method: "POST",
      body: JSON.stringify(layeredUnit(unitId, random)),
      headers: { "content-type": "application/json" },
    },
  );
  const text = await answer.text();
  if (answer.status === 202) accepted.push(JSON.parse(text) as string);
  else if (answer.status === 409) counts.busy++;
  else throw new Error(`A start was answered ${answer.status}: ${text}`);
}

async function readSomething({ base, accepted, random, counts }: Soak): Promise<void> {
  const plan = accepted.at(-1 - Math.floor(random() * 5));
  const unit = `unit-${Math.floor(random() * units)}`;
  const paths = [
    "/v1/waiting",
    "/v1/deployment-units?limit=50",
    "/v2/provisioning-operations?limit=50",
    "/v1/provisioning-plans?limit=50",
    `/v1/deployment-units/${unit}/provisioning-status?environment=${environment}`,
    ...(plan === undefined
      ? []
      : [`/v1/execution-plans/${plan}/status`, `/v1/execution-plans/${plan}/events`]),
  ];
  const path = paths[Math.floor(random() * paths.length)]!;
  const leave = new AbortController();
  const answer = await fetch(base + path, { signal: leave.signal });
  // A reader of events leaves in the middle.
  if (path.endsWith("/events")) leave.abort();
  else await answer.text();
  if (answer.status >= 500) throw new Error(`${path} was answered ${answer.status}`);
  counts.reads++;
}

/** A year for all that has ended some time ago; the order of a unit's plans stays. */
async function makeOlder(db: Db): Promise<void> {
  const ended = sql`select id from execution_plans where stopped_at < now() - interval '30 seconds'
    and stopped_at > now() - interval '300 days'`;
  await sql`with ended as (${ended}), older as (
      update operations set start_time = start_time - interval '400 days', stop_time = stop_time - interval '400 days'
      where plan_id in (select id from ended)
    )
    update execution_plans set created_at = created_at - interval '400 days', stopped_at = stopped_at - interval '400 days'
    where id in (select id from ended)`.execute(db);
  for (const table of await tablesNamed(db, "results"))
    await sql`update ${table} set at = at - interval '400 days'
      where at < now() - interval '30 seconds' and at > now() - interval '300 days'`.execute(db);
  for (const table of await tablesNamed(db, "retention_state"))
    await sql`update ${table} set pass_ended_at = pass_ended_at - interval '2 days'`.execute(db);
}

/** Areas with a database of their own have their tables in another schema. */
async function tablesNamed(db: Db, name: string): Promise<Sql[]> {
  const { rows } = await sql<{ schema: string }>`select schemaname as schema from pg_tables
    where tablename = ${name}`.execute(db);
  return rows.map(({ schema }) => sql.ref(`${schema}.${name}`));
}

async function killAgainAndAgain(soak: Soak, begin: () => Child): Promise<void> {
  let worker = begin();
  try {
    while (!soak.signal.aborted) {
      const pauseMs = soak.options.killEveryMs * (0.5 + soak.random());
      await sleep(pauseMs, undefined, { signal: soak.signal }).catch(() => undefined);
      if (soak.signal.aborted) return;
      await killChild(worker);
      soak.counts.kills++;
      worker = begin();
    }
  } finally {
    await stopChild(worker);
  }
}

async function takeSample(soak: Soak, watched: Record<string, Child>, atMs: number): Promise<Sample> {
  const values = new Map<string, number>();
  for (const [name, { process }] of Object.entries(watched)) {
    const found = process.pid === undefined ? null : await readProcess(process.pid);
    if (found === null) throw new Error(`${name} has ended`);
    values.set(`memory of ${name}`, found.memoryMb);
    values.set(`files of ${name}`, found.files);
  }
  for (const { name, rows, bytes } of await readTables(soak.db)) {
    if (growing.test(name)) continue;
    values.set(`rows of ${name}`, rows);
    values.set(`MB of ${name}`, bytes / 2 ** 20);
  }
  const { rows: late } = await sql<{ id: string; status: string }>`select id, status from execution_plans
    where stopped_at is null and created_at < now() - ${longestPlanMs}::int * interval '1 millisecond'`.execute(
    soak.db,
  );
  for (const { id, status } of late) {
    const violation = `plan ${id} is ${status} after ${longestPlanMs / 1_000} s`;
    if (!soak.violations.includes(violation)) soak.violations.push(violation);
  }
  return { atMs, values };
}

function lineOf({ atMs, values }: Sample, { accepted, counts }: Soak): string {
  const of = (name: string): string => (values.get(name) ?? 0).toFixed(0);
  return (
    `${(atMs / 60_000).toFixed(1).padStart(5)} min  ${accepted.length} plans, ${counts.kills} kills; server ${of("memory of the server")} MB, ` +
    `worker ${of("memory of the worker")} MB; ${of("rows of execution_plans")} plans, ${of("rows of plan_tasks")} tasks, ` +
    `${of("rows of events")} events kept`
  );
}

/** Every plan that is still there has ended; those that are not were old. */
async function drain({ db, violations }: Soak): Promise<void> {
  const giveUpAt = performance.now() + longestPlanMs;
  while ((await readOpen(db)) > 0 && performance.now() < giveUpAt) await sleep(100);
  const { rows } = await sql<{
    status: string;
    n: number;
  }>`select status, count(*)::int as n from execution_plans
    where status <> 'COMPLETED' group by status`.execute(db);
  for (const { status, n } of rows) violations.push(`${n} plans are ${status}`);
}
