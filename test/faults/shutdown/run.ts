/**
 * A server gets SIGTERM with tasks, streams and requests under way; another goes on. Then everything that the
 * callers saw is held against the rows.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JournalEntry } from "../../../src/adapters/mock/journal.ts";
import { openDatabase, type Connection, type Db } from "../../../src/platform/db/database.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { silentLogger } from "../../../src/platform/lib/logger.ts";
import {
  databaseVariables,
  mockUrl,
  servedUrl,
  startMock,
  startServer,
  stopChild,
  type Child,
} from "../../crash/processes.ts";
import { readOpen, readPlans, readTaskRecords, recordClaims } from "../../crash/plan-rows.ts";
import { judgeCalls, type RepeatedCall } from "../../engine/calls.ts";
import { illegalMoves, storedEvents } from "../../engine/record.ts";
import { eventually } from "../../support/eventually.ts";
import { environment, mockId, registerMock } from "../registration.ts";
import { keepConnections, type Connections, type CallerRequest } from "./connections.ts";
import { openStream, resumeStream, type Stream } from "./streams.ts";

export interface ShutdownOptions {
  /** An empty database; the processes migrate it. */
  connection: Connection;
  /** Running when the signal comes. */
  tasks: number;
  streams: number;
  /** Connections that are kept and busy. */
  connections: number;
  /** How long the server lets requests finish, and for a quarter of it the calls of adapters. */
  graceMs: number;
  say: (line: string) => void;
}

export interface ShutdownReport {
  running: number;
  exitCode: number | null;
  /** From the signal until the process was gone. */
  exitMs: number;
  /** From the signal to the other instance's claim of each plan, sorted. */
  claimsMs: number[];
  answers: Record<string, number>;
  /** Starts that were cut off without an answer, and never became a plan. */
  refusedStarts: number;
  events: number;
  repeats: number;
  violations: string[];
}

const tasksOfPlan = 10;
const polledOfPlan = 9;
const unansweredPlace = 9;
/** A task is done after so many polls: with the first server's pace never, with the second's at once. */
const pollsOfTask = 8;
const rarelyMs = 15_000;
const oftenMs = 100;

interface ShutdownRun {
  options: ShutdownOptions;
  db: Db;
  report: ShutdownReport;
  serve: (pollMs: number) => Promise<{ child: Child; base: string }>;
}

export async function runShutdown(options: ShutdownOptions): Promise<ShutdownReport> {
  const home = await mkdtemp(join(tmpdir(), "plinth-shutdown-"));
  const journalFile = join(home, "journal.jsonl");
  const children: Child[] = [];
  const settings = {
    cwd: home,
    env: {
      ...databaseVariables(options.connection),
      PLINTH_COORDINATOR_EXECUTION_CALL_TIMEOUT_MS: "120000",
      PLINTH_COORDINATOR_EXECUTION_PARALLEL_TASKS: "1000",
      PLINTH_COORDINATOR_EXECUTION_PARALLEL_TASKS_PER_ADAPTER: "1000",
      PLINTH_SERVER_SHUTDOWN_GRACE_MS: String(options.graceMs),
      PLINTH_SERVER_RATE_LIMIT_PER_MINUTE: "1000000",
    },
  };
  const database = openDatabase({ connection: options.connection, log: silentLogger, poolSize: 4 });
  try {
    const adapter = startMock(settings, journalFile);
    children.push(adapter);
    const serve = async (pollMs: number) => {
      const env = {
        ...settings.env,
        PLINTH_COORDINATOR_EXECUTION_POLL_INITIAL_MS: String(pollMs),
        PLINTH_COORDINATOR_EXECUTION_POLL_MAX_MS: String(pollMs),
      };
      const child = startServer({ ...settings, env }, ["--areas", "coordinator"]);
      children.push(child);
      return { child, base: `${await servedUrl(child)}/api/coordinator` };
    };
    const first = await serve(rarelyMs);
    await registerMock(first.base, await mockUrl(adapter));
    await recordClaims(database.db);
    const shutdownRun: ShutdownRun = { options, db: database.db, report: emptyReport(), serve };
    const evidence = await checkShutdown(shutdownRun, first);
    await check(shutdownRun, evidence);
    await checkCalls(shutdownRun, evidence, await readFile(journalFile, "utf8"));
    return shutdownRun.report;
  } finally {
    await Promise.all(children.map((child) => stopChild(child)));
    await database.close();
    await rm(home, { recursive: true, force: true });
  }
}

const emptyReport = (): ShutdownReport => ({
  running: 0,
  exitCode: null,
  exitMs: 0,
  claimsMs: [],
  answers: {},
  refusedStarts: 0,
  events: 0,
  repeats: 0,
  violations: [],
});

async function checkShutdown(
  shutdownRun: ShutdownRun,
  first: { child: Child; base: string },
): Promise<Evidence> {
  const { options, db, report } = shutdownRun;
  const tokens: string[] = [];
  for (let plan = 0; plan < options.tasks / tasksOfPlan; plan++) {
    tokens.push(await startPlan(first.base, unit(`long-${plan}`, tasksOfPlan)));
  }
  await eventually("every task at its adapter", async () => {
    const { running, polled } = await countRunning(db);
    report.running = running;
    return running >= options.tasks && polled >= (options.tasks * polledOfPlan) / tasksOfPlan;
  });
  options.say(`${report.running} tasks run`);
  const second = await shutdownRun.serve(oftenMs);
  const streams = Array.from({ length: options.streams }, (_, n) =>
    openStream(first.base, tokens[n % tokens.length]!),
  );
  await Promise.all(streams.map(({ opened }) => opened));
  const connections = keepConnections(first.base, options.connections, callerRequests(tokens));
  await eventually(
    "busy connections",
    () => Object.values(connections.answers).reduce((a, b) => a + b, 0) > 50,
  );
  options.say(`${streams.length} streams and ${options.connections} connections are open; SIGTERM`);

  const signalAt = Date.now();
  first.child.process.kill("SIGTERM");
  await Promise.all([connections.closed, first.child.gone]);
  const goneAt = Date.now();
  report.exitMs = goneAt - signalAt;
  report.exitCode = first.child.process.exitCode;
  if (report.exitCode !== 0) report.violations.push(`the server ended with ${report.exitCode}`);
  options.say(`gone after ${report.exitMs} ms`);

  for (const [n, ending] of (await Promise.all(streams.map(({ ended }) => ended))).entries()) {
    if (ending !== null) report.violations.push(`stream ${n} did not end in order: ${ending}`);
  }
  for (const ending of await Promise.all(streams.map((stream) => resumeStream(second.base, stream)))) {
    if (ending !== null) report.violations.push(`a stream could not be resumed: ${ending}`);
  }
  await eventually("the end of every plan", async () => (await readOpen(db)) === 0);
  return { tokens, streams, connections, signalAt, goneAt };
}

interface Evidence {
  tokens: string[];
  streams: Stream[];
  connections: Connections;
  signalAt: number;
  goneAt: number;
}

async function check({ db, report }: ShutdownRun, evidence: Evidence): Promise<void> {
  const { tokens, streams, connections, signalAt } = evidence;
  report.answers = connections.answers;
  report.violations.push(...connections.violations);
  const plans = await readPlans(db);
  for (const token of [...tokens, ...connections.started.values()]) {
    const plan = plans.get(token);
    if (plan?.status !== "COMPLETED") report.violations.push(`plan ${token} is ${plan?.status ?? "lost"}`);
  }
  const units = await unitsWithPlans(db);
  for (const unitId of connections.refused) {
    if (units.has(unitId)) report.violations.push(`${unitId} was started but never answered`);
  }
  report.refusedStarts = connections.refused.length;
  const events = new Map<string, number[]>();
  for (const token of tokens) {
    const stored = await storedEvents(db, token);
    report.violations.push(...illegalMoves(stored));
    events.set(
      token,
      stored.map(({ id }) => id),
    );
  }
  for (const [n, { token, ids }] of streams.entries()) {
    const wanted = events.get(token) ?? [];
    report.events += ids.length;
    if (ids.join() !== wanted.join())
      report.violations.push(`stream ${n} saw ${ids.length} events of ${wanted.length}, or in other order`);
  }
  const claims = await claimsAfter(db, { moment: signalAt, planIds: tokens });
  for (const token of tokens) {
    if (!claims.has(token)) report.violations.push(`plan ${token} was not taken over`);
  }
  report.claimsMs = [...claims.values()].map((at) => at - signalAt).sort((a, b) => a - b);
}

/** Who goes on polls the tokens that are there; only a call that had no answer yet is made again. */
async function checkCalls(
  { db, report }: ShutdownRun,
  { tokens, signalAt, goneAt }: Evidence,
  journal: string,
): Promise<void> {
  const isExplained = ({ planId, first, again }: RepeatedCall): boolean => {
    const isCutOff = Date.parse(again.time) >= signalAt && Date.parse(first.time) <= goneAt;
    return (
      isCutOff && (!tokens.includes(planId) || first.componentId?.endsWith(`-${unansweredPlace}`) === true)
    );
  };
  const entries = journal.trim().split("\n");
  const { repeats, violations } = judgeCalls({
    tasks: await readTaskRecords(db),
    journal: entries.map((line) => JSON.parse(line) as JournalEntry),
    isExplained,
    mayBeLate: () => false,
  });
  report.repeats = repeats;
  report.violations.push(...violations);
}

/** Independent components. Of ten the last is a single call that is answered to its repeat only; the rest is polled. */
function unit(unitId: string, components: number) {
  const mocks = {
    call: { odd: { start: { name: "never", times: 1 } } },
    polled: { mode: "async", runningPolls: pollsOfTask },
    quick: {},
  };
  const parts = Array.from({ length: components }, (_, n) => ({
    id: `${unitId}-${n}`,
    name: `Part ${n}`,
    kind: "storage",
    infrastructureTemplateId: mockId,
    dependsOn: [],
    specific: { mock: components === 1 ? mocks.quick : n === unansweredPlace ? mocks.call : mocks.polled },
  }));
  return {
    descriptor: { id: unitId, name: unitId, version: "1.0", environment, components: parts },
    targetStatus: parts.map(({ id }) => ({ componentId: id, targetStatus: "DEPLOYED" })),
  };
}

/** Reads of the plans, and now and then the start of another unit. */
function callerRequests(tokens: string[]): () => CallerRequest {
  let count = 0;
  return () => {
    const n = count++;
    const token = tokens[n % tokens.length]!;
    if (n % 4 !== 0)
      return {
        name: "status",
        method: "GET",
        path: `/v1/execution-plans/${token}/status`,
        expected: 200,
      };
    const unitId = `late-${n}`;
    const body = unit(unitId, 1);
    return { name: "start", method: "POST", path: startPath(unitId), body, expected: 202, unitId };
  };
}

const startPath = (unitId: string): string =>
  `/v2/deployment-units/${unitId}/provisioning?environment=${environment}`;

async function startPlan(base: string, body: ReturnType<typeof unit>): Promise<string> {
  const answer = await fetch(base + startPath(body.descriptor.id), {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });
  if (answer.status !== 202) throw new Error(`A start was answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as string;
}

async function countRunning(db: Db): Promise<{ running: number; polled: number }> {
  const { rows } = await sql<{
    running: number;
    polled: number;
  }>`select count(*) as running, count(token) as polled
    from plan_tasks where status = 'RUNNING' and action = 'PROVISION'`.execute(db);
  return rows[0] ?? { running: 0, polled: 0 };
}

async function unitsWithPlans(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select unit_id as id from execution_plans`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** When each plan was claimed first after a moment, by its id. */
async function claimsAfter(
  db: Db,
  { moment, planIds }: { moment: number; planIds: string[] },
): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; at: Date }>`select plan_id as id, min(at) as at from claims_seen
    where at > ${new Date(moment)} and plan_id = any(${planIds}::text[]) group by plan_id`.execute(db);
  return new Map(rows.map(({ id, at }) => [id, at.getTime()]));
}
