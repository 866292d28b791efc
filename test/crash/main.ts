/**
 * `node test/crash/main.ts --kills 100 [--tasks N] [--seed N] [--between-ms N] [--built]`: kills workers at random moments
 * and says whether anything was lost, doubled, out of order or stuck. Ends with 1 when it was. With --built it builds the
 * bundle first and runs that, as an installation does. `--lane governance` kills the processes that evaluate policies and
 * serve their decisions instead of those that drive plans.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Connection } from "../../src/platform/db/database.ts";
import { bundle } from "../../scripts/bundle.ts";
import { withOwnPostgres } from "../support/own-postgres.ts";
import { runGovernanceLoop } from "./governance/loop.ts";
import { sourceProgram } from "./processes.ts";
import { runKillLoop, type KillLoopReport } from "./kill-loop.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "100" },
    tasks: { type: "string", default: "0" },
    seed: { type: "string" },
    "between-ms": { type: "string" },
    built: { type: "boolean", default: false },
    lane: { type: "string", default: "plans" },
    verbose: { type: "boolean", default: false },
  },
});
const kills = Number(values.kills);
const leastTasks = Number(values.tasks);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const betweenMs = values["between-ms"] === undefined ? undefined : Number(values["between-ms"]);
if (![kills, leastTasks, seed, betweenMs ?? 0].every((n) => Number.isInteger(n) && n >= 0)) {
  console.error("--kills, --tasks, --seed and --between-ms must be whole numbers");
  process.exit(2);
}

const lanes = { plans: killPlans, governance: killGovernance };
const lane = lanes[values.lane as keyof typeof lanes];
if (lane === undefined) {
  console.error(`--lane must be one of ${Object.keys(lanes).join(", ")}`);
  process.exit(2);
}

console.log(`${kills} kills, seed ${seed}`);
if (values.built) await bundle(join(import.meta.dirname, "../../dist"));
const program = values.built ? "dist/plinth.js" : sourceProgram;
const isShown = (line: string): boolean => values.verbose || /^kill \d*00:/.test(line);
const say = (line: string): void => (isShown(line) ? console.log(line) : undefined);
await withOwnPostgres("crash", (connection) => lane(connection));

async function killPlans(connection: Connection): Promise<void> {
  const report = await runKillLoop({
    connection,
    program,
    kills,
    // With a pause of one's own the whole run is the phase in which progress has to be seen.
    quickKills: betweenMs !== undefined ? kills : kills >= 50 ? 20 : 0,
    seed,
    betweenMs,
    plansAtOnce: 5,
    leastTasks,
    say,
  });
  print(report);
  process.exitCode = report.violations.length > 0 ? 1 : 0;
}

async function killGovernance(connection: Connection): Promise<void> {
  const report = await runGovernanceLoop({ connection, program, kills, seed, say });
  const { violations, drainedMs } = report;
  const lines = {
    kills: `${report.kills.worker} of workers, ${report.kills.server} of the server (seed ${seed})`,
    evaluations: `${report.reports} reports accepted, ${report.results} results, ${report.minutes} minutes of the schedule`,
    changes: `${report.statusChanges} of a policy, ${report.exceptions} exceptions decided by two at once`,
  };
  for (const [name, line] of Object.entries(lines)) console.log(`${name.padEnd(17)} ${line}`);
  console.log(`after the last    ${drainedMs === null ? "STUCK" : `all completed within ${drainedMs} ms`}`);
  console.log(`violations        ${violations.length}`);
  for (const violation of violations.slice(0, 50)) console.log(`  ${violation}`);
  process.exitCode = violations.length > 0 ? 1 : 0;
}

function print(report: KillLoopReport): void {
  const { quick, drainedMs } = report;
  const lines = {
    kills: `${report.kills} (seed ${report.seed})`,
    plans: `${report.plans} accepted, ${report.tasks} tasks, ${report.transitions} transitions`,
    "adapter calls": `${report.calls}, of them ${report.repeats} repeats of a call in flight at a kill`,
    takeover: spread(report.takeoversMs),
    "first task again": `${spread(report.firstCalls.byLivingMs)} after the kill, where another worker lived`,
    "after a restart": `${spread(report.firstCalls.byStartedMs)} after the start of the worker's process`,
    "in quick kills": spread(report.firstCalls.byStartedQuickMs),
    "once it is up": `${spread(report.firstCalls.byUpMs)} after that worker took plans`,
    "worker start": spread(report.bootsMs),
    "quick kills": `${quick.kills} in ${quick.seconds.toFixed(1)} s, meanwhile ${quick.completedTasks} tasks completed`,
    "after the last": drainedMs === null ? "STUCK" : `all ended within ${Math.ceil(drainedMs)} ms`,
    violations: String(report.violations.length),
  };
  for (const [name, line] of Object.entries(lines)) console.log(`${name.padEnd(17)} ${line}`);
  for (const violation of report.violations.slice(0, 50)) console.log(`  ${violation}`);
}

function spread(sorted: number[]): string {
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, worst ${at(1)} ms (${sorted.length} times)`;
}
