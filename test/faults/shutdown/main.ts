/**
 * `node test/faults/shutdown/main.ts [--tasks 100] [--streams 200] [--connections 40]`: SIGTERM to a server
 * that is at work, and what its callers and another instance see of it. Ends with 1 when anything went wrong.
 */
import { parseArgs } from "node:util";
import { withOwnPostgres } from "../../support/own-postgres.ts";
import { runShutdown } from "./run.ts";

const longestExitMs = 10_000;
const longestTakeoverMs = 5_000;

const { values } = parseArgs({
  options: {
    tasks: { type: "string", default: "100" },
    streams: { type: "string", default: "200" },
    connections: { type: "string", default: "40" },
  },
});
await withOwnPostgres("shutdown", async (connection) => {
  const report = await runShutdown({
    connection,
    tasks: Number(values.tasks),
    streams: Number(values.streams),
    connections: Number(values.connections),
    // The product's own default.
    graceMs: 8_000,
    say: console.log,
  });
  const { violations, claimsMs, exitMs } = report;
  const lastClaimMs = claimsMs.at(-1) ?? 0;
  if (exitMs > longestExitMs) violations.push(`the exit took ${exitMs} ms`);
  if (lastClaimMs > longestTakeoverMs) violations.push(`the last claim came after ${lastClaimMs} ms`);
  const at = (share: number): number => claimsMs[Math.floor((claimsMs.length - 1) * share)] ?? 0;
  const lines = {
    running: `${report.running} tasks`,
    exit: `after ${exitMs} ms with ${report.exitCode}`,
    "next claim": `p50 ${at(0.5)} ms, last ${lastClaimMs} ms after the signal (${claimsMs.length} plans)`,
    answers: Object.entries(report.answers)
      .map(([name, times]) => `${name}: ${times}`)
      .join(", "),
    "not accepted": `${report.refusedStarts} starts met a closed connection, none of them became a plan`,
    streams: `${report.events} events seen`,
    repeats: `${report.repeats} calls under the same key`,
    violations: String(violations.length),
  };
  for (const [name, line] of Object.entries(lines)) console.log(`${name.padEnd(13)} ${line}`);
  for (const violation of violations.slice(0, 50)) console.log(`  ${violation}`);
  process.exitCode = violations.length > 0 ? 1 : 0;
});
