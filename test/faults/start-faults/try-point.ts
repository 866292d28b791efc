/** One disturbed start: what it did, what it said, and what it left behind. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { setTimeout as pause } from "node:timers/promises";
import { connectTo, type Connection } from "../../../src/platform/db/database.ts";
import { databaseVariables } from "../../crash/processes.ts";
import { openFaultyDatabase, type FaultyDatabase } from "./faulty-database.ts";
import type { Counted, DataDirectory, Point, Workers } from "./points.ts";
import { startProgram, type Started } from "./program.ts";

export interface Setting {
  /** Connection of a superuser to a database with all migrations. */
  template: Connection;
  /** `dist/plinth.js`, or the sources' entry. */
  program: string;
  /** How long a start takes here that nothing disturbs; a slow machine is no defect. */
  usualMs: number;
}

export interface Outcome {
  /** "up" or the exit code. */
  ended: string;
  /** From the fault, or the signal, to the end of the process. */
  tookMs: number;
  /** The line that said why. */
  reason: string;
  violations: string[];
}

const longestFailureMs = 10_000;
const shortGraceMs = 2_000;
/** What the product promises beyond the grace (platform/runtime/stop-limits.ts). */
const longestStopMs = shortGraceMs + 1_500;
/** Signals that come closer to each other are taken for one. */
const echoMs = 500;
const atOnceMs = 1_500;

interface StartContext {
  setting: Setting;
  point: Point;
  connection: Connection;
  home: string;
  outcome: Outcome;
  /** Undone at the end, the last first. */
  undo: (() => Promise<unknown>)[];
}

let count = 0;

/** Counts the connections and statements of a start that nothing disturbs. */
export async function countStart(
  setting: Setting,
  workers: Workers,
): Promise<Counted & { tookMs: number; violations: string[] }> {
  const point: Point = { workers, kind: "fault", fault: { at: "query", n: 0, how: "silent" } };
  return withStartContext(setting, point, async (context) => {
    const database = await openFaultyDatabase(context.connection.host, context.connection.port, null);
    context.undo.push(() => database.close());
    const from = performance.now();
    const child = start(context, { ...context.connection, port: database.port });
    const url = await Promise.race([child.up, child.gone.then(() => undefined)]);
    const tookMs = performance.now() - from;
    const counted = database.counted();
    if (url === undefined) context.outcome.violations.push(`did not start: ${child.output().err}`);
    else await stop(context, child);
    return { ...counted, tookMs, violations: context.outcome.violations };
  });
}

export const tryPoint = (setting: Setting, point: Point): Promise<Outcome> =>
  withStartContext(setting, point, async (context) => {
    switch (point.kind) {
      case "fault":
      case "signal":
        await tryFault(context, await openFault(context, point));
        break;
      case "role limit":
        await limitRole(context, point.connections);
        await awaitVerdict(context, start(context, context.connection), Promise.resolve());
        break;
      case "address":
        await tryAddress(context, point.what);
        break;
      case "data directory":
        await tryDirectory(context, point);
        break;
      case "second signal":
        await trySecondSignal(context);
        break;
      case "embedded":
        await tryEmbedded(context, point.signalAt);
    }
    return context.outcome;
  });

async function withStartContext<T>(
  setting: Setting,
  point: Point,
  work: (context: StartContext) => Promise<T>,
): Promise<T> {
  const name = `start_fault_${process.pid}_${count++}`;
  const home = await mkdtemp(join(tmpdir(), "plinth-start-"));
  const { template } = setting;
  // A process that serves makes its first start, with all migrations; one of workers only comes to what is there.
  const source = point.workers === "on" ? "template0" : template.dbname;
  await administer(template, `create database ${name} template ${source}`);
  const context: StartContext = {
    setting,
    point,
    connection: { ...template, dbname: name },
    home,
    outcome: { ended: "", tookMs: 0, reason: "", violations: [] },
    undo: [
      () => rm(home, { recursive: true, force: true, maxRetries: 5 }),
      () => administer(template, `drop database ${name} with (force)`),
    ],
  };
  try {
    await mkdir(join(home, "tmp"));
    return await work(context);
  } finally {
    for (const undo of context.undo.toReversed()) await undo();
  }
}

async function administer(template: Connection, ...statements: string[]): Promise<void> {
  const client = await connectTo({ ...template, dbname: "postgres" });
  try {
    await client.query("select pg_advisory_lock(7)");
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

interface StartDetails {
  dataDir?: string;
  address?: { host?: string; port?: number };
  /** Another user, where we are root. */
  uid?: number;
  graceMs?: number;
}

function start(
  { setting, point, home }: StartContext,
  connection: Connection | null,
  { dataDir = join(home, "data"), address, uid, graceMs = shortGraceMs }: StartDetails = {},
): Started {
  const env = {
    ...(connection === null ? {} : databaseVariables(connection)),
    PLINTH_DATA_DIR: dataDir,
    PLINTH_SERVER_SHUTDOWN_GRACE_MS: String(graceMs),
    PLINTH_SERVER_PORT: String(address?.port ?? 0),
    ...(address?.host === undefined ? {} : { PLINTH_SERVER_HOST: address.host }),
    TMPDIR: join(home, "tmp"),
    HOME: home,
  };
  const args = [setting.program, "start", "--workers", point.workers];
  return startProgram({ args, cwd: home, env, ...(uid === undefined ? {} : { uid }) });
}

async function openFault({ connection, undo }: StartContext, point: Point): Promise<FaultyDatabase> {
  const fault = "fault" in point ? point.fault : null;
  const database = await openFaultyDatabase(connection.host, connection.port, fault);
  undo.push(() => database.close());
  return database;
}

async function tryFault(context: StartContext, database: FaultyDatabase): Promise<void> {
  const child = start(context, { ...context.connection, port: database.port });
  if (context.point.kind === "fault") return awaitVerdict(context, child, database.hit);
  const isUp = await Promise.race([
    database.hit.then(() => false),
    child.up.then(() => true),
    child.gone.then(() => true),
  ]);
  // A start is not the same every time: this one came up without that statement.
  if (isUp) return awaitVerdict(context, child, Promise.resolve());
  await awaitSignal(context, child);
}

/** Each role that is named in the template's rights may do what its owner may, but is no superuser. */
async function limitRole(context: StartContext, connections: number): Promise<void> {
  const { template } = context.setting;
  const role = context.connection.dbname;
  await administer(
    template,
    `create role ${role} login password 'limited' connection limit ${connections} in role ${template.user}`,
  );
  context.undo.splice(1, 0, () => administer(template, `drop role ${role}`));
  context.connection = { ...context.connection, user: role, password: "limited" };
}

async function tryAddress(context: StartContext, what: "in use" | "of another machine"): Promise<void> {
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => taken.once("listening", listening));
  context.undo.push(async () => void taken.close());
  const { port } = taken.address() as AddressInfo;
  const address = what === "in use" ? { port } : { host: "203.0.113.7" };
  await awaitNothingBegun(context, { address });
}

async function tryDirectory(
  context: StartContext,
  { what, embedded }: { what: DataDirectory; embedded: boolean },
): Promise<void> {
  const places: Record<DataDirectory, string> = {
    "below /proc": "/proc/plinth/data",
    "a file in its place": join(context.home, "file"),
    "below a file": join(context.home, "file", "data"),
    "not writable": join(context.home, "closed", "data"),
  };
  await writeFile(join(context.home, "file"), "");
  await mkdir(join(context.home, "closed"));
  await chmod(join(context.home, "closed"), 0o555);
  // Root may write anywhere; nobody may not.
  const isRoot = process.getuid?.() === 0;
  const uid = isRoot && what === "not writable" ? { uid: 65_534 } : {};
  if (isRoot) await chmod(context.home, 0o755);
  await awaitNothingBegun(context, { dataDir: places[what], ...uid }, embedded);
}

/** Faults that are found before the database is spoken to, or started. */
async function awaitNothingBegun(
  context: StartContext,
  details: StartDetails,
  embedded = false,
): Promise<void> {
  const { connection, outcome } = context;
  const database = await openFaultyDatabase(connection.host, connection.port, null);
  context.undo.push(() => database.close());
  const child = start(context, embedded ? null : { ...connection, port: database.port }, details);
  await awaitVerdict(context, child, Promise.resolve());
  if (outcome.ended === "up") outcome.violations.push("came up");
  if (database.counted().connects > 0) outcome.violations.push("the database was spoken to");
  if (existsSync(join(context.home, "data", "postgres"))) outcome.violations.push("a database was begun");
}

async function tryEmbedded(context: StartContext, signalAt: "initdb" | "postmaster"): Promise<void> {
  const data = join(context.home, "data");
  const child = start(context, null);
  let isGone = false;
  void child.gone.then(() => (isGone = true));
  const isThere = async (): Promise<boolean> =>
    signalAt === "postmaster"
      ? existsSync(join(data, "postgres", "postmaster.pid"))
      : (await readdir(data).catch(() => [])).some((name) => name.endsWith(".new"));
  while (!isGone && !(await isThere())) await pause(5);
  await awaitSignal(context, child);
  const { stdout } = await run("ps", ["-A", "-o", "args="]);
  if (stdout.includes(data)) context.outcome.violations.push("a program of the database is left");
  const notes = await readdir(join(data, "postgres.users")).catch(() => []);
  if (notes.length > 0) context.outcome.violations.push("a note of a user of the database is left");
  const half = (await readdir(data).catch(() => [])).filter((name) => name.includes(".new"));
  if (half.length > 0) context.outcome.violations.push("a half-made database is left");
}

/** The first signal lets a request finish, whose body never comes. */
async function trySecondSignal(context: StartContext): Promise<void> {
  const { outcome, setting } = context;
  const child = start(context, context.connection, { graceMs: 120_000 });
  const url = await Promise.race([child.up, child.gone.then(() => null)]);
  if (url === null) return void outcome.violations.push(`did not start: ${child.output().err}`);
  const { hostname, port } = new URL(url);
  const caller = connect(Number(port), hostname);
  caller.on("error", () => caller.destroy());
  context.undo.push(async () => void caller.destroy());
  const head = [
    "POST /api/coordinator/v1/tech-adapters HTTP/1.1",
    `host: ${hostname}:${port}`,
    "content-type: application/json",
  ];
  caller.write([...head, "content-length: 100", "expect: 100-continue", "", ""].join("\r\n"));
  await once(caller, "data");
  caller.write("{");
  child.signal("SIGTERM");
  while (!child.output().out.includes('"stopping"')) await pause(10);
  await pause(2 * echoMs);
  const from = performance.now();
  child.signal("SIGTERM");
  const { code, signal } = await child.gone;
  outcome.tookMs = Math.round(performance.now() - from);
  outcome.ended = String(code ?? signal);
  if (code !== 130) outcome.violations.push(`ended with ${outcome.ended}`);
  const slackMs = Math.max(0, setting.usualMs - 2_000);
  if (outcome.tookMs > atOnceMs + slackMs) outcome.violations.push(`ended after ${outcome.tookMs} ms`);
  await checkLeft(context, child);
}

/** It comes up and serves, or it ends in time and says why. */
async function awaitVerdict(context: StartContext, child: Started, fault: Promise<void>): Promise<void> {
  const { outcome, setting } = context;
  let faultAt = performance.now();
  void fault.then(() => (faultAt = performance.now()));
  const slackMs = Math.max(0, setting.usualMs - 2_000);
  const longestMs = longestFailureMs + 2 * setting.usualMs + slackMs;
  const ending = await Promise.race([
    child.gone,
    child.up.then((url) => ({ url })),
    fault.then(() => timeUp(longestMs)).then(() => "neither" as const),
  ]);
  outcome.tookMs = Math.round(performance.now() - faultAt);
  if (ending === "neither") {
    outcome.violations.push(`neither up nor gone ${outcome.tookMs} ms after the fault`);
    child.signal("SIGKILL");
    await child.gone;
  } else if ("url" in ending) {
    outcome.ended = "up";
    if (ending.url !== null) await checkServes(outcome, ending.url);
    await stop(context, child);
  } else {
    outcome.ended = String(ending.code ?? ending.signal);
    if (ending.code === 0 || ending.code === null) outcome.violations.push(`ended with ${outcome.ended}`);
    if (outcome.tookMs > longestFailureMs + slackMs)
      outcome.violations.push(`ended ${outcome.tookMs} ms after the fault`);
    checkWords(outcome, child.output().err);
    await checkLeft(context, child);
  }
}

/** SIGTERM in the middle of the start. */
async function awaitSignal(context: StartContext, child: Started): Promise<void> {
  const { outcome, setting } = context;
  const from = performance.now();
  child.signal("SIGTERM");
  const slackMs = Math.max(0, setting.usualMs - 2_000);
  const ending = await Promise.race([
    child.gone,
    timeUp(longestStopMs + slackMs + 5_000).then(() => "neither" as const),
  ]);
  outcome.tookMs = Math.round(performance.now() - from);
  if (ending === "neither") {
    outcome.violations.push("did not end on SIGTERM");
    child.signal("SIGKILL");
    await child.gone;
    return;
  }
  outcome.ended = String(ending.code ?? ending.signal);
  if (ending.code !== 130 && ending.code !== 0) outcome.violations.push(`ended with ${outcome.ended}`);
  if (outcome.tookMs > longestStopMs + slackMs)
    outcome.violations.push(`ended ${outcome.tookMs} ms after SIGTERM`);
  await checkLeft(context, child);
}

async function stop(context: StartContext, child: Started): Promise<void> {
  const { outcome, setting } = context;
  const from = performance.now();
  child.signal("SIGTERM");
  const slackMs = Math.max(0, setting.usualMs - 2_000);
  const ending = await Promise.race([child.gone, timeUp(longestStopMs + slackMs).then(() => null)]);
  if (ending === null) {
    outcome.violations.push(`lived ${Math.round(performance.now() - from)} ms after SIGTERM`);
    child.signal("SIGKILL");
    await child.gone;
  } else if (ending.code !== 0 && !isCutOff(context.point, child)) {
    outcome.violations.push(`the stop ended with ${ending.code ?? ending.signal}: ${child.output().err}`);
  }
  await checkLeft(context, child);
}

/** A statement of work in the background may hang for longer than the grace: then the stop is cut off, and says so. */
const isCutOff = ({ kind }: Point, child: Started): boolean =>
  kind === "fault" && child.output().err.startsWith("error: the stop took longer than");

const servesWithinMs = 15_000;

async function checkServes(outcome: Outcome, url: string): Promise<void> {
  const end = performance.now() + servesWithinMs;
  let last = "";
  while (performance.now() < end) {
    last = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(servesWithinMs) }).then(
      async (answer) => (answer.ok ? "ready" : `${answer.status} ${await answer.text()}`),
      (error: Error) => error.message,
    );
    if (last === "ready") return;
    await pause(100);
  }
  outcome.violations.push(`up, but not ready: ${last}`);
}

const stack = /^\s+at .+:\d+:\d+\)?$/m;
const statement = /\b(?:select .+ from|insert into|update .+ set|delete from|create (?:table|schema))\b/i;

function checkWords(outcome: Outcome, err: string): void {
  outcome.reason = err.split("\n")[0] ?? "";
  if (!outcome.reason.startsWith("error: ")) outcome.violations.push(`says no reason: ${err.slice(0, 300)}`);
  if (outcome.reason.includes("defect")) outcome.violations.push(`calls it a defect: ${outcome.reason}`);
  if (stack.test(err)) outcome.violations.push(`shows a stack: ${err.slice(-600)}`);
  if (statement.test(err)) outcome.violations.push("shows a statement");
}

/** Checks what is left of the session, the database, the notes and the temporary folders. */
async function checkLeft(
  { setting, connection, home, outcome }: StartContext,
  child: Started,
): Promise<void> {
  // One that has ended and whose parent has not looked yet (Z) is no process any more.
  const { stdout } = await run("ps", ["-A", "-o", "stat=,sess=,pid=,args="]);
  const left = stdout
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([state, session]) => session === String(child.pid) && !state?.startsWith("Z"))
    .map((words) => words.slice(2).join(" "));
  if (left.length > 0) outcome.violations.push(`processes are left: ${left.join("; ")}`);
  const end = performance.now() + 3_000;
  let open = await countConnections(setting, connection.dbname);
  while (open > 0 && performance.now() < end) {
    await pause(50);
    open = await countConnections(setting, connection.dbname);
  }
  if (open > 0) outcome.violations.push(`${open} connections are left`);
  for (const folder of [join(home, "tmp"), join(home, "data", "scratch")]) {
    const names = await readdir(folder).catch(() => []);
    // Node's own, for what it has compiled.
    const own = names.filter((name) => !name.startsWith("node-compile-cache"));
    if (own.length > 0) outcome.violations.push(`${folder} has ${own.join(", ")}`);
  }
}

async function countConnections({ template }: Setting, dbname: string): Promise<number> {
  const client = await connectTo({ ...template, dbname: "postgres" });
  try {
    const text = "select count(*)::int as n from pg_stat_activity where datname = $1";
    const { rows } = await client.query<{ n: number }>(text, [dbname]);
    return rows[0]?.n ?? 0;
  } finally {
    await client.end();
  }
}

const run = promisify(execFile);
/** The same, for what is only waited for while a program runs. */
const timeUp = (ms: number): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, ms).unref();
  });
