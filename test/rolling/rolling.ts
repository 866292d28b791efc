/**
 * An older program and this one side by side on one database, in both directions: the new one joins, the old one leaves; the old one
 * comes back, the new one leaves. Plans are started on both all the time; what was recorded on all sides is compared in the end.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { JournalEntry } from "../../src/adapters/mock/journal.ts";
import { openDatabase, type Connection, type Db } from "../../src/platform/db/database.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { checkPlans } from "../crash/check.ts";
import { layeredUnit } from "../crash/layered-unit.ts";
import { readOpen } from "../crash/plan-rows.ts";
import {
  databaseVariables,
  mockUrl,
  servedUrl,
  sourceProgram,
  startMock,
  startServer,
  stopChild,
  type Child,
} from "../crash/processes.ts";
import { seededRandom, type Random } from "../crash/random.ts";
import { environment, registerMock } from "../faults/registration.ts";

const root = resolve(import.meta.dirname, "../..");
const run = promisify(execFile);

export interface RollingOptions {
  connection: Connection;
  /** The older program: a commit. */
  ref: string;
  /** Length of each of the phases. */
  phaseMs: number;
  seed: number;
  say: (line: string) => void;
}

export interface RollingReport {
  violations: string[];
  plans: number;
  calls: number;
  /** Plans that each of the programs has accepted. */
  accepted: Record<"old" | "new", number>;
  /** How many migrations the new program has applied beside the old one. */
  migrations: number;
}

/** The commit before the newest migration was added. */
export async function programBeforeLastMigration(): Promise<string> {
  const { stdout } = await run("git", ["log", "--diff-filter=A", "--format=%H", "-1", "--", "migrations"], {
    cwd: root,
  });
  return `${stdout.trim()}^`;
}

/** Its files in a folder, with the packages of this one. */
async function checkOut(ref: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const archive = join(folder, "source.tar");
  await run("git", ["archive", "--output", archive, ref], { cwd: root });
  await run("tar", ["-xf", archive, "-C", folder]);
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  return join(folder, sourceProgram);
}

interface Load {
  /** Where starts are sent, in turns. */
  bases: { name: "old" | "new"; url: string }[];
  accepted: string[];
  counts: Record<"old" | "new", number>;
  random: Random;
  db: Db;
}

export async function runRolling(options: RollingOptions): Promise<RollingReport> {
  const { connection, ref, phaseMs, seed, say } = options;
  const home = await mkdtemp(join(tmpdir(), "plinth-rolling-"));
  const children: Child[] = [];
  const database = openDatabase({ connection, log: silentLogger, poolSize: 2, statementTimeoutMs: 120_000 });
  const settings = { cwd: home, env: { ...databaseVariables(connection), ...fast } };
  const start = async (name: "old" | "new", program: string): Promise<{ child: Child; url: string }> => {
    const child = startServer(
      { ...settings, logFile: join(home, `${name}.log`) },
      ["--areas", "coordinator"],
      program,
    );
    children.push(child);
    return { child, url: `${await servedUrl(child)}/api/coordinator` };
  };
  const countMigrations = async (): Promise<number> =>
    (await database.pool.query<{ n: number }>("select count(*)::int as n from schema_migrations")).rows[0]
      ?.n ?? 0;
  try {
    const oldProgram = await checkOut(ref, join(home, "old"));
    const journalFile = join(home, "journal.jsonl");
    const adapter = startMock(settings, journalFile);
    children.push(adapter);
    const load: Load = {
      bases: [],
      accepted: [],
      counts: { old: 0, new: 0 },
      random: seededRandom(seed),
      db: database.db,
    };
    let isOver = false;
    let old = await start("old", oldProgram);
    await registerMock(old.url, await mockUrl(adapter));
    load.bases = [{ name: "old", url: old.url }];
    const before = await countMigrations();
    const running = keepStarting(load, () => isOver);
    const phase = async (text: string): Promise<void> => {
      await sleep(phaseMs);
      say(`${text}: ${load.counts.old} plans accepted by the old program, ${load.counts.new} by the new one`);
    };
    await phase("old alone");
    const next = await start("new", sourceProgram);
    load.bases = [...load.bases, { name: "new", url: next.url }];
    await phase("the new one beside it");
    load.bases = [{ name: "new", url: next.url }];
    await stopChild(old.child);
    await phase("new alone");
    old = await start("old", oldProgram);
    load.bases = [...load.bases, { name: "old", url: old.url }];
    await phase("the old one is back");
    load.bases = [{ name: "old", url: old.url }];
    await stopChild(next.child);
    await phase("old alone again");
    isOver = true;
    await running;
    await drain(database.db);
    const lines = (await readFile(journalFile, "utf8")).trim().split("\n");
    const journal = lines.map((line) => JSON.parse(line) as JournalEntry);
    const { violations, calls } = await checkPlans(database.db, {
      accepted: load.accepted,
      journal,
      kills: [],
    });
    return {
      violations,
      calls,
      plans: load.accepted.length,
      accepted: load.counts,
      migrations: (await countMigrations()) - before,
    };
  } finally {
    await Promise.all(children.map((child) => stopChild(child)));
    await database.close();
    await rm(home, { recursive: true, force: true });
  }
}

const fast = {
  PLINTH_COORDINATOR_EXECUTION_POLL_INITIAL_MS: "50",
  PLINTH_COORDINATOR_EXECUTION_POLL_MAX_MS: "200",
};
const plansAtOnce = 4;
const longestDrainMs = 120_000;

/** Starts a plan whenever few are open, with each program in turn. */
async function keepStarting(load: Load, isOver: () => boolean): Promise<void> {
  for (let n = 0; !isOver(); n++) {
    while ((await readOpen(load.db)) >= plansAtOnce && !isOver()) await sleep(20);
    const { name, url } = load.bases[n % load.bases.length]!;
    const unitId = `unit-${n}`;
    const answer = await fetch(
      `${url}/v2/deployment-units/${unitId}/provisioning?environment=${environment}`,
      {
        method: "POST",
        body: JSON.stringify(layeredUnit(unitId, load.random)),
        headers: { "content-type": "application/json" },
      },
    ).catch(() => null);
    // A program that is leaving accepts nothing any more.
    if (answer === null || answer.status === 503) continue;
    if (answer.status !== 202)
      throw new Error(`A start was answered ${answer.status}: ${await answer.text()}`);
    load.accepted.push((await answer.json()) as string);
    load.counts[name] += 1;
  }
}

async function drain(db: Db): Promise<void> {
  const giveUpAt = performance.now() + longestDrainMs;
  while ((await readOpen(db)) > 0 && performance.now() < giveUpAt) await sleep(50);
}
