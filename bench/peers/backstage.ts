/**
 * Our instantiations beside Backstage's scaffolder backend: the same template of three steps (a skeleton of five files,
 * catalog:write, debug:log), each as a process of its own on the same Node, both on one PostgreSQL with its durability,
 * ten tasks at a time, in turn in one run. Goals: 3 times its tasks per second, half its time from the POST to the end
 * of a task, a twentieth of its time from the end to the last event of the stream, a fifth of its CPU time per task
 * and 0.4 of its memory. The memory of a process differs by a fifth from start to start, so both are started three times. After that, how
 * many tasks per second remain when 200,000 have ended before: at least 0.85.
 *
 * Backstage's catalogue is a map in its process, ours the real one. The peer is no dependency of the project:
 * `npm ci --prefix test/backstage/current` first.
 *   node bench/peers/backstage.ts [--starts 3] [--rounds 5] [--tasks 200] [--finished 200000] [--alone]
 */
import { readFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "js-yaml";
import pg from "pg";
import { Pool } from "undici";
import { startEmbedded } from "../../src/platform/db/start/embedded.ts";
import type { Connection } from "../../src/platform/db/database.ts";
import { startPeer } from "../../test/backstage/peers.ts";
import { databaseVariables } from "../../test/crash/processes.ts";
import { benchCommand } from "../support/command.ts";
import { median } from "../support/fixtures.ts";
import { cpuOf, cpuOfFamily, residentMb } from "../support/process-use.ts";
import {
  buildBundle,
  bundle,
  callJson,
  patientServer,
  startServerProcess,
} from "../support/server-process.ts";

const { sizes, isAlone, report } = benchCommand({
  starts: { usual: 3, quick: 1 },
  rounds: { usual: 5, quick: 4 },
  tasks: { usual: 200, quick: 150 },
  finished: { usual: 200_000, quick: 0 },
});
const { starts, rounds, tasks, finished } = sizes;
const parallel = 10;
const callers = 16;
const single = 10;
const folder = join(import.meta.dirname, "backstage");
const templateFile = join(folder, "template.yaml");

interface Side {
  name: string;
  /** Address of the scaffolder's interface. */
  url: string;
  pid: number;
  pool: pg.Pool;
  /** How many tasks that were made after a time have ended well. */
  count: string;
  /** Whether one has. */
  ended: string;
  calls: Pool;
  close: () => Promise<void>;
}

interface Sample {
  tasksPerSecond: number;
  cpuMs: number;
  databaseCpuMs: number;
  residentMb: number;
  /** From the POST to the end, and from there to the last event, of single tasks. */
  completedMs: number[];
  streamMs: number[];
}

/** What is still open when the run ends or fails. */
const open = new Set<Side>();

async function shut(side: Side): Promise<void> {
  open.delete(side);
  await side.close();
}

function opened(side: Side): Side {
  // A connection that the end of the database cuts off is no matter.
  side.pool.on("error", () => {});
  open.add(side);
  return side;
}

async function startOurs(connection: Connection, dbname: string): Promise<Side> {
  const home = await mkdtemp(join(tmpdir(), "plinth-bench-config-"));
  const config = join(home, "plinth.json");
  const builder = { catalogue: { folders: [folder] }, instantiations: { parallel, parallelPerUser: 0 } };
  await writeFile(config, JSON.stringify({ mesh: { builder }, server: patientServer }));
  const { host, port, user, password } = connection;
  const server = await startServerProcess(
    databaseVariables({ ...connection, dbname }),
    ["--config", config, "--areas", "builder"],
    bundle,
  );
  await callJson(`${server.url}/api/catalog/locations`, "POST", { type: "file", target: templateFile });
  const pool = new pg.Pool({ host, port, user, password, database: dbname, max: 4 });
  const calls = new Pool(server.url, { connections: callers });
  return opened({
    name: "Plinth",
    url: `${server.url}/api/scaffolder`,
    pid: server.pid,
    pool,
    calls,
    count:
      "select count(*)::int as n from cgp.instantiations where created_at >= $1 and status = 'completed'",
    ended: "select 1 from cgp.instantiations where id = $1 and status = 'completed'",
    async close() {
      await calls.destroy();
      await pool.end();
      await server.close();
      await rm(home, { recursive: true, force: true });
    },
  });
}

async function startTheirs(connection: Connection): Promise<Side> {
  const entity = load(await readFile(templateFile, "utf8")) as { metadata: object };
  const annotations = { "backstage.io/managed-by-location": `file:${templateFile}` };
  const known = { ...entity, metadata: { ...entity.metadata, namespace: "default", annotations } };
  const peer = await startPeer({ release: "current", connection, entities: [known], parallel });
  const { host, port, user, password, dbname } = peer.database;
  const pool = new pg.Pool({ host, port, user, password, database: dbname, max: 4 });
  const calls = new Pool(new URL(peer.url).origin, { connections: callers });
  return opened({
    name: "Backstage",
    url: peer.url,
    pid: peer.pid,
    pool,
    calls,
    count: "select count(*)::int as n from scaffolder.tasks where created_at >= $1 and status = 'completed'",
    ended: "select 1 from scaffolder.tasks where id = $1 and status = 'completed'",
    async close() {
      await calls.destroy();
      await pool.end();
      await peer.close();
    },
  });
}

let made = 0;

async function postTask({ calls, name }: Side): Promise<string> {
  const answer = await calls.request({
    method: "POST",
    path: "/api/scaffolder/v2/tasks",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      templateRef: "template:default/measured",
      values: { name: `fleet-${(made += 1)}`, owner: "group:default/sailors", zones: ["north", "south"] },
    }),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 201) throw new Error(`${name} refuses a task: ${answer.statusCode} ${text}`);
  return (JSON.parse(text) as { id: string }).id;
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
const waitLimitMs = 300_000;

async function until(what: string, everyMs: number, ask: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + waitLimitMs;
  while (!(await ask())) {
    if (performance.now() > end) throw new Error(`${what} did not come to pass`);
    await pause(everyMs);
  }
}

/** Posts all tasks from some callers and waits until the last has ended. */
async function throughput(side: Side, count: number): Promise<number> {
  const { rows } = await side.pool.query<{ at: Date }>("select now() as at");
  const from = rows[0]?.at;
  const started = performance.now();
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await postTask(side);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  await until(`The end of ${count} tasks of ${side.name}`, 20, async () => {
    const answer = await side.pool.query<{ n: number }>(side.count, [from]);
    return (answer.rows[0]?.n ?? 0) >= count;
  });
  return count / ((performance.now() - started) / 1000);
}

/** One task on an idle server: how long until the database has its end, and until its stream has sent it. */
async function one(side: Side): Promise<{ completedMs: number; streamMs: number }> {
  const started = performance.now();
  const id = await postTask(side);
  const streamEnd = lastEvent(side, id);
  await until(`The end of a task of ${side.name}`, 1, async () => {
    const { rowCount } = await side.pool.query(side.ended, [id]);
    return rowCount === 1;
  });
  const ended = performance.now();
  return { completedMs: ended - started, streamMs: Math.max(0, (await streamEnd) - ended) };
}

/** When the stream of a task has sent its last event. */
async function lastEvent({ url }: Side, id: string): Promise<number> {
  const answer = await fetch(`${url}/v2/tasks/${id}/eventstream`);
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (/^event: ?completion$/m.test(text)) return performance.now();
  }
  throw new Error("the stream ended without the end of the task");
}

async function sample(side: Side, postmaster: number): Promise<Sample> {
  const [cpu, database] = [await cpuOf(side.pid), await cpuOfFamily(postmaster)];
  const tasksPerSecond = await throughput(side, tasks);
  const cpuMs = ((await cpuOf(side.pid)) - cpu) / tasks;
  const databaseCpuMs = ((await cpuOfFamily(postmaster)) - database) / tasks;
  const completedMs: number[] = [];
  const streamMs: number[] = [];
  for (let n = 0; n < single; n += 1) {
    const times = await one(side);
    completedMs.push(times.completedMs);
    streamMs.push(times.streamMs);
    // So that the polls of a peer do not fall into step with us.
    await pause(Math.random() * 100);
  }
  return {
    tasksPerSecond,
    cpuMs,
    databaseCpuMs,
    residentMb: await residentMb(side.pid),
    completedMs,
    streamMs,
  };
}

const goals: {
  what: string;
  unit: string;
  of: (samples: Sample[]) => number;
  goal: number;
  atLeast?: boolean;
}[] = [
  {
    what: "tasks per second",
    unit: "/s",
    of: (all) => median(all.map((each) => each.tasksPerSecond)),
    goal: 3,
    atLeast: true,
  },
  {
    what: "POST to completed",
    unit: "ms",
    of: (all) => median(all.flatMap((each) => each.completedMs)),
    goal: 0.5,
  },
  {
    what: "completed to last event",
    unit: "ms",
    of: (all) => median(all.flatMap((each) => each.streamMs)),
    goal: 0.05,
  },
  { what: "CPU per task", unit: "ms", of: (all) => median(all.map((each) => each.cpuMs)), goal: 0.2 },
  { what: "resident memory", unit: "MB", of: (all) => median(all.map((each) => each.residentMb)), goal: 0.4 },
];

function verdict(ratio: number, goal: number, atLeast = false): string {
  const isMet = atLeast ? ratio >= goal : ratio <= goal;
  if (!isMet) process.exitCode = 1;
  return `${ratio.toFixed(3)} (goal ${atLeast ? "at least" : "at most"} ${goal}: ${isMet ? "met" : "MISSED"})`;
}

/** Starts both sides and takes the samples of all rounds. */
async function samplesOfStart(
  connection: Connection,
  postmaster: number,
): Promise<{ own: Sample[]; their: Sample[] }> {
  const ours = await startOurs(connection, "plinth");
  const theirs = isAlone ? undefined : await startTheirs(connection);
  const sides = theirs === undefined ? [ours] : [ours, theirs];
  const own: Sample[] = [];
  const their: Sample[] = [];
  for (let round = -1; round < rounds; round += 1) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      if (round < 0) await throughput(side, tasks / 2);
      else (side === ours ? own : their).push(await sample(side, postmaster));
    }
  }
  for (const side of sides) await shut(side);
  return { own, their };
}

const memoryOf = (samples: Sample[]): string =>
  `${median(samples.map((each) => each.residentMb)).toFixed(0)} MB`;

async function besideBackstage(): Promise<void> {
  const own: Sample[] = [];
  const their: Sample[] = [];
  for (let start = 1; start <= starts; start += 1) {
    const samples = await withPostgres(["plinth"], samplesOfStart);
    own.push(...samples.own);
    their.push(...samples.their);
    if (!isAlone)
      console.log(`start ${start}: ${memoryOf(samples.own)}, Backstage ${memoryOf(samples.their)}`);
  }
  const cpuMsPerUnit = median(own.map(({ cpuMs }) => cpuMs));
  const perSecond = median(own.map(({ tasksPerSecond }) => tasksPerSecond));
  report({ name: "peers/backstage", unit: "task", cpuMsPerUnit, perSecond });
  if (!isAlone) compare(own, their);
}

function compare(own: Sample[], their: Sample[]): void {
  console.log(
    `${tasks} tasks of three steps and ${single} single ones, median of ${starts} starts with ${rounds} rounds each`,
  );
  for (const { what, unit, of, goal, atLeast } of goals) {
    const [mine, other] = [of(own), of(their)];
    const streamEnd = `${mine.toFixed(2)} ${unit}, Backstage ${other.toFixed(2)} ${unit}`;
    console.log(`  ${what.padEnd(24)} ${streamEnd.padEnd(40)} ratio ${verdict(mine / other, goal, atLeast)}`);
  }
  const database = (all: Sample[]): string => median(all.map((each) => each.databaseCpuMs)).toFixed(2);
  console.log(`  (CPU of PostgreSQL per task: ${database(own)} ms, Backstage ${database(their)} ms)`);
}

/** Copies of a task that has ended, with their steps and events, over the last sixty days. */
async function addFinished({ pool }: Side): Promise<void> {
  const { rows } = await pool.query<{ id: string }>("select id from cgp.instantiations limit 1");
  const id = rows[0]?.id;
  await pool.query(
    `create table cgp.copies as select n, gen_random_uuid() as id, now() - interval '60 days' * n / $1 as at
       from generate_series(1, $1::int) n`,
    [finished],
  );
  const { rows: columns } = await pool.query<{ name: string }>(
    `select column_name as name from information_schema.columns
       where table_schema = 'cgp' and table_name = 'instantiations' order by ordinal_position`,
  );
  const names = columns.map(({ name }) => name);
  const times = new Set(["created_at", "started_at", "ended_at"]);
  const copied = names.map((name) => (name === "id" ? "c.id" : times.has(name) ? "c.at" : `t.${name}`));
  await pool.query(
    `insert into cgp.instantiations (${names.join(", ")})
       select ${copied.join(", ")} from cgp.instantiations t, cgp.copies c where t.id = $1`,
    [id],
  );
  await pool.query(
    `insert into cgp.instantiation_steps
       select c.id, s.step, s.status, s.output, s.error, c.at, c.at
         from cgp.instantiation_steps s, cgp.copies c where s.instantiation_id = $1`,
    [id],
  );
  const { rows: streams } = await pool.query<{ stream: string }>(
    "select distinct stream from cgp.events where stream like '%' || $1",
    [id],
  );
  const stream = streams[0]?.stream ?? "";
  await pool.query(
    `insert into cgp.events (stream, type, at, level, data)
       select replace(e.stream, $2, c.id::text), e.type, c.at, e.level, e.data
         from cgp.events e, cgp.copies c where e.stream = $1`,
    [stream, id],
  );
  await pool.query("drop table cgp.copies");
  await pool.query("vacuum analyze");
}

async function withMany(connection: Connection): Promise<void> {
  const empty = await startOurs(connection, "plinth_empty");
  const full = await startOurs(connection, "plinth_full");
  await throughput(full, 1);
  await addFinished(full);
  await full.pool.query("checkpoint");
  const rates = new Map<Side, number[]>([
    [empty, []],
    [full, []],
  ]);
  for (let round = -1; round < rounds; round += 1) {
    for (const side of round % 2 === 0 ? [empty, full] : [full, empty]) {
      const rate = await throughput(side, tasks * 2);
      if (round >= 0) rates.get(side)?.push(rate);
    }
  }
  const [few, many] = [median(rates.get(empty) ?? []), median(rates.get(full) ?? [])];
  const { rows } = await full.pool.query<{ n: number; events: number }>(
    "select (select count(*)::int from cgp.instantiations) as n, (select count(*)::int from cgp.events) as events",
  );
  for (const side of [empty, full]) await shut(side);
  console.log(`with ${rows[0]?.n} tasks and ${rows[0]?.events} events in the tables`);
  console.log(
    `  tasks per second: ${many.toFixed(1)}, empty ${few.toFixed(1)}, ratio ${verdict(many / few, 0.85, true)}`,
  );
}

/** Starts a PostgreSQL with these databases for `work`, which gets a connection to it and the id of its main process. */
async function withPostgres<Result>(
  databases: string[],
  work: (connection: Connection, postmaster: number) => Promise<Result>,
): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), "plinth-bench-"));
  const postgres = await startEmbedded({ dataDir });
  try {
    const { host, port, user, password } = postgres;
    const connection: Connection = { host, port, user, password, dbname: "postgres", schema: "cgp" };
    const admin = new pg.Pool({ host, port, user, password, database: "postgres", max: 1 });
    for (const name of databases) await admin.query(`create database ${name}`);
    await admin.end();
    const [postmaster] = (await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n");
    return await work(connection, Number(postmaster));
  } finally {
    for (const side of open) await shut(side);
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await buildBundle();
if (rounds > 0) await besideBackstage();
if (finished > 0) await withPostgres(["plinth_empty", "plinth_full"], withMany);
