/**
 * Backups of a server that is at work, each restored into a new database after the server was killed. The adapter lives on and
 * keeps a journal of its calls, so what the restored installation repeats or forgets is seen there.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { JournalEntry } from "../../src/adapters/mock/journal.ts";
import { openDatabase, type Connection, type Database } from "../../src/platform/db/database.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { layeredUnit } from "../crash/layered-unit.ts";
import { readPlans, readTaskRecords } from "../crash/plan-rows.ts";
import {
  databaseVariables,
  killChild,
  mockUrl,
  productProgram,
  servedUrl,
  startMock,
  startServer,
  stopChild,
  type Child,
} from "../crash/processes.ts";
import { between, seededRandom } from "../crash/random.ts";
import { policyAction } from "../engine/calls.ts";
import { unfaithfulRepeats } from "../engine/record.ts";
import { environment, registerMock } from "../faults/registration.ts";

export interface RestoreOptions {
  /** An empty database; restored ones are made beside it. */
  connection: Connection;
  rounds: number;
  /** Starts that are sent one after the other, while the backup is made too. */
  plansOfRound: number;
  seed: number;
  /** Seals every backup. */
  passphrase?: string;
  say: (line: string) => void;
}

export interface RestoreReport {
  violations: string[];
  plans: number;
  /** Tasks that had ended when a backup was made, and those that were open in it. */
  settled: number;
  open: number;
  /** Calls that a restored installation made again, for tasks that were open in the backup. */
  repeats: number;
}

const fast = {
  PLINTH_COORDINATOR_EXECUTION_POLL_INITIAL_MS: "50",
  PLINTH_COORDINATOR_EXECUTION_POLL_MAX_MS: "200",
};
const longestRoundMs = 120_000;

export async function runRestoreLoop(options: RestoreOptions): Promise<RestoreReport> {
  const home = await mkdtemp(join(tmpdir(), "plinth-restore-"));
  const report: RestoreReport = { violations: [], plans: 0, settled: 0, open: 0, repeats: 0 };
  const children: Child[] = [];
  try {
    const journalFile = join(home, "journal.jsonl");
    const adapter = startMock({ cwd: home, env: {} }, journalFile);
    children.push(adapter);
    const address = await mockUrl(adapter);
    let { connection } = options;
    for (let round = 0; round < options.rounds; round++) {
      const server = startServer(settingsOf(home, connection), ["--areas", "coordinator"]);
      children.push(server);
      const base = `${await servedUrl(server)}/api/coordinator`;
      if (round === 0) await registerMock(base, address);
      connection = await restoreOnce({
        options,
        home,
        base,
        server,
        connection,
        round,
        journalFile,
        report,
        children,
      });
      options.say(
        `round ${round + 1}: ${JSON.stringify({ ...report, violations: report.violations.length })}`,
      );
    }
    return report;
  } finally {
    await Promise.all(children.map((child) => stopChild(child)));
    await rm(home, { recursive: true, force: true });
  }
}

const settingsOf = (home: string, connection: Connection) => ({
  cwd: home,
  env: { ...databaseVariables(connection), ...fast },
});

interface Round {
  options: RestoreOptions;
  home: string;
  base: string;
  server: Child;
  connection: Connection;
  round: number;
  journalFile: string;
  report: RestoreReport;
  children: Child[];
}

/** Returns the database with which the restored installation works. */
async function restoreOnce(at: Round): Promise<Connection> {
  const { options, home, base, server, connection, round, report, children } = at;
  const random = seededRandom(options.seed + round);
  const file = join(home, `round-${round}.backup`);
  const sealed = await passphraseArguments(home, options.passphrase);
  const accepted: string[] = [];
  let isOver = false;
  const load = (async () => {
    for (let n = 0; n < options.plansOfRound && !isOver; n++) {
      accepted.push(await startPlan(base, `unit-${round}-${n}`, random));
      await sleep(between(random, 5, 40));
    }
  })();
  await sleep(between(random, 200, 1_500));
  const before = [...accepted];
  await runProgram(["backup", "--to", file, ...sealed], settingsOf(home, connection));
  isOver = true;
  await load;
  await killChild(server);
  const killedAt = Date.now();
  const restored = { ...connection, dbname: `restored_${options.seed}_${round}` };
  await runProgram(["restore", "--from", file, ...sealed], settingsOf(home, restored));
  const database = openDatabase({ connection: restored, log: silentLogger, poolSize: 2 });
  try {
    const tasks = await readTaskRecords(database.db);
    const settled = new Set(tasks.filter(isSettled).map(({ idempotencyKey }) => idempotencyKey));
    report.settled += settled.size;
    report.open += tasks.length - settled.size;
    const next = startServer(settingsOf(home, restored), ["--areas", "coordinator"]);
    children.push(next);
    await servedUrl(next);
    await waitForEnds(database);
    await judge(at, { database, settled, before, killedAt });
    await stopChild(next);
  } finally {
    await database.close();
  }
  return restored;
}

const isSettled = ({ status }: { status: string }): boolean => status === "COMPLETED" || status === "FAILED";

async function passphraseArguments(home: string, passphrase: string | undefined): Promise<string[]> {
  if (passphrase === undefined) return [];
  const file = join(home, "passphrase");
  const { writeFile } = await import("node:fs/promises");
  await writeFile(file, passphrase, { mode: 0o600 });
  return ["--passphrase-file", file];
}

async function startPlan(base: string, unitId: string, random: () => number): Promise<string> {
  const answer = await fetch(
    `${base}/v2/deployment-units/${unitId}/provisioning?environment=${environment}`,
    {
      method: "POST",
      body: JSON.stringify(layeredUnit(unitId, random)),
      headers: { "content-type": "application/json" },
    },
  );
  if (answer.status !== 202) throw new Error(`A start was answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as string;
}

async function runProgram(
  args: readonly string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<void> {
  const { PATH = "" } = process.env;
  const program = resolve(import.meta.dirname, "../..", productProgram());
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4_000)));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${said}`);
}

async function waitForEnds({ db }: Database): Promise<void> {
  const giveUpAt = performance.now() + longestRoundMs;
  while (performance.now() < giveUpAt) {
    const plans = await readPlans(db);
    if ([...plans.values()].every(({ status }) => ["COMPLETED", "FAILED", "TERMINATED"].includes(status)))
      return;
    await sleep(50);
  }
}

interface Restored {
  database: Database;
  settled: ReadonlySet<string>;
  /** Plans that had been accepted when the backup was begun. */
  before: readonly string[];
  killedAt: number;
}

async function judge(
  { report, journalFile, round }: Round,
  { database, settled, before, killedAt }: Restored,
): Promise<void> {
  const lines = (await readFile(journalFile, "utf8")).trim().split("\n");
  const journal = lines.map((line) => JSON.parse(line) as JournalEntry);
  const plans = await readPlans(database.db);
  const tasks = await readTaskRecords(database.db);
  report.plans += before.length;
  const found: string[] = [];
  for (const planId of before) if (!plans.has(planId)) found.push(`plan ${planId} is lost`);
  for (const [planId, { status }] of plans)
    if (status !== "COMPLETED") found.push(`plan ${planId} is ${status}`);
  const keys = new Set(tasks.map(({ idempotencyKey }) => idempotencyKey));
  const starts = journal.filter(
    ({ operation, idempotencyKey }) =>
      operation !== "poll" && operation !== "terminate" && keys.has(idempotencyKey ?? ""),
  );
  found.push(...unfaithfulRepeats(starts));
  const byKey = Map.groupBy(starts, ({ idempotencyKey }) => idempotencyKey ?? "");
  for (const { idempotencyKey: key, action, status } of tasks) {
    const calls = byKey.get(key) ?? [];
    const again = calls.filter(({ time }) => Date.parse(time) > killedAt);
    if (settled.has(key) && again.length > 0) found.push(`${key} was settled and is called again`);
    else if (calls.length > again.length) report.repeats += again.length;
    if (calls.filter(({ acted }) => acted).length > 1) found.push(`${key} was acted upon twice`);
    if (action !== policyAction && status === "COMPLETED" && calls.length === 0)
      found.push(`${key} was never called`);
  }
  report.violations.push(...found.map((each) => `round ${round + 1}: ${each}`));
}
