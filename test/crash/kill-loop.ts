/**
 * Two workers drive plans while they are killed at random moments and started again at once; then everything
 * that was recorded on all sides is compared.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { JournalEntry } from "../../src/adapters/mock/journal.ts";
import { openDatabase, type Connection, type Db } from "../../src/platform/db/database.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { checkPlans, type Verdict } from "./check.ts";
import { findFirstCalls, type FirstCalls } from "./first-calls.ts";
import { countCompleted, readClaims, readDriven, readOpen, recordClaims } from "./plan-rows.ts";
import { environment, registerMock } from "../faults/registration.ts";
import { layeredUnit, tasksOfUnit } from "./layered-unit.ts";
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
  type ChildOptions,
  type Worker,
} from "./processes.ts";
import { between, seededRandom, type Random } from "./random.ts";
import { createWorkerRoles, type WorkerRoles } from "./worker-roles.ts";

export interface KillLoopOptions {
  /** An empty database; the processes migrate it. */
  connection: Connection;
  kills: number;
  /** The script that is the product: its sources, or the bundle that was built of them. */
  program: string;
  /** The number of the last kills that come in quick succession; meanwhile tasks have to be completed. */
  quickKills: number;
  seed: number;
  /** Between any two kills; random when it is not given. */
  betweenMs?: number | undefined;
  plansAtOnce: number;
  /** The load goes on until so many tasks have been accepted, also when the last kill is over. */
  leastTasks?: number | undefined;
  say: (line: string) => void;
}

export interface Kill {
  /** Just before the signal was sent, and when the process was gone. */
  from: number;
  to: number;
  /** Plans that the process drove, with the fences of its claims. */
  driven: Map<string, number>;
  /** One of those that follow each other before a worker has got far. */
  isQuick: boolean;
}

export interface KillLoopReport extends Verdict {
  seed: number;
  kills: number;
  plans: number;
  tasks: number;
  /** From a kill to the next worker's claim, in ms; one for each plan driven, sorted. */
  takeoversMs: number[];
  /** Until the adapter was called again for a plan that had lost its worker. */
  firstCalls: FirstCalls;
  /** From the start of a worker until it took plans, of those that lived to, sorted. */
  bootsMs: number[];
  quick: { kills: number; seconds: number; completedTasks: number };
  /** From the last restart until the last plan had ended. */
  drainedMs: number | null;
}

const quickMs = 500;
const longestDrainMs = 300_000;
const longestStartMs = 60_000;
const maxMoreKills = 20;

export async function runKillLoop(options: KillLoopOptions): Promise<KillLoopReport> {
  const home = await mkdtemp(join(tmpdir(), "plinth-crash-"));
  const journalFile = join(home, "journal.jsonl");
  const children: Child[] = [];
  const settings: ChildOptions = { cwd: home, env: { ...databaseVariables(options.connection), ...fast } };
  const database = openDatabase({
    connection: options.connection,
    log: silentLogger,
    poolSize: 4,
    // A long run ends with a hundred thousand tasks to look through.
    statementTimeoutMs: 300_000,
  });
  const roles = createWorkerRoles(database.db, options.connection);
  try {
    const adapter = startMock(settings, journalFile);
    children.push(adapter);
    const api = startServer(settings, ["--areas", "coordinator", "--workers", "off"], options.program);
    children.push(api);
    const base = `${await servedUrl(api)}/api/coordinator`;
    await registerMock(base, await mockUrl(adapter));
    await recordClaims(database.db);
    const killRun: KillRun = {
      options,
      settings,
      base,
      database,
      random: seededRandom(options.seed),
      roles,
      workers: [],
      everyWorker: [],
      kills: [],
      accepted: [],
    };
    try {
      for (const place of [0, 1]) await startNext(killRun, place);
      return await killRepeatedly(killRun, journalFile);
    } finally {
      children.push(...killRun.workers.map((worker) => worker.child));
    }
  } finally {
    await Promise.all(children.map((child) => stopChild(child)));
    await roles.drop();
    await database.close();
    await rm(home, { recursive: true, force: true });
  }
}

/** Polls that suit plans of seconds. */
const fast = {
  PLINTH_COORDINATOR_EXECUTION_POLL_INITIAL_MS: "50",
  PLINTH_COORDINATOR_EXECUTION_POLL_MAX_MS: "200",
};

/** A worker with a database role of its own, by which its claims are known also before it has printed a line. */
export interface LoopWorker extends Worker {
  role: string;
}

interface KillRun {
  options: KillLoopOptions;
  settings: ChildOptions;
  base: string;
  database: ReturnType<typeof openDatabase>;
  random: Random;
  roles: WorkerRoles;
  workers: LoopWorker[];
  everyWorker: LoopWorker[];
  kills: Kill[];
  accepted: string[];
}

async function killRepeatedly(killRun: KillRun, journalFile: string): Promise<KillLoopReport> {
  const { options, database } = killRun;
  const { db } = database;
  const load = keepBusy(killRun);
  await load.begun;
  const slowKills = options.kills - options.quickKills;
  await killTimes(killRun, { kills: slowKills, isQuick: false, wait: () => pauseBeforeKill(killRun) });
  if (slowKills > 0) await killOneAtWork(killRun);
  const before = await countCompleted(db);
  const quickFrom = performance.now();
  // Where a worker takes longer to start than that, nothing could ever get done.
  const pauseMs = options.betweenMs ?? Math.max(quickMs, medianBootMs(killRun));
  await killTimes(killRun, { kills: options.quickKills, isQuick: true, wait: () => sleep(pauseMs) });
  const quick = {
    kills: options.quickKills,
    seconds: (performance.now() - quickFrom) / 1_000,
    completedTasks: (await countCompleted(db)) - before,
  };
  while (killRun.accepted.length * tasksOfUnit < (options.leastTasks ?? 0)) await sleep(200);
  await load.stop();
  const drainedMs = await drain(killRun);
  const lines = (await readFile(journalFile, "utf8")).trim().split("\n");
  const journal = lines.map((line) => JSON.parse(line) as JournalEntry);
  const { accepted, kills } = killRun;
  const verdict = await checkPlans(db, { accepted, journal, kills, claims: await readClaims(db) });
  if (quick.kills > 0 && quick.completedTasks === 0)
    verdict.violations.push(`no task was completed in ${quick.seconds.toFixed(1)} s of quick kills`);
  if (drainedMs === null)
    verdict.violations.push(`plans were open ${longestDrainMs} ms after the last restart`);
  return {
    ...verdict,
    seed: options.seed,
    kills: killRun.kills.length,
    plans: killRun.accepted.length,
    tasks: killRun.accepted.length * tasksOfUnit,
    takeoversMs: await findTakeovers(db, killRun.kills),
    firstCalls: await findFirstCalls(db, { journal, kills: killRun.kills, workers: killRun.everyWorker }),
    bootsMs: killRun.everyWorker
      .flatMap(({ bootMs }) => (bootMs === null ? [] : [Math.round(bootMs)]))
      .sort((a, b) => a - b),
    quick,
    drainedMs,
  };
}

/** Mostly until both workers drive plans, sometimes so short that one is still starting. */
async function pauseBeforeKill({ options, random, workers }: KillRun): Promise<void> {
  if (options.betweenMs !== undefined) return sleep(options.betweenMs);
  if (random() < 0.3) return sleep(between(random, 50, 600));
  await untilBooted(workers);
  await sleep(between(random, 100, 2_000));
}

async function untilBooted(workers: readonly LoopWorker[]): Promise<void> {
  const giveUpAt = performance.now() + longestStartMs;
  while (workers.some(({ bootMs }) => bootMs === null) && performance.now() < giveUpAt) await sleep(20);
}

/** More kills where none has hit a worker that drove plans: on a slow machine all may have come before it did. */
async function killOneAtWork(killRun: KillRun): Promise<void> {
  const { kills, workers } = killRun;
  for (let more = 0; more < maxMoreKills && kills.every(({ driven }) => driven.size === 0); more++)
    await killTimes(killRun, { kills: 1, isQuick: false, wait: () => untilBooted(workers) });
}

function medianBootMs({ everyWorker }: KillRun): number {
  const sorted = everyWorker.flatMap(({ bootMs }) => bootMs ?? []).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? quickMs;
}

/** Starts a plan whenever fewer than wanted are open. */
function keepBusy(killRun: KillRun): { begun: Promise<void>; stop: () => Promise<void> } {
  const { promise: begun, resolve: hasBegun } = Promise.withResolvers<void>();
  let stopped = false;
  let isBegun = false;
  const run = async (): Promise<void> => {
    while (!stopped) {
      const open = await readOpen(killRun.database.db);
      for (let missing = killRun.options.plansAtOnce - open; missing > 0; missing--) await startPlan(killRun);
      if (!isBegun && (await countCompleted(killRun.database.db)) > 0) {
        isBegun = true;
        hasBegun();
      }
      await sleep(50);
    }
  };
  const running = run();
  return {
    begun: Promise.race([begun, running]),
    async stop() {
      stopped = true;
      await running;
    },
  };
}

async function startPlan({ base, accepted, random }: KillRun): Promise<void> {
  const unitId = `unit-${accepted.length}`;
  const path = `/v2/deployment-units/${unitId}/provisioning?environment=${environment}`;
  const answer = await fetch(base + path, {
    method: "POST",
    body: JSON.stringify(layeredUnit(unitId, random)),
    headers: { "content-type": "application/json" },
  });
  if (answer.status !== 202) throw new Error(`A start was answered ${answer.status}: ${await answer.text()}`);
  accepted.push((await answer.json()) as string);
}

interface Killing {
  kills: number;
  isQuick: boolean;
  wait: () => Promise<void>;
}

async function killTimes(killRun: KillRun, { kills, isQuick, wait }: Killing): Promise<void> {
  for (let killed = 0; killed < kills;) {
    await wait();
    const both = kills - killed > 1 && killRun.random() < 0.2;
    const places = both ? [0, 1] : [killRun.random() < 0.5 ? 0 : 1];
    await Promise.all(places.map((place) => killWorker(killRun, { place, isQuick })));
    killed += places.length;
  }
}

async function killWorker(
  killRun: KillRun,
  { place, isQuick }: { place: number; isQuick: boolean },
): Promise<void> {
  const { db } = killRun.database;
  const worker = killRun.workers[place]!;
  const from = Date.now();
  await killChild(worker.child);
  const to = Date.now();
  await startNext(killRun, place);
  const driven = await readDriven(db, worker.role, from);
  killRun.kills.push({ from, to, driven, isQuick });
  killRun.options.say(`kill ${killRun.kills.length}: worker ${place} with ${driven.size} plans`);
}

async function startNext(
  { options, settings, roles, workers, everyWorker }: KillRun,
  place: number,
): Promise<void> {
  const { role, variables } = await roles.next();
  const env = { ...settings.env, ...variables };
  const worker = Object.assign(startWorker({ ...settings, env }, options.program), { role });
  workers[place] = worker;
  everyWorker.push(worker);
}

/** From each kill until each of its plans was claimed again, in ms, sorted; none for one that had just been ended. */
async function findTakeovers(db: Db, kills: readonly Kill[]): Promise<number[]> {
  const claims = Map.groupBy(await readClaims(db), ({ planId }) => planId);
  const found = kills.flatMap(({ to, driven }) =>
    [...driven].flatMap(([planId, fence]) => {
      const next = claims.get(planId)?.find((claim) => claim.fence > fence);
      return next ? [Math.max(0, next.at.getTime() - to)] : [];
    }),
  );
  return found.sort((a, b) => a - b);
}

async function drain({ database }: KillRun): Promise<number | null> {
  const from = performance.now();
  while (performance.now() < from + longestDrainMs) {
    if ((await readOpen(database.db)) === 0) return performance.now() - from;
    await sleep(50);
  }
  return null;
}
