/**
 * Operations are started and followed by callers while the database goes away for a moment again and again;
 * then what the callers saw, the rows and the adapter's journal are held against each other.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JournalEntry } from "../../../src/adapters/mock/journal.ts";
import { openDatabase, type Connection } from "../../../src/platform/db/database.ts";
import { silentLogger } from "../../../src/platform/lib/logger.ts";
import { between, seededRandom, type Random } from "../../crash/random.ts";
import {
  databaseVariables,
  productProgram,
  startChild,
  startWorker,
  stopChild,
  type Child,
  type ChildOptions,
} from "../../crash/processes.ts";
import type { Fault } from "../database-faults.ts";
import { registerMock } from "../registration.ts";
import { createCaller, type Answers } from "./caller.ts";
import { checkOperations } from "./check.ts";

export interface DatabaseAwayOptions {
  /** How the processes reach the database: over what the faults break. */
  connection: Connection;
  /** How the checks reach it; it may be away too, but not for long after the last fault. */
  direct: Connection;
  faults: readonly Fault[];
  operations: number;
  /** Callers at a time, each with one operation after another. */
  callers: number;
  awayMs: { least: number; most: number };
  betweenMs: { least: number; most: number };
  seed: number;
  say: (line: string) => void;
}

export interface DatabaseAwayReport {
  seed: number;
  operations: number;
  /** How often each fault was had, and how long in all. */
  faults: Record<string, { times: number; ms: number }>;
  answers: Answers;
  /** From the end of the last fault of an operation's life, for the slowest. */
  slowestMs: number;
  seconds: number;
  calls: number;
  repeats: number;
  takeovers: number;
  violations: string[];
}

/** Polls that suit plans of seconds, and processes of which each may lose the database on its own. */
const fast = {
  PLINTH_COORDINATOR_EXECUTION_POLL_INITIAL_MS: "50",
  PLINTH_COORDINATOR_EXECUTION_POLL_MAX_MS: "200",
  PLINTH_SERVER_RATE_LIMIT_PER_MINUTE: "1000000",
};

export async function runDatabaseAway(options: DatabaseAwayOptions): Promise<DatabaseAwayReport> {
  const home = await mkdtemp(join(tmpdir(), "plinth-away-"));
  const journalFile = join(home, "journal.jsonl");
  const children: Child[] = [];
  const settings: ChildOptions = { cwd: home, env: { ...databaseVariables(options.connection), ...fast } };
  try {
    const adapter = startChild("src/adapters/mock/main.ts", ["--journal-file", journalFile], settings);
    const api = startChild(
      productProgram(),
      ["start", "--areas", "coordinator", "--workers", "on", "--port", "0"],
      settings,
    );
    const worker = startWorker(settings).child;
    children.push(adapter, api, worker);
    const base = `${await api.waitForLine(({ url }) => (typeof url === "string" ? url : undefined))}/api/coordinator`;
    await registerMock(base, await adapter.waitForLine(({ listening }) => listening as string | undefined));
    const report = await play(options, base);
    for (const [name, child] of Object.entries({ api, worker })) {
      if (child.process.exitCode !== null) report.violations.push(`the ${name} process has ended`);
    }
    const journal = (await readFile(journalFile, "utf8")).trim().split("\n");
    await check(
      options,
      report,
      journal.map((line) => JSON.parse(line) as JournalEntry),
    );
    return report;
  } finally {
    await Promise.all(children.map((child) => stopChild(child)));
    await rm(home, { recursive: true, force: true });
  }
}

type Played = DatabaseAwayReport & { tokens: Map<string, string> };

async function play(options: DatabaseAwayOptions, base: string): Promise<Played> {
  const random = seededRandom(options.seed);
  const report: Played = {
    seed: options.seed,
    operations: options.operations,
    faults: {},
    answers: {},
    slowestMs: 0,
    seconds: 0,
    calls: 0,
    repeats: 0,
    takeovers: 0,
    violations: [],
    tokens: new Map(),
  };
  const from = performance.now();
  const faults = breakAgainAndAgain(options, random, report);
  let next = 0;
  const caller = createCaller(base, report);
  const work = async (): Promise<void> => {
    while (next < options.operations) {
      const number = next++;
      const began = performance.now();
      const token = await caller.operate(`unit-${number}`, random);
      if (token !== null) report.tokens.set(`unit-${number}`, token);
      report.slowestMs = Math.max(report.slowestMs, performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: options.callers }, work));
  await faults.stop();
  report.seconds = (performance.now() - from) / 1_000;
  return report;
}

/** One fault after another until it is told to stop; then the database is there. */
function breakAgainAndAgain(
  options: DatabaseAwayOptions,
  random: Random,
  report: DatabaseAwayReport,
): { stop: () => Promise<void> } {
  const stop = new AbortController();
  const run = async (): Promise<void> => {
    for (let turn = 0; !stop.signal.aborted; turn++) {
      await sleep(between(random, options.betweenMs.least, options.betweenMs.most), stop.signal);
      if (stop.signal.aborted) return;
      const fault = options.faults[turn % options.faults.length]!;
      const ms = between(random, options.awayMs.least, options.awayMs.most);
      await fault.begin();
      await sleep(ms);
      await fault.end();
      const count = (report.faults[fault.name] ??= { times: 0, ms: 0 });
      count.times++;
      count.ms += ms;
      options.say(`${fault.name} for ${Math.round(ms)} ms`);
    }
  };
  const running = run();
  return {
    async stop() {
      stop.abort();
      await running;
    },
  };
}

async function check(options: DatabaseAwayOptions, report: Played, journal: JournalEntry[]): Promise<void> {
  const database = openDatabase({ connection: options.direct, log: silentLogger, poolSize: 4 });
  try {
    const found = await checkOperations(database.kysely, { ...report, journal });
    report.calls = found.calls;
    report.repeats = found.repeats;
    report.takeovers = found.takeovers;
    report.violations.push(...found.violations);
  } finally {
    await database.close();
  }
}

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await new Promise<void>((next) => {
    const timer = setTimeout(next, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      next();
    });
  });
}
