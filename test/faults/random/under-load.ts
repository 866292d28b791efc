/**
 * Instances of the product over one database drive plans while something is done to them; then what callers, streams, rows and the
 * adapter's journal say is held against each other.
 */
import { maxConnections } from "../../../src/platform/db/connection-limits.ts";
import { openDatabase, type Connection, type Db } from "../../../src/platform/db/database.ts";
import { silentLogger } from "../../../src/platform/lib/logger.ts";
import { seededRandom } from "../../crash/random.ts";
import { judgeCalls } from "../../engine/calls.ts";
import { registerMock } from "../registration.ts";
import { createClient, newObserved, type Observed } from "./client.ts";
import { readEvidence, readOpenPlans, type Evidence } from "./evidence.ts";
import type { Instance } from "./instance.ts";
import {
  isExplained,
  judgeComponents,
  judgeEndings,
  judgePlans,
  judgeRest,
  judgeSamples,
  judgeStreams,
  mayBeLate,
} from "./judge.ts";
import { startLoad, waitingReasons, type Load } from "./load.ts";
import type { FaultWindow, IdleSample, Sample } from "./records.ts";
import { countAtRest, takeSamples } from "./samples.ts";

export interface Installation {
  instances: readonly Instance[];
  /** Where the product's database is now. */
  connection(): Connection;
  /** The adapter as the product reaches it. */
  adapterUrl: string;
  journalFile: string;
}

export interface LoadRunOptions {
  units: number;
  seed: number;
  /** What is done to them; returns with everything healed. Its windows explain what is seen in their time. */
  disturb(windows: FaultWindow[]): Promise<void>;
}

export interface LoadRunReport {
  seconds: number;
  windows: FaultWindow[];
  observed: Observed;
  load: Pick<Load, "accepted" | "streams">;
  samples: Sample[];
  idle: IdleSample[];
  instances: Pick<Instance, "name" | "endings" | "startsMs">[];
  evidence: Pick<Evidence, "takeovers">;
  calls: number;
  repeats: number;
  /** From the end of the last fault until every plan had ended; null when one has not. */
  drainedMs: number | null;
  violations: string[];
}

export const leaseMs = 4_000;
export const graceMs = 5_000;
/** What a loaded machine may add to it. */
const marginMs = 5_000;
/** Beyond what a start without a fault takes on this machine. */
const failedStartMs = 10_000;
/** After the last fault every plan has to end within it; a lost answer may be asked for again after 26 s. */
const longestDrainMs = 90_000;

export const connectionLimit = maxConnections({ isWorker: true });
/** Those, what Node holds by itself, the callers' connections, and as many to adapters as tasks may run. */
export const descriptorLimit = connectionLimit + 150;

/** Without requests and plans: what stands for good, and the few of the pool that the sweeps use. */
export const idleLimits = { connections: 14, descriptors: 100 };

/** A pace that suits plans of seconds; an adapter that is away for as long as a fault lasts fails no task. */
export const paceVariables = {
  PLINTH_COORDINATOR_EXECUTION_POLL_INITIAL_MS: "50",
  PLINTH_COORDINATOR_EXECUTION_POLL_MAX_MS: "200",
  PLINTH_COORDINATOR_EXECUTION_LEASE_MS: String(leaseMs),
  PLINTH_COORDINATOR_EXECUTION_CALL_TIMEOUT_MS: "5000",
  PLINTH_COORDINATOR_EXECUTION_CALL_ATTEMPTS: "20",
  PLINTH_COORDINATOR_EXECUTION_RETRY_DELAY_MS: "200",
  PLINTH_SERVER_SHUTDOWN_GRACE_MS: String(graceMs),
  PLINTH_SERVER_RATE_LIMIT_PER_MINUTE: "1000000",
};

export async function runUnderLoad(
  installation: Installation,
  options: LoadRunOptions,
): Promise<LoadRunReport> {
  const { instances, adapterUrl } = installation;
  const from = performance.now();
  const observed = newObserved();
  const windows: FaultWindow[] = [];
  const client = createClient(instances, observed, seededRandom(options.seed + 1_000));
  for (const instance of instances) instance.keepUp();
  const missing = await allUp(instances);
  if (missing.length > 0) throw new Error(missing.join("; "));
  const usualStartMs = Math.max(...instances.flatMap(({ startsMs }) => startsMs));
  const [first] = instances;
  await registerMock(`${first?.url()}/api/coordinator`, adapterUrl);
  const watch = takeSamples(instances);
  const load = startLoad({ client, observed, units: options.units, seed: options.seed });
  await options.disturb(windows);
  const drainedMs = await drain(load);
  const stuck = drainedMs === null ? await reasonsOfStuck(installation) : [];
  const missingAfter = await allUp(instances);
  const idle = await countAtRest(instances, idleLimits);
  await watch.stop();
  await Promise.all(instances.map((instance) => instance.close()));
  const evidence = await inDatabase(installation, (db) => readEvidence(db, installation.journalFile));
  const { tasks, journal } = evidence;
  const endings = instances.flatMap((instance) => instance.endings);
  const calls = judgeCalls({
    tasks,
    journal,
    isExplained: isExplained(windows),
    mayBeLate: mayBeLate(windows),
  });
  const limits = { connections: connectionLimit, descriptors: descriptorLimit };
  const endLimits = { stopMs: graceMs + marginMs, failedStartMs: failedStartMs + usualStartMs };
  return {
    seconds: (performance.now() - from) / 1_000,
    windows,
    observed,
    load,
    samples: watch.samples,
    idle,
    instances: [...instances],
    evidence,
    ...calls,
    drainedMs,
    violations: [
      ...stuck,
      ...missingAfter,
      ...[...observed.violations].map(([what, times]) => `${times} x ${what}`),
      ...judgeSamples(watch.samples, limits, windows),
      ...judgeRest(idle, idleLimits),
      ...judgeEndings(endings, endLimits, windows),
      ...judgePlans(load.accepted, evidence.plans, tasks),
      ...judgeComponents(load.accepted, { tasks, journal }, evidence.components),
      ...calls.violations,
      ...evidence.illegalMoves,
      ...judgeStreams(load.streams, evidence.events),
    ],
  };
}

async function drain(load: Load): Promise<number | null> {
  const from = performance.now();
  const timer = setTimeout(() => load.abandon(), longestDrainMs);
  await load.finish();
  clearTimeout(timer);
  const ms = performance.now() - from;
  return ms < longestDrainMs ? ms : null;
}

/** What each plan that has not ended says for itself. */
async function reasonsOfStuck(installation: Installation): Promise<string[]> {
  const open = await inDatabase(installation, readOpenPlans);
  const url = installation.instances.map((instance) => instance.url()).find((each) => each !== null);
  return Promise.all(
    open.map(async ({ id, unitId, status }) => {
      const text = await fetch(`${url}/api/coordinator/v1/execution-plans/${id}/status`, {
        signal: AbortSignal.timeout(5_000),
      }).then(
        (answer) => answer.text(),
        (error: Error) => error.message,
      );
      return `plan ${id} of ${unitId} is still ${status}: ${waitingReasons(text) || text.slice(0, 200)}`;
    }),
  );
}

async function inDatabase<T>(installation: Installation, work: (db: Db) => Promise<T>): Promise<T> {
  // A long run has many rows to look through.
  const connection = installation.connection();
  const database = openDatabase({ connection, log: silentLogger, poolSize: 2, statementTimeoutMs: 300_000 });
  try {
    return await work(database.db);
  } finally {
    await database.close();
  }
}

/** A start may take that long on a machine that has other things to do. */
const longestUpMs = 120_000;

/** Empty when both are up, else who is not. */
async function allUp(instances: readonly Instance[]): Promise<string[]> {
  const until = performance.now() + longestUpMs;
  for (;;) {
    const missing = instances.filter((instance) => instance.url() === null);
    if (missing.length === 0) return [];
    if (performance.now() > until)
      return missing.map(({ name }) => `${name} is not up after ${longestUpMs} ms without a fault`);
    await new Promise((next) => setTimeout(next, 50));
  }
}
