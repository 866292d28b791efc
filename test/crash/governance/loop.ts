/** Kills the processes of governance at random moments while callers use it, and compares everything afterwards. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase, type Connection, type Database, type Db } from "../../../src/platform/db/database.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { silentLogger } from "../../../src/platform/lib/logger.ts";
import { storeDeployedUnit } from "../../governance/deployed-rows.ts";
import { between, seededRandom } from "../random.ts";
import { checkGovernance } from "./check.ts";
import { createPolicies, keepBusy, newLedger } from "./load.ts";
import { startFleet } from "./processes.ts";

export interface GovernanceLoopOptions {
  /** The processes migrate what is not migrated. */
  connection: Connection;
  program: string;
  kills: number;
  seed: number;
  say: (line: string) => void;
  /** Faults in the stored rows, to show that the comparison finds them; done after it was made. */
  plant?: (governance: Database) => Promise<void>;
}

export interface GovernanceLoopReport {
  kills: { server: number; worker: number };
  reports: number;
  results: number;
  minutes: number;
  statusChanges: number;
  exceptions: number;
  /** From the last restart until no report was pending; null when some stayed. */
  drainedMs: number | null;
  violations: string[];
  /** Found after `plant`. */
  planted: string[];
}

const units = 60;
const longestDrainMs = 120_000;

export async function runGovernanceLoop(options: GovernanceLoopOptions): Promise<GovernanceLoopReport> {
  const { connection, program, kills, seed, say } = options;
  const home = await mkdtemp(join(tmpdir(), "plinth-governance-"));
  const random = seededRandom(seed);
  const fleet = await startFleet({ connection, program, home, workers: 2 });
  const coordinator = openDatabase({ connection, log: silentLogger, poolSize: 2 });
  const governance = openDatabase({
    connection: { ...connection, schema: "coordinator" },
    log: silentLogger,
    poolSize: 2,
  });
  try {
    for (let n = 0; n < units; n++) await storeDeployedUnit(coordinator, unitOf(n));
    const graceUntil = new Date(Date.now() + 6_000);
    await createPolicies(fleet, graceUntil);
    const ledger = newLedger();
    const load = keepBusy({ fleet, ledger, random });
    const killed = { server: 0, worker: 0 };
    for (let kill = 0; kill < kills; kill++) {
      await sleep(between(random, 200, 2_500));
      const place = random() < 0.25 ? 0 : random() < 0.5 ? 1 : 2;
      await fleet.killAndRestart(place);
      killed[place === 0 ? "server" : "worker"] += 1;
      say(
        `kill ${kill + 1}: ${place === 0 ? "the server" : `worker ${place}`}, ${ledger.reports.length} reports so far`,
      );
    }
    await load.stop();
    const drainedMs = await drain(() => countOpen(governance.db));
    const expected = { deployed: units * 3, deployedPorts: units, graceUntil };
    const violations = await checkGovernance(governance.db, ledger, expected);
    if (drainedMs === null)
      violations.push(`reports were pending ${longestDrainMs} ms after the last restart`);
    await options.plant?.(governance);
    const planted = options.plant ? await checkGovernance(governance.db, ledger, expected) : [];
    return {
      kills: killed,
      reports: ledger.reports.length,
      ...(await countStored(governance.db)),
      statusChanges: ledger.statusCalls.length + ledger.changes.length,
      exceptions: ledger.exceptions.length,
      drainedMs,
      violations,
      planted,
    };
  } finally {
    await fleet.close();
    await coordinator.close();
    await governance.close();
    await rm(home, { recursive: true, force: true });
  }
}

const unitOf = (n: number) => {
  const id = `urn:dmb:dp:crash:unit-${n}:0`;
  const components = ["outputport", "workload"].map((kind) => ({ id: `${id}:${kind}`, kind, name: kind }));
  return { id, kind: "dataproduct", name: `Unit ${n}`, dataProductOwner: "user:ada", components };
};

async function countOpen(db: Db): Promise<number> {
  const { rows } = await sql<{ open: number }>`select count(*) as open from evaluation_reports
    where status = 'pending'`.execute(db);
  return rows[0]?.open ?? 0;
}

async function countStored(db: Db): Promise<{ results: number; minutes: number }> {
  const { rows } = await sql<{
    results: number;
    minutes: number;
  }>`select (select count(*) from results) as results,
      (select count(*) from evaluation_reports where kind = 'schedule') as minutes`.execute(db);
  return rows[0] ?? { results: 0, minutes: 0 };
}

async function drain(readOpen: () => Promise<number>): Promise<number | null> {
  const from = performance.now();
  while (performance.now() < from + longestDrainMs) {
    if ((await readOpen()) === 0) return Math.round(performance.now() - from);
    await sleep(100);
  }
  return null;
}
